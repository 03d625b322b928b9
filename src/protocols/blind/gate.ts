// Where the contract round ends: the holes are the challenge, the rule is the arbiter, and the lock is what is built on.
import { challengeOnTypes } from "../../domain/blind/rule-debate.ts";
import { adjudicateByRule } from "../../domain/debate/by-rule.ts";
import { deriveTypeVerdict, hasCritical } from "../../domain/blind/type-hole.ts";
import type { NodeContext } from "../../graph/port.ts";
import { stoppedBy } from "../halt-reasons.ts";
import type { NewProposal, ProtocolPorts } from "../port.ts";
import { halted } from "./halt.ts";
import { onRecord } from "../on-record.ts";
import { settingsOf } from "./settings.ts";
import { present } from "../present.ts";
import type { BlindState, BlindUpdate } from "./state.ts";
import { backToTypes } from "./types.ts";

type Gated = { update: BlindUpdate; goto: "pass" | "types_fix" | "halt" };

export async function gate(state: BlindState, ports: ProtocolPorts, context: NodeContext): Promise<Gated> {
  if (state.skeletonFindings.length > 0) return backToTypes(state, ports, state.skeletonFindings, {});
  if (state.adversaryEnding.kind === "stopped") return halted(state, stoppedBy(state.adversaryEnding.stop));
  const { output, pack } = present(state.adversary, "type adversary's answer");
  const verdict = deriveTypeVerdict(output.holes);
  // An agreed contract cannot be changed here; what was found still teaches those who build on it.
  const stands = ports.assignment.contract !== undefined || wereTold(state, ports);
  const goesOn = verdict !== "HasHoles" || stands;
  const { proposal, trail } = await onRecord(state, ports, context, {
    proposal: contractProposal(state),
    challenge: challengeOnTypes(output.holes, output.analysis),
    challenger: { role: "type_adversary", pack },
    adjudication: adjudicateByRule(goesOn, rationale(verdict, goesOn)),
  });
  const debated = { contractProposal: proposal, trail };
  if (goesOn) return { update: debated, goto: "pass" };
  return backToTypes({ ...state, ...debated }, ports, [], {
    ...debated,
    fixedHoles: [...state.fixedHoles, ...output.holes],
  });
}

function rationale(verdict: string, goesOn: boolean): string {
  if (verdict !== "HasHoles") return `By rule: the verdict on the types is ${verdict}.`;
  return goesOn
    ? "By rule: the types have holes and stand; whoever writes tests and code was told of them."
    : "By rule: the types have holes that are critical or major, so they go back.";
}

/** Letters were asked for, and everybody who writes has read the one about these holes. */
function wereTold(state: BlindState, ports: ProtocolPorts): boolean {
  const { holes } = state.adversary?.output ?? { holes: [] };
  const readers = ["early_tests", "early_impl"];
  return (
    settingsOf(ports).speculation === "mail" &&
    hasCritical(holes) &&
    readers.every((node) => state.letterRead.includes(node))
  );
}

function contractProposal(state: BlindState): NewProposal {
  const types = present(state.types, "types");
  return {
    deliverable: { kind: "contract", contract: present(state.contract, "contract") },
    claim: types.claim,
    acceptance_checks: types.acceptance_checks,
    ...(state.contractProposal === null ? {} : { revises: state.contractProposal }),
    by: { role: "types", pack: present(state.typesPack, "pack of the types") },
  };
}

/** From here on the contract is what tests and code are written against. */
export async function lock(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<BlindUpdate> {
  const { ref } = await ports.lock(context, present(state.contract, "contract"));
  return { contractRef: ref };
}
