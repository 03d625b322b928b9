// Runs inside a site: what a call gives, and whether it gives the same some times in a row.
import { shown } from "./call-record.ts";
import type { Outcome } from "./call-watch.ts";

/** So many calls must come to the same before anything is said of the next one. */
const STEADY = 4;

interface Result {
  value: unknown;
  text: string;
}

type Ask = () => Promise<Outcome | undefined>;

/** What is another by itself, at once or after some calls, says nothing. */
export async function steadyResult(ask: Ask): Promise<Result | undefined> {
  let given = await resultOf(ask);
  for (let again = 1; again < STEADY && given !== undefined; again += 1) {
    const next = await resultOf(ask);
    given = next?.text === given.text ? next : undefined;
  }
  return given;
}

export async function resultOf(ask: Ask): Promise<Result | undefined> {
  const outcome = await ask();
  if (outcome?.kind !== "returned") return undefined;
  const text = shownValue(outcome.result);
  return text === undefined ? undefined : { value: outcome.result, text };
}

/** Undefined for what cannot be shown. */
export function shownValue(value: unknown): string | undefined {
  return shown({ kind: "returned", result: value }) ?? undefined;
}
