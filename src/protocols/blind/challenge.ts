// The module round: what mutants showed is the challenge, the rule is the arbiter, and both are on record before it ships.
import { challengeOnModule } from "../../domain/blind/rule-debate.ts";
import { adjudicateByRule } from "../../domain/debate/by-rule.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { Provenance, ProtocolPorts } from "../port.ts";
import { onRecord } from "../on-record.ts";
import { present } from "../present.ts";
import type { BlindState, BlindUpdate } from "./state.ts";

export async function challenge(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate }> {
  const verdict = state.mutation?.verdict ?? "not tried with mutants";
  const update = await onRecord(state, ports, context, {
    proposal: {
      deliverable: { kind: "module", commit: present(state.merged, "merged commit") },
      claim: state.fix ?? present(state.types, "types").claim,
      acceptance_checks: checks(state),
      ...(state.proposal === null ? {} : { revises: state.proposal }),
      by: authorOf(state),
    },
    challenge: challengeOnModule(present(state.evidence, "evidence"), state.mutation),
    challenger: { role: "harness" },
    adjudication: adjudicateByRule(
      true,
      `By rule: every gate holds, no critical mutant survives, the suite is ${verdict}.`,
    ),
  });
  return { update };
}

function checks({ suites }: BlindState): string[] {
  const names = suites.flatMap(({ properties }) => properties.map(({ name }) => `the test "${name}" passes`));
  return names.length > 0 ? names : ["The tests of the module pass."];
}

function authorOf({ fix, impls }: BlindState): Provenance {
  const [author] = impls;
  return fix !== null || author === undefined ? { role: "person" } : { role: "impl", pack: author.pack };
}

/** A person's fix stands where both sides' work would: its tests are the ones that count. */
export function acceptFix(state: BlindState): { update: BlindUpdate } {
  const commit = present(state.merged, "commit of the fix");
  return { update: { suiteCommit: commit, fixes: [], suites: [], afterFix: false, gateFindings: [] } };
}
