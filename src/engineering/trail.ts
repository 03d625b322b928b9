// What is added to the trails of a task so that adding it again after a crash changes nothing.
import { z } from "zod";
import type { Contribution } from "../domain/artifact/contribution.ts";
import { canonicalJson, dropUndefined } from "../domain/canonical.ts";
import type { NodeContext } from "../graph/port.ts";
import type { UnnumberedEvent } from "../store/port.ts";
import type { EngineeringPorts } from "./port.ts";

type Unplaced<Event> = Event extends unknown ? Omit<Event, "at" | "runId"> : never;
export type TaskEvent = Unplaced<UnnumberedEvent>;

/** Where the journal stood before is kept first, so that what has arrived since, in whichever run, is not told twice. */
export async function tellOnce(
  { store, fence, runId, now }: Pick<EngineeringPorts, "store" | "fence" | "runId" | "now">,
  context: NodeContext,
  name: string,
  events: readonly TaskEvent[],
): Promise<void> {
  const before = await context.once(`${name}:journal`, z.int(), () => store.journal.latest());
  const told = new Set<string>();
  for (let place = before; ;) {
    const page = await store.journal.read(place, PAGE);
    for (const event of page) told.add(contentOf(event));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    place = last.seq;
  }
  const at = now().toISOString();
  const missing = events.filter((event) => !told.has(contentOf(event)));
  if (missing.length > 0) {
    await store.journal.append(
      fence,
      missing.map((event) => ({ ...event, at, runId })),
    );
  }
}

const PAGE = 1000;

/** Whatever the journal and the clock give it is no part of what happened. */
function contentOf(event: TaskEvent): string {
  return canonicalJson(dropUndefined({ ...event, seq: undefined, at: undefined, runId: undefined }));
}

/** One for each invocation of a role: its id is that of the pack, which no other invocation has. */
export function contributionOf(
  pack: string,
  contribution: Omit<Contribution, "contribution_id" | "context_pack_ref">,
): Contribution {
  return { ...contribution, contribution_id: `CONTRIB-${pack.slice("CP-".length)}`, context_pack_ref: pack };
}
