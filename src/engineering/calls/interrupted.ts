// Tells calls that ended by themselves from those that were interrupted, which begin again with their node.
import type { RoleCallOutcome } from "../../domain/agent/role-call-outcome.ts";
import { CupelError } from "../../domain/error.ts";
import type { NodeContext } from "../../graph/port.ts";
import { stopOf, type Unfinished } from "./stop.ts";

/** Throws for a call that was stopped or could not be made: it has no outcome, and the node did not finish. */
export function endedByItself<Output>(
  { signal }: NodeContext,
  role: string,
  outcome: RoleCallOutcome<Output>,
): Exclude<RoleCallOutcome<Output>, { kind: "aborted" }> {
  if (outcome.kind === "done") return outcome;
  if (outcome.kind === "aborted") {
    signal.throwIfAborted();
    throw new Error(`the call of the ${role} was stopped before it ended`);
  }
  if (isOfTheMoment(outcome)) throw interrupted(role, outcome);
  return outcome;
}

/** Money, a key or a provider that is missing says nothing about the work: it goes on at this very call when it is there. */
function isOfTheMoment({ kind }: Unfinished): boolean {
  return kind === "over-budget" || kind === "unavailable" || kind === "failed";
}

function interrupted(role: string, outcome: Unfinished): CupelError {
  const hints: Partial<Record<Unfinished["kind"], string>> = {
    "over-budget": "raise the cap under budget in cupel.config.json, and run the same command again",
    unavailable: "run the same command again when the provider answers",
  };
  const hint = hints[outcome.kind] ?? "mend that, and run the same command again";
  return new CupelError(
    "call_interrupted",
    `the ${role} could not be asked: ${stopOf(role, outcome, null).why}`,
    {
      hint,
    },
  );
}
