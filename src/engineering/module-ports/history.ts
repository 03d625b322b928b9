// What the journal says of one thread and the module that it makes, for whoever bears witness.
import type { RunEvent } from "../../domain/run/run-event.ts";
import type { NodeContext } from "../../graph/port.ts";
import { moduleOf } from "../subject.ts";
import type { Desk } from "./desk.ts";

const PAGE = 1000;

export async function history(desk: Desk, { thread }: NodeContext): Promise<RunEvent[]> {
  const { journal } = desk.engineering.store;
  const events: RunEvent[] = [];
  for (let place = 0; ;) {
    const page = await journal.read(place, PAGE);
    events.push(...page.filter((event) => concerns(event, thread, desk)));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return events;
    place = last.seq;
  }
}

function concerns(event: RunEvent, thread: string, { engineering, subject }: Desk): boolean {
  if ("thread" in event) return event.thread === thread;
  if (event.runId !== engineering.runId || !("task" in event) || !("module" in event)) return false;
  const id = moduleOf(subject);
  return event.task === subject.task.task_id && (event.module === subject.module || event.module === id);
}
