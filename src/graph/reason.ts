// Why something failed, for the journal: without secrets, and no longer than anybody reads.
import { thrownText } from "../domain/thrown.ts";

/** Whole stack traces belong elsewhere. */
const LONGEST = 2000;
const LONGEST_THROWN = 200_000;

/** Cleaned before it is cut: half a secret is none that could be found. */
export function redacted(cause: unknown, redact: (text: string) => string): string {
  return redact(thrownText(cause, LONGEST_THROWN)).slice(0, LONGEST);
}
