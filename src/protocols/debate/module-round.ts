// The second round of a debate: the module is built, seen by the harness, challenged, adjudicated and brought to the door.
import { challenger } from "../../agents/roles/challenger.ts";
import { proposer } from "../../agents/roles/proposer.ts";
import { verifyAmendments } from "../../domain/debate/amendments.ts";
import { route } from "../../domain/debate/retry-policy.ts";
import { Text } from "../../domain/refs.ts";
import type { NodeContext } from "../../graph/port.ts";
import { barred, refused, stoppedBy, unapplied } from "../halt-reasons.ts";
import type { Candidate } from "../outcome.ts";
import type { ProtocolPorts } from "../port.ts";
import { workProblems } from "../work-problems.ts";
import { challengeWith, type Challenged, seenByChallengers } from "./challenge.ts";
import { halted } from "./halt.ts";
import { type DebateState, type DebateUpdate, nextAsked, present, proposed, standing } from "./state.ts";

type Built = { update: DebateUpdate; goto: "examine" | "validate_amendments" | "revise" | "halt" };

export async function build(
  phase: "propose" | "revise" | "amend",
  state: DebateState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<Built> {
  const { assignment } = ports;
  const asked = nextAsked(state, "proposer");
  const revising = phase === "revise";
  const base = present(state.commit, "commit to build on");
  const answer = await ports.write(context, {
    role: proposer,
    attempt: state.asked.proposer + 1,
    base,
    input: {
      phase,
      task_file: assignment.taskText,
      contract: present(state.contract, "contract"),
      dependencies: [...assignment.dependencies],
      code_index_results: [],
      harness_schemas: {},
      failures: revising ? [...state.failures] : [],
      findings: revising ? [...state.findings] : [],
      amendments: phase === "amend" ? [...present(state.adjudication, "adjudication").amendments] : [],
    },
    ...(phase === "propose" ? {} : { situation: { phase } }),
  });
  if (answer.kind === "stopped") {
    const { update, goto } = halted(state, stoppedBy(answer.stop));
    return { update: { ...update, ...asked }, goto };
  }
  const { work, output, pack } = answer;
  if (phase === "amend") {
    const commit = work.kind === "taken" ? work.commit : base;
    const { applied_amendments: applied } = output;
    return { update: { ...asked, before: base, commit, applied }, goto: "validate_amendments" };
  }
  if (work.kind !== "taken")
    return sendBack({ ...state, ...asked }, workProblems(work, { standing: revising ? state.findings : [] }));
  const proposal = await ports.records.propose(context, {
    deliverable: { kind: "module", commit: work.commit },
    claim: output.claim,
    acceptance_checks: output.acceptance_checks,
    ...(state.proposal === null ? {} : { revises: state.proposal }),
    by: { role: "proposer", pack },
  });
  return { update: { ...asked, commit: work.commit, ...proposed(state, proposal) }, goto: "examine" };
}

/** Nobody is asked to judge what the harness can already refuse; it counts like a refusal at the door. */
function sendBack(
  state: DebateState,
  findings: string[],
  more: Parameters<typeof refused>[2] = {},
): { update: DebateUpdate; goto: "revise" | "halt" } {
  const { asked } = state;
  const next = route({ kind: "ship_refused" }, state);
  if (next.goto !== "revise") {
    const { update, goto } = halted(state, refused(state.revisionsUsed, findings, more));
    return { update: { ...update, asked }, goto };
  }
  return {
    update: {
      asked,
      revisionsUsed: next.revisionsUsed,
      failures: [],
      findings,
      rounds: [...state.rounds, ...standing(state)],
      challenge: null,
      adjudication: null,
    },
    goto: "revise",
  };
}

/** A person's fix stands where a proposal would. */
export async function acceptFix(
  state: DebateState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: DebateUpdate }> {
  const proposal = await ports.records.propose(context, {
    deliverable: { kind: "module", commit: present(state.commit, "commit of the fix") },
    claim: present(state.fix, "description of the fix"),
    acceptance_checks: ["The tests of the module pass with the fix in place."],
    ...(state.proposal === null ? {} : { revises: state.proposal }),
    by: { role: "person" },
  });
  const rounds = [...state.rounds, ...standing(state)];
  const update = {
    ...proposed(state, proposal),
    rounds,
    challenge: null,
    adjudication: null,
    violations: [],
    complianceRetries: 0,
  };
  return { update };
}

export async function examine(
  state: DebateState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: DebateUpdate; goto: "challenge" | "revise" | "halt" }> {
  const { findings, evidence } = await ports.examine(context, candidateOf(state));
  if (findings.length > 0) return sendBack(state, findings);
  if (evidence === undefined)
    return sendBack(state, ["no test ran; write tests that go through the entry points"]);
  return { update: { evidence }, goto: "challenge" };
}

export function challenge(
  state: DebateState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<Challenged> {
  const evidence = present(state.evidence, "evidence");
  return challengeWith(state, ports, context, {
    role: challenger,
    input: { ...seenByChallengers(state, ports), evidence },
  });
}

export async function validateAmendments(
  state: DebateState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: DebateUpdate; goto: "ship" | "halt" }> {
  const contract = present(state.contract, "contract");
  const before = { contract, commit: Text.parse(state.before) };
  const after = { contract, commit: present(state.commit, "commit") };
  const { amendments } = present(state.adjudication, "adjudication");
  const check = verifyAmendments(
    amendments,
    state.applied,
    await ports.contents(context, before),
    await ports.contents(context, after),
  );
  return check.kind === "applied" ? { update: {}, goto: "ship" } : halted(state, unapplied(check.unapplied));
}

export async function ship(
  state: DebateState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: DebateUpdate; goto: "end" | "revise" | "halt" }> {
  if (state.contract === null || state.commit === null || state.contractRef === null)
    return halted(state, nothingToShip(state));
  const answer = await ports.ship(context, candidateOf(state));
  if (answer.kind === "shipped")
    return { update: { outcome: { kind: "shipped", shipped: answer.shipped } }, goto: "end" };
  if (answer.kind === "barred") return halted(state, barred(answer.why));
  const { kind: _, findings, ...more } = answer;
  return sendBack(state, findings, more);
}

/** An override of a halt that came before there was any code. */
function nothingToShip(state: DebateState) {
  return refused(state.revisionsUsed, [
    "there is no module yet that could ship: the halt came before any code was written",
  ]);
}

function candidateOf(state: DebateState): Candidate {
  return {
    contract: present(state.contract, "contract"),
    contractRef: present(state.contractRef, "locked contract"),
    commit: present(state.commit, "commit"),
    proposal: state.proposal,
    override: state.override,
  };
}
