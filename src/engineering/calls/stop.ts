// Why a call gave nothing to go on with, in words that a person can act on.
import { capText } from "../../agents/budget.ts";
import type { RoleCallOutcome } from "../../domain/agent/role-call-outcome.ts";
import { renderProblems } from "../../domain/parse.ts";
import type { Stop } from "../../protocols/outcome.ts";

export type Unfinished = Exclude<RoleCallOutcome, { kind: "done" | "aborted" }>;

/** `interfaceChange` is what the agent raised on the way; that stops the work whatever it answered. */
export function stopOf(role: string, outcome: Unfinished, interfaceChange: string | null): Stop {
  const { kind } = outcome;
  const strategy = kind === "retry" && { strategy: outcome.request.strategy };
  return { role, kind, why: whyOf(outcome), interfaceChange, ...strategy };
}

function whyOf(outcome: Unfinished): string {
  switch (outcome.kind) {
    case "blocked":
      return `${outcome.blocker.why} (it needs ${outcome.blocker.needs.join("; ")})`;
    case "retry":
    case "stuck":
      return outcome.request.why;
    case "invalid":
      return `its answer does not fit, also after it was told why:\n${renderProblems(outcome.problems)}`;
    case "over-budget":
      return `the call was not made: ${capText(outcome.cap)}`;
    case "timed-out":
    case "refused":
    case "too-long":
    case "unavailable":
      return outcome.why;
    case "failed":
      return outcome.hint === null ? outcome.why : `${outcome.why} (${outcome.hint})`;
  }
}
