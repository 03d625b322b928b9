// The first round of a debate: the contract is proposed, challenged, adjudicated and locked before there is any code.
import { contractChallenger } from "../../agents/roles/challenger-contract.ts";
import { contractFields } from "../../domain/contract/contract-draft.ts";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { verifyAmendments } from "../../domain/debate/amendments.ts";
import { beyondAmendments } from "../../domain/debate/beyond-amendments.ts";
import { route } from "../../domain/debate/retry-policy.ts";
import type { NodeContext } from "../../graph/port.ts";
import { draftContract } from "../draft-contract.ts";
import { notAsked, refused, stoppedBy, unapplied } from "../halt-reasons.ts";
import type { ProtocolPorts } from "../port.ts";
import { challengeWith, type Challenged, seenByChallengers } from "./challenge.ts";
import { halted } from "./halt.ts";
import { type DebateState, type DebateUpdate, nextAsked, present, proposed, standing } from "./state.ts";

type Proposed = {
  update: DebateUpdate;
  goto: "challenge" | "lock" | "revise" | "validate_amendments" | "halt";
};

export async function proposeContract(
  phase: "propose" | "revise" | "amend",
  state: DebateState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<Proposed> {
  const { contract: debated } = ports.assignment;
  if (debated !== undefined) return { update: { contract: debated }, goto: "lock" };
  const asked = nextAsked(state, "proposer");
  const revising = phase === "revise";
  const drafted = await draftContract(ports, context, {
    phase,
    attempt: state.asked.proposer + 1,
    contract: state.contract,
    failures: revising ? [...state.failures] : [],
    findings: revising ? [...state.findings] : [],
    amendments: phase === "amend" ? [...present(state.adjudication, "adjudication").amendments] : [],
  });
  if (drafted.kind === "stopped") return stop(halted(state, stoppedBy(drafted.stop)), asked);
  if (drafted.kind === "faulty") return sendBack(state, drafted.findings, asked);
  const { contract, output, pack } = drafted;
  if (phase === "amend") {
    const { applied_amendments: applied } = output;
    return { update: { ...asked, before: state.contract, contract, applied }, goto: "validate_amendments" };
  }
  if (!ports.assignment.rigor.contractRound) return { update: { ...asked, contract }, goto: "lock" };
  const proposal = await ports.records.propose(context, {
    deliverable: { kind: "contract", contract },
    claim: output.claim,
    acceptance_checks: output.acceptance_checks,
    ...(state.proposal === null ? {} : { revises: state.proposal }),
    by: { role: "proposer", pack },
  });
  return { update: { ...asked, contract, ...proposed(state, proposal) }, goto: "challenge" };
}

/** Whatever the reason, a draft that cannot be built counts like a refusal at the door. */
function sendBack(state: DebateState, findings: string[], asked: DebateUpdate): Proposed {
  const next = route({ kind: "ship_refused" }, state);
  if (next.goto === "revise")
    return {
      update: { ...asked, revisionsUsed: next.revisionsUsed, failures: [], findings },
      goto: "revise",
    };
  return stop(halted(state, refused(state.revisionsUsed, findings)), asked);
}

function stop({ update, goto }: ReturnType<typeof halted>, asked: DebateUpdate): Proposed {
  return { update: { ...update, ...asked }, goto };
}

export function challengeContract(
  state: DebateState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<Challenged> {
  const { module } = ports.assignment;
  return challengeWith(state, ports, context, {
    role: contractChallenger,
    input: { ...seenByChallengers(state, ports), module },
  });
}

export function validateContractAmendments(state: DebateState): {
  update: DebateUpdate;
  goto: "lock" | "halt";
} {
  const before = MicroModuleContract.parse(state.before);
  const after = present(state.contract, "contract");
  const { amendments } = present(state.adjudication, "adjudication");
  const check = verifyAmendments(amendments, state.applied, contractFields(before), contractFields(after));
  if (check.kind === "unapplied") return halted(state, unapplied(check.unapplied));
  const beyond = beyondAmendments(amendments, before, after);
  return beyond.length === 0 ? { update: {}, goto: "lock" } : halted(state, notAsked(beyond));
}

/** The implementation has a debate of its own, with its own budget. */
export async function lockContract(
  state: DebateState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: DebateUpdate }> {
  const contract = present(state.contract, "contract");
  const { ref } = await ports.lock(context, contract);
  const commit = await ports.scaffold(context, contract);
  return {
    update: {
      contractRef: ref,
      commit,
      rounds: [...state.rounds, ...standing(state)],
      proposal: null,
      challenge: null,
      adjudication: null,
      before: null,
      applied: [],
      failures: [],
      findings: [],
      revisionsUsed: 0,
    },
  };
}
