// The whole journal, a page at a time.
import type { RunEvent } from "../domain/run/run-event.ts";
import type { Journal } from "./port.ts";

const PAGE = 1000;

export async function* everyEvent(journal: Pick<Journal, "read">): AsyncGenerator<RunEvent> {
  for (let after = 0; ;) {
    const page = await journal.read(after, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.seq ?? after;
  }
}
