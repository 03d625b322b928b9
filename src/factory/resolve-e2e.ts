// A person's word after nobody could write end-to-end tests that count: kept in the inbox for the next run.
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { type E2eDecision, E2eHalt } from "../domain/people/e2e-decision.ts";
import type { Question } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";
import { withStore } from "./stores.ts";

/** What the halt is called where a task would be named. */
export const E2E = "e2e";

export async function whatE2eHalted(directory: string): Promise<E2eHalt> {
  return withStore(directory, async (store) => {
    const { body } = await openQuestion(store);
    return parseOrThrow(E2eHalt, body, "the halt");
  });
}

/** The architect is asked again by the next run, which first looks whether the person has written the tests. */
export async function resolveE2e(directory: string, guidance: string | null, by: string): Promise<void> {
  return withStore(directory, async (store) => {
    const { id } = await openQuestion(store);
    const decision: E2eDecision = { action: "TRY_AGAIN", guidance };
    const result = await store.inbox.answer(id, decision, by);
    if (result.kind === "accepted") return;
    const why = result.kind === "invalid" ? result.problems.join("; ") : "somebody was faster";
    throw new CupelError("invalid_input", `the answer does not fit: ${why}`, {
      hint: "cupel schema E2eDecision",
    });
  });
}

async function openQuestion({ inbox }: StateStore): Promise<Question> {
  const question = (await inbox.open()).find(({ kind }) => kind === "e2e");
  if (question !== undefined) return question;
  throw new CupelError("not_found", "nobody waits for a word about end-to-end tests", {
    expected: "a product for which nobody could write any",
    hint: "cupel next",
  });
}
