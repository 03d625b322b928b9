// Work that blocks this process is done piece by piece: between two pieces commands are started, fed and listened to.
import { setImmediate as nextTurn } from "node:timers/promises";

let last: Promise<unknown> = Promise.resolve();

/** In the order in which it was asked for; what fails holds up nothing. */
export function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
  const done = last.then(() => nextTurn()).then(work);
  last = done.catch(() => undefined);
  return done;
}
