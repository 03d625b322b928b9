// What is brought to the gates and to the door: the merged commit and what it is held against.
import { claimsOf } from "../../domain/blind/suite-coverage.ts";
import type { Claim } from "../../domain/evidence/claim.ts";
import type { Candidate } from "../outcome.ts";
import type { ToExamine } from "../port.ts";
import { present } from "../present.ts";
import type { BlindState, Suite } from "./state.ts";

export function claimsIn(suites: readonly Suite[]): Claim[] {
  return claimsOf(suites.flatMap(({ properties }) => properties));
}

/** Before a person stepped in, the tests are those that were verified; afterwards, those of the person's fix. */
export function examined(state: BlindState): ToExamine {
  const claims = claimsIn(state.suites);
  return {
    contract: present(state.contract, "contract"),
    commit: present(state.merged, "merged commit"),
    grounds: {
      ...(claims.length === 0 ? {} : { claims }),
      ...(state.suiteCommit === null ? {} : { tests: state.suiteCommit }),
      ...(state.skeleton === null ? {} : { skeleton: state.skeleton }),
    },
  };
}

export function candidateOf(state: BlindState): Candidate {
  return {
    ...examined(state),
    contractRef: present(state.contractRef, "locked contract"),
    proposal: state.proposal,
    override: state.override,
  };
}
