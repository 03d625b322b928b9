// From how a conversation ended to what the caller routes on, and to the words of the journal.
import type { RoleCallOutcome } from "../domain/agent/role-call-outcome.ts";
import { renderProblems } from "../domain/parse.ts";
import type { PayloadRef } from "../domain/refs.ts";
import type { Spent } from "../domain/run/run-event.ts";
import { addSpent, NOTHING_SPENT } from "../domain/run/spent.ts";
import { capText } from "./budget.ts";
import type { Ending, Ledger } from "./conversation.ts";

export function outcomeOf<Output>(
  ending: Ending<Output>,
  last: boolean,
  spent: Spent & { asked: number; transcriptRef: PayloadRef | null },
): RoleCallOutcome<Output> {
  if (ending.kind !== "answer") return { ...ending, ...spent };
  const { answer, session } = ending;
  switch (answer.kind) {
    case "output":
      return { kind: "done", output: answer.output, session, ...spent };
    case "blocker":
      return { kind: "blocked", blocker: answer.blocker, ...spent };
    case "request_retry":
      return { kind: last ? "stuck" : "retry", request: answer.request, ...spent };
  }
}

export function reasonOf(ending: Exclude<Ending<unknown>, { kind: "answer" }>): string {
  switch (ending.kind) {
    case "invalid":
      return `the answer does not match its schema:\n${renderProblems(ending.problems)}`;
    case "over-budget":
      return `another turn does not fit: ${capText(ending.cap)}`;
    case "aborted":
      return "aborted";
    default:
      return `${ending.kind}: ${ending.why}`;
  }
}

/** Unknown as soon as one part of it is. */
export function total({ spent }: Ledger): Spent {
  return spent.reduce(addSpent, NOTHING_SPENT);
}
