// `cupel log`: what happened, from the journal; with --follow also what happens next.
import type { RunEvent } from "../../domain/run/run-event.ts";
import { tail, withStore } from "../../factory/stores.ts";
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
  await withStore(options.directory, async ({ journal }) => {
    if (options.follow) {
      // Ends with the process: Ctrl-C.
      const { signal } = new AbortController();
      for await (const event of tail(journal, 0, { signal })) print(event, options);
      return;
    }
    let events = await journal.read(0, BATCH, options.run);
    while (events.length > 0) {
      for (const event of events) print(event, options);
      events = await journal.read(events.at(-1)?.seq ?? 0, BATCH, options.run);
    }
  });
}

function print(event: RunEvent, { jsonl, run }: LogOptions): void {
  if (run !== undefined && event.runId !== run) return;
  printText(jsonl ? JSON.stringify(event) : oneLine(render(event)));
}

/** Place, time and run, then what happened. */
function render(event: RunEvent): string {
  return [String(event.seq).padStart(6), event.at, event.runId, sentenceOf(event)].join("  ");
}
