// Puts the specification on record, locks the contract, and lays out stubs with the examples that will be run.
import { adjudicateByRule, challengeByRule } from "../../domain/debate/by-rule.ts";
import { EXAMPLES_FILE } from "../../domain/evidence/examples.ts";
import { examplesText } from "../../domain/gatekeeper/module-spec.ts";
import type { NodeContext } from "../../graph/port.ts";
import { onRecord } from "../on-record.ts";
import type { ProtocolPorts } from "../port.ts";
import { present } from "../present.ts";
import type { GatekeeperState, GatekeeperUpdate } from "./state.ts";

export async function layOut(
  state: GatekeeperState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: GatekeeperUpdate }> {
  const contract = present(state.contract, "contract");
  const spec = present(state.spec, "specification");
  const research = present(state.research, "research");
  const seen = `all ${research.examples.length} examples of the research are in it, its stubs compile, and each promise has a predicate that decides it.`;
  const { trail } = await onRecord(state, ports, context, {
    proposal: {
      deliverable: { kind: "contract", contract },
      claim: spec.claim,
      acceptance_checks: spec.acceptance_checks,
      by: { role: "architect", pack: present(state.specPack, "pack of the architect") },
    },
    challenge: challengeByRule([], () => undefined, `The harness looked: ${seen}`),
    challenger: { role: "harness" },
    adjudication: adjudicateByRule(true, `By rule: ${seen}`),
  });
  const { ref } = await ports.lock(context, contract);
  const skeleton = await ports.scaffold(context, contract, { [EXAMPLES_FILE]: examplesText(spec, research) });
  return { update: { trail, contractRef: ref, skeleton } };
}
