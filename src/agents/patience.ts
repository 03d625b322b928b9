// How long to wait before asking again, and waiting that can be ended.

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

/** For races with work that may not listen; gives nothing. */
export function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
