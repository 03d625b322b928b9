// When the tree is whole, each of its nodes goes through the one door; approval and gates are on record as its debate.
import { challengeOnModule } from "../../domain/blind/rule-debate.ts";
import { adjudicateByRule } from "../../domain/debate/by-rule.ts";
import type { NodeContext } from "../../graph/port.ts";
import { barred, refused } from "../halt-reasons.ts";
import { type Halted, halted } from "./halt.ts";
import { onRecord } from "../on-record.ts";
import type { NodePorts } from "./port.ts";
import { groundsOf } from "./review.ts";
import type { FractalState, FractalUpdate } from "./state.ts";
import { present } from "../present.ts";

export async function challenge(
  state: FractalState,
  ports: NodePorts,
  context: NodeContext,
): Promise<{ update: FractalUpdate }> {
  const signOff = present(state.signOff, "approval");
  const update = await onRecord(state, ports, context, {
    proposal: {
      deliverable: { kind: "module", commit: present(state.commit, "commit") },
      claim: signOff,
      acceptance_checks: (state.coverage?.criteriaWithTests ?? []).map(
        ({ criterion, test }) => `${criterion}: the test "${test}" passes`,
      ),
      // Where nobody had written code yet, all of it is a person's.
      by: state.pack === null ? { role: "person" } : { role: "impl", pack: state.pack },
    },
    challenge: challengeOnModule(present(state.evidence, "evidence"), null),
    challenger: { role: "harness" },
    adjudication: adjudicateByRule(
      true,
      `By rule: reviewed, merged into its parent, every gate holds. ${signOff}`,
    ),
  });
  return { update };
}

export async function ship(
  state: FractalState,
  ports: NodePorts,
  context: NodeContext,
): Promise<{ update: FractalUpdate; goto: "shipped" } | Halted> {
  const answer = await ports.ship(context, {
    contract: present(state.contract, "contract"),
    contractRef: present(state.contractRef, "reference of the contract"),
    commit: present(state.commit, "commit"),
    proposal: state.proposal,
    override: state.override,
    grounds: groundsOf(state),
  });
  switch (answer.kind) {
    case "shipped":
      return { update: { outcome: { kind: "shipped", shipped: answer.shipped } }, goto: "shipped" };
    case "barred":
      return halted(state, barred(answer.why));
    case "refused": {
      const { kind: _, findings, ...more } = answer;
      return halted(state, refused(0, findings, more));
    }
  }
}
