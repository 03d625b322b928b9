// Tells how a call of foreign code ended, as text that can be compared.
import { type Known, Opaque, picture } from "./picture.ts";

export type CallOutcome = { kind: "gave"; value: unknown; text: string } | { kind: "threw"; text: string };

const later = setTimeout;
const stop = clearTimeout;
const LONGEST_CALL_MS = 250;

export async function outcomeOf(call: () => unknown, known: Known): Promise<CallOutcome> {
  try {
    const result = call();
    if (!isThenable(result))
      return { kind: "gave", value: result, text: `returned ${picture(result, known)}` };
    const value = await within(result);
    return { kind: "gave", value, text: `fulfilled with ${picture(value, known)}` };
  } catch (error) {
    if (error instanceof Opaque) throw error;
    return { kind: "threw", text: `threw ${picture(error, known)}` };
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** What does not settle is the same for all, unless only one of them does not. */
function within(promise: PromiseLike<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = later(() => resolve("<does not settle>"), LONGEST_CALL_MS);
    const settled = (settle: () => void) => {
      stop(timer);
      settle();
    };
    promise.then(
      (value) => settled(() => resolve(value)),
      (error: unknown) => settled(() => reject(error)),
    );
  });
}
