// What is brought to the gates and to the door: the code with its tests, and what they are held against.
import type { Candidate } from "../outcome.ts";
import type { NewProposal, ToExamine } from "../port.ts";
import { present } from "../present.ts";
import type { GatekeeperState } from "./state.ts";

type Part = Pick<GatekeeperState, "contract" | "merged" | "suiteCommit" | "skeleton">;

export function examined({ contract, merged, suiteCommit, skeleton }: Part): ToExamine {
  return {
    contract: present(contract, "contract"),
    commit: present(merged, "code together with its tests"),
    grounds: {
      ...(suiteCommit === null ? {} : { tests: suiteCommit }),
      ...(skeleton === null ? {} : { skeleton }),
    },
  };
}

export function candidateOf(state: GatekeeperState): Candidate {
  return {
    ...examined(state),
    contractRef: present(state.contractRef, "locked contract"),
    proposal: state.proposal,
    override: state.override,
  };
}

/** What could be checked is what was seen to pass, whatever tests their author speaks of. */
export function proposalOf(
  state: Pick<GatekeeperState, "merged" | "code" | "fix" | "evidence" | "proposal">,
): NewProposal {
  const { merged, code, fix, evidence, proposal } = state;
  const passing = (evidence?.tests ?? []).filter(({ result }) => result === "PASS");
  const names = fix === null ? passing.map(({ name }) => `the test "${name}" passes`) : [];
  return {
    deliverable: { kind: "module", commit: present(merged, "code together with its tests") },
    claim: fix ?? present(code, "code").claim,
    acceptance_checks: names.length > 0 ? names : ["The tests of the module pass."],
    ...(proposal === null ? {} : { revises: proposal }),
    by: fix !== null || code === null ? { role: "person" } : { role: "builder", pack: code.pack },
  };
}
