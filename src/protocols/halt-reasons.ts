// Why a protocol stops, in the words that a person decides on.
import type { UnappliedAmendment } from "../domain/debate/amendments.ts";
import type { Halt, Stop } from "./outcome.ts";

export type Reason = Omit<Halt, "trail">;

/** Somebody who is asked is shown at least one thing that does not hold. */
export function reasonOf(
  failed: Reason["failed"],
  decision: string,
  recommended: Reason["recommended"],
  context: string,
): Reason {
  const shown = failed.length > 0 ? failed : [{ invariant: "the work can go on", evidence: context }];
  return { failed: shown, decision, recommended, context };
}

export function stoppedBy(stop: Stop): Reason {
  const failed = [{ invariant: `the ${stop.role} can do its work`, evidence: `${stop.kind}: ${stop.why}` }];
  if (stop.interfaceChange !== null) {
    return {
      failed,
      decision: `Decide whether the contract asked for in ${stop.interfaceChange} is to change.`,
      recommended: "AMEND_SPEC",
      context: `The ${stop.role} cannot build on a module it depends on as that module's contract stands: ${stop.why}`,
      interfaceChange: stop.interfaceChange,
    };
  }
  return {
    failed,
    decision: `Say how the work can go on: change the task, split it, or provide the code. The ${stop.role} could not, because ${stop.why}`,
    recommended: stop.kind === "too-long" ? "SPLIT_TASK" : "AMEND_SPEC",
    context: `The ${stop.role} ended with ${stop.kind}: ${stop.why}`,
  };
}

/** The door, or the gates before it, refused, and no revision is left. */
export function refused(
  revisions: number,
  findings: readonly string[],
  more: Partial<Pick<Halt, "mismatch" | "executionLogRef">> = {},
): Reason {
  return {
    failed: findings.map((finding) => ({ invariant: "the gates of ship hold", evidence: finding })),
    decision: "Provide code that passes the gates, or change what is asked for.",
    recommended: "PROVIDE_FIX",
    context: `After ${revisions} revisions the harness still refuses the work: ${findings[0] ?? "no reason was given"}`,
    ...more,
  };
}

/** The door is closed whatever the code is like, so nobody is asked to revise it. */
export function barred(why: string): Reason {
  return {
    failed: [{ invariant: "nothing else has shipped in its place", evidence: why }],
    decision: `Decide what becomes of the task, since ${why}. Amended, it is planned anew and can build on what has shipped meanwhile.`,
    recommended: "AMEND_SPEC",
    context: `The module was made, but ${why}`,
  };
}

export function unapplied(amendments: readonly UnappliedAmendment[]): Reason {
  return {
    failed: amendments.map(({ amendment_index, reason }) => ({
      invariant: `amendment ${amendment_index} is applied`,
      evidence: reason,
    })),
    decision: "Apply the amendments yourself, or decide that the module ships without them.",
    recommended: "PROVIDE_FIX",
    context: "The Arbiter approved with amendments, and not all of them were applied.",
    unapplied: [...amendments],
  };
}

export function notAsked(changes: readonly string[]): Reason {
  return reasonOf(
    changes.map((evidence) => ({ invariant: "amendments change what they name and nothing else", evidence })),
    "Apply the amendments yourself, or decide that the contract is to be without what is gone.",
    "PROVIDE_FIX",
    `The Arbiter approved with amendments, and the contract came back with other changes, too: ${changes[0] ?? ""}`,
  );
}
