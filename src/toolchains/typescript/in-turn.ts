// Work that blocks this process is done piece by piece: between two pieces commands are started, fed and listened to.
import { setImmediate as nextTurn } from "node:timers/promises";

/** `first` is what a command waits for: it can run beside everything that is done here afterwards. */
export type Urgency = "first" | "later";

const waiting: Record<Urgency, (() => Promise<void>)[]> = { first: [], later: [] };
let isBusy = false;

/** In the order in which it was asked for, one at a time; what fails holds up nothing. */
export function inTurn<T>(work: () => T | Promise<T>, urgency: Urgency = "later"): Promise<T> {
  return new Promise((resolve, reject) => {
    waiting[urgency].push(async () => {
      try {
        resolve(await work());
      } catch (error) {
        reject(error);
      }
    });
    if (!isBusy) void workOff();
  });
}

async function workOff(): Promise<void> {
  isBusy = true;
  for (;;) {
    await nextTurn();
    const next = waiting.first.shift() ?? waiting.later.shift();
    if (next === undefined) break;
    await next();
  }
  isBusy = false;
}
