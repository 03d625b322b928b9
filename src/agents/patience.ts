// How long to wait before asking again, and waiting that can be ended.
import { setMaxListeners } from "node:events";

export interface Patience {
  /** How often a runtime that is busy or not there is asked again. */
  tries: number;
  firstMs: number;
  mostMs: number;
}

export const PATIENCE: Patience = { tries: 6, firstMs: 1000, mostMs: 120_000 };

/** What a provider asks for is honoured up to the most we would wait; without a wish, full jitter under a doubling bound. */
export function waitMs(
  tried: number,
  retryAfterMs: number | undefined,
  random: () => number,
  { firstMs, mostMs }: Patience,
): number {
  if (retryAfterMs !== undefined && Number.isFinite(retryAfterMs) && retryAfterMs >= 0)
    return Math.min(retryAfterMs, mostMs);
  return Math.floor(random() * Math.min(mostMs, firstMs * 2 ** tried));
}

/** Ends early, without an error, when the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || ms <= 0) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}

/** What the work gives, or nothing as soon as the signal is aborted, for work that may not listen. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  // An agent may use a dozen tools at the same time, which is no leak.
  setMaxListeners(0, signal);
  let stop: (() => void) | undefined;
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    // A signal outlives much work, and would keep all of its listeners.
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}
