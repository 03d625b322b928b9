// `cupel log`: what happened, from the journal; with --follow also what happens next.
import type { RunEvent } from "../../domain/run/run-event.ts";
import { openStore, tail } from "../../factory/stores.ts";
import { oneLine, printText } from "../output.ts";
import { sentenceOf } from "./log-text.ts";

export interface LogOptions {
  directory: string;
  /** One JSON event a line instead of words. */
  jsonl: boolean;
  follow: boolean;
  run: string | undefined;
}

const BATCH = 500;

export async function log(options: LogOptions): Promise<void> {
  const store = openStore(options.directory);
  try {
    if (options.follow) {
      // Ends with the process: Ctrl-C.
      const { signal } = new AbortController();
      for await (const event of tail(store.journal, 0, { signal })) print(event, options);
      return;
    }
    let events = await store.journal.read(0, BATCH, options.run);
    while (events.length > 0) {
      for (const event of events) print(event, options);
      events = await store.journal.read(events.at(-1)?.seq ?? 0, BATCH, options.run);
    }
  } finally {
    await store.close();
  }
}

function print(event: RunEvent, { jsonl, run }: LogOptions): void {
  if (run !== undefined && event.runId !== run) return;
  printText(jsonl ? JSON.stringify(event) : oneLine(render(event)));
}

/** Place, time and run, then what happened. */
function render(event: RunEvent): string {
  return [String(event.seq).padStart(6), event.at, event.runId, sentenceOf(event)].join("  ");
}
