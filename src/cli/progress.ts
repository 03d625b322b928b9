// Follows a run on the terminal: lines that stay, and on a terminal one line at the bottom that changes.
import type { RunEvent } from "../domain/run/run-event.ts";
import { statusIn } from "../factory/project-status.ts";
import type { Works } from "../factory/works.ts";
import { footerLine, progressLine } from "./commands/run-text.ts";
import { oneLine } from "./output.ts";

const LOOK_MS = 150;
const BATCH = 500;
const CLEAR_LINE = "\r\u001b[2K";

export interface Progress {
  /** Tells what is left and takes the bottom line away. */
  end(): Promise<void>;
}

export interface ProgressOptions {
  /** Every event as JSON on stdout, in place of words on stderr. */
  jsonl: boolean;
  quiet: boolean;
  /** Told of each event, after its line. */
  narrate?: (event: RunEvent) => void;
}

/** A terminal that went away is no reason to stop: what cannot be written is not written. */
export async function followRun(works: Works, options: ProgressOptions): Promise<Progress> {
  const { journal } = works.store;
  let place = await journal.latest();
  // The bottom line comes with the first event: until then somebody may be asked something there.
  let footerAt = place;
  let refused = "";
  process.stderr.on("error", () => undefined);
  const sticky = !options.jsonl && !options.quiet && process.stderr.isTTY;
  const look = async (): Promise<void> => {
    for (;;) {
      const events = await journal.read(place, BATCH, works.runId);
      for (const event of events) {
        // Of all gates that send one work back, the first says enough.
        const again = event.kind === "gate_verdict_recorded" && event.blocks && refused === refusalOf(event);
        if (event.kind === "gate_verdict_recorded" && event.blocks) refused = refusalOf(event);
        show(event, options, sticky && !again ? CLEAR_LINE : "", again);
      }
      place = events.at(-1)?.seq ?? place;
      if (events.length < BATCH) break;
    }
    if (!sticky || place === footerAt) return;
    footerAt = place;
    const footer = footerLine(await statusIn(works.store)).slice(0, process.stderr.columns - 1);
    write(`${CLEAR_LINE}${footer}`);
  };
  let looking = Promise.resolve();
  const again = (): void => void (looking = looking.then(look).catch(() => undefined));
  const timer = setInterval(again, sticky ? LOOK_MS * 4 : LOOK_MS);
  return {
    async end() {
      clearInterval(timer);
      again();
      await looking;
      if (sticky) write(CLEAR_LINE);
    },
  };
}

/** One look at one work. */
function refusalOf({ module, during, at }: Extract<RunEvent, { kind: "gate_verdict_recorded" }>): string {
  return `${module} ${during} ${at}`;
}

function show(event: RunEvent, options: ProgressOptions, before: string, again: boolean): void {
  const { jsonl, quiet, narrate } = options;
  if (jsonl) process.stdout.write(`${JSON.stringify(event)}\n`);
  const line = jsonl || quiet || again ? undefined : progressLine(event);
  if (line !== undefined) write(`${before}${oneLine(line)}\n`);
  narrate?.(event);
}

function write(text: string): void {
  if (process.stderr.writable) process.stderr.write(text);
}
