// Which nodes of a thread are done, running, failed or waiting, read from the journal.
import type { RunEvent } from "../domain/run/run-event.ts";

export type Paint = "done" | "running" | "failed" | "waiting";

/** `active` tells whether somebody runs the thread now: without, whatever had begun waits to be resumed. */
export function paintOf(
  events: Iterable<RunEvent>,
  thread: string,
  active: boolean,
): ReadonlyMap<string, Paint> {
  const paint = new Map<string, Paint>();
  for (const event of events) {
    const now = paintAfter(event, active);
    if (now !== undefined && "thread" in event && event.thread === thread) paint.set(event.node, now);
  }
  return paint;
}

function paintAfter(event: RunEvent, active: boolean): Paint | undefined {
  switch (event.kind) {
    case "node_started":
      return active ? "running" : "waiting";
    case "node_finished":
      return "done";
    case "node_failed":
      return "failed";
    case "node_retried":
      return "waiting";
    default:
      return undefined;
  }
}
