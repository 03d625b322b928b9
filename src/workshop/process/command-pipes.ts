// The pipes between the harness and a command: what is read from them, and when to stop waiting for more.
import { Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { Readable, Writable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { capture } from "./capture.ts";
import { endTree, leftoversOf } from "./process-tree.ts";
import type { Tree } from "./process-tree.ts";

const STATUS_LIMIT = 10_000;
/** How long an output may stay open after the command ended before somebody is suspected of holding it. */
const CLOSE_MS = 50;
/** How long an output that nobody could be made to close must be silent to be left. */
const SILENCE_MS = 250;
/** And how long one is listened to that never is. */
const PATIENCE_MS = 2000;

/** The part of a child process that this file knows; it lacks what could not be opened. */
interface Piped {
  stdout: Readable | null;
  stderr: Readable | null;
  stdio?: readonly (Readable | Writable | null | undefined)[];
}

/** A process that left the tree may hold an output open for ever; then what came until now is all. */
export async function outputsClosed(closed: Promise<void>, child: Piped, tree: Tree): Promise<void> {
  if (await isSoon(closed, CLOSE_MS)) return;
  await endTree(leftoversOf(tree));
  const deadline = Date.now() + PATIENCE_MS;
  for (let before = -1; before !== bytesRead(child) && Date.now() < deadline;) {
    before = bytesRead(child);
    if (await isSoon(closed, SILENCE_MS)) return;
    // What waits in the pipes is read before this resumes, however long the harness was busy.
    await nextTurn();
  }
}

async function isSoon(event: Promise<void>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  // However long the harness was busy, what has happened meanwhile comes first.
  const late = sleep(ms, undefined, { signal: timer.signal }).then(
    async () => nextTurn(false),
    () => false,
  );
  const soon = await Promise.race([event.then(() => true), late]);
  timer.abort();
  return soon;
}

function bytesRead(child: Piped): number {
  return [child.stdout, child.stderr].reduce(
    (sum, pipe) => sum + (pipe instanceof Socket ? pipe.bytesRead : 0),
    0,
  );
}

export function statusOf(child: Piped, wired: boolean): () => string {
  const pipe = wired ? child.stdio?.[3] : undefined;
  if (!(pipe instanceof Socket)) return () => "";
  const status = capture(pipe, STATUS_LIMIT, false);
  return () => status.text();
}

/** In the place of an output that never was. */
export function silence(): Readable {
  return new PassThrough().end();
}

/** Lets the harness exit although these pipes are open. */
export function unrefPipes(child: Piped): void {
  for (const pipe of child.stdio ?? []) if (pipe instanceof Socket) pipe.unref();
}
