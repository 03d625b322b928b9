// The nodes of the solo protocol: draft, build, examine, verify, ship; whatever comes back is repaired a few times.
import { builder } from "../../agents/roles/builder.ts";
import { verifier } from "../../agents/roles/verifier.ts";
import type { NodeContext } from "../../graph/port.ts";
import { draftContract } from "../draft-contract.ts";
import { barred, type Reason, refused, stoppedBy } from "../halt-reasons.ts";
import type { Candidate, Halt } from "../outcome.ts";
import type { ProtocolPorts } from "../port.ts";
import { workProblems } from "../work-problems.ts";
import type { SoloState, SoloUpdate } from "./state.ts";

type Going<Goto extends string> = Promise<{ update: SoloUpdate; goto: Goto }>;

export async function draft(
  state: SoloState,
  ports: ProtocolPorts,
  context: NodeContext,
): Going<"draft" | "lock" | "halt"> {
  const { contract: debated } = ports.assignment;
  if (debated !== undefined) return { update: { contract: debated }, goto: "lock" };
  const asked = state.asked + 1;
  const drafted = await draftContract(ports, context, {
    phase: state.findings.length > 0 ? "revise" : "propose",
    attempt: asked,
    contract: state.contract,
    failures: [],
    findings: [...state.findings],
    amendments: [],
  });
  if (drafted.kind === "stopped") return halted({ asked }, stoppedBy(drafted.stop));
  if (drafted.kind === "faulty") return sendBack({ ...state, asked }, ports, drafted.findings, "draft");
  return { update: { asked, contract: drafted.contract, findings: [], repairs: 0 }, goto: "lock" };
}

export async function lock(
  state: SoloState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: SoloUpdate }> {
  const contract = present(state.contract);
  const { ref } = await ports.lock(context, contract);
  return { update: { contractRef: ref, commit: await ports.scaffold(context, contract) } };
}

export async function build(
  state: SoloState,
  ports: ProtocolPorts,
  context: NodeContext,
): Going<"examine" | "build" | "halt"> {
  const asked = state.asked + 1;
  const { taskText, dependencies } = ports.assignment;
  const answer = await ports.write(context, {
    role: builder,
    attempt: asked,
    base: present(state.commit),
    input: {
      phase: state.findings.length > 0 ? "repair" : "build",
      task_file: taskText,
      contract: present(state.contract),
      dependencies: [...dependencies],
      findings: [...state.findings],
    },
    situation: { protocol: "solo", ...(state.findings.length > 0 ? { phase: "revise" as const } : {}) },
  });
  if (answer.kind === "stopped") return halted({ asked }, stoppedBy(answer.stop));
  const { work } = answer;
  if (work.kind !== "taken")
    return sendBack({ ...state, asked }, ports, workProblems(work, { standing: state.findings }), "build");
  return { update: { asked, commit: work.commit }, goto: "examine" };
}

export async function examine(
  state: SoloState,
  ports: ProtocolPorts,
  context: NodeContext,
): Going<"verify" | "build" | "halt"> {
  const { findings, evidence } = await ports.examine(context, candidateOf(state));
  if (findings.length > 0) return sendBack(state, ports, findings, "build");
  if (evidence === undefined) return sendBack(state, ports, ["no test ran; write tests"], "build");
  return { update: { evidence }, goto: "verify" };
}

export async function verify(
  state: SoloState,
  ports: ProtocolPorts,
  context: NodeContext,
): Going<"ship" | "build" | "halt"> {
  const text = await ports.read(context, present(state.commit));
  if (text.kind === "too-large") return sendBack(state, ports, [text.problem], "build");
  const asked = state.asked + 1;
  const answer = await ports.ask(context, {
    role: verifier,
    attempt: asked,
    input: {
      contract: present(state.contract),
      acceptance_criteria: ports.assignment.task.acceptance_criteria,
      files: Object.entries(text.files).map(([path, code]) => ({ path, text: code })),
      evidence: present(state.evidence),
    },
    situation: { protocol: "solo" },
  });
  if (answer.kind === "stopped") return halted({ asked }, stoppedBy(answer.stop));
  const { verdict, findings } = answer.output;
  if (verdict === "FAIL") return sendBack({ ...state, asked }, ports, findings, "build");
  return { update: { asked }, goto: "ship" };
}

export async function ship(
  state: SoloState,
  ports: ProtocolPorts,
  context: NodeContext,
): Going<"end" | "build" | "halt"> {
  if (state.contract === null || state.commit === null || state.contractRef === null)
    return halted({}, refused(state.repairs, ["there is no module yet that could ship"]));
  const answer = await ports.ship(context, candidateOf(state));
  if (answer.kind === "shipped")
    return { update: { outcome: { kind: "shipped", shipped: answer.shipped } }, goto: "end" };
  if (answer.kind === "barred") return halted({}, barred(answer.why));
  const { kind: _, findings, ...more } = answer;
  return sendBack(state, ports, findings, "build", more);
}

function sendBack<Node extends "draft" | "build">(
  { asked, repairs, override }: SoloState,
  { assignment }: ProtocolPorts,
  findings: string[],
  to: Node,
  more: Partial<Pick<Halt, "mismatch" | "executionLogRef">> = {},
): { update: SoloUpdate; goto: Node | "halt" } {
  // A person's word replaces the judgement of others, not the gates; nobody goes on building after it.
  if (repairs >= assignment.rigor.maxFixAttempts || override !== null)
    return halted({ asked }, refused(repairs, findings, more));
  return { update: { asked, findings, repairs: repairs + 1 }, goto: to };
}

function halted(update: SoloUpdate, reason: Reason): { update: SoloUpdate; goto: "halt" } {
  const trail = { proposals: [], challenges: [], adjudications: [] };
  return { update: { ...update, outcome: { kind: "halted", halt: { trail, ...reason } } }, goto: "halt" };
}

function candidateOf(state: SoloState): Candidate {
  return {
    contract: present(state.contract),
    contractRef: present(state.contractRef),
    commit: present(state.commit),
    proposal: null,
    override: state.override,
  };
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error("a node before this one has not left what it must");
  return value;
}
