// One attempt at a node: it ends well, throws, runs out of time, or is stopped; whichever comes first counts.

/** The longest time a timer can wait for; more would fire at once. */
export const LONGEST_MS = 2_147_483_647;

export type AttemptEnding<T> =
  | { kind: "ended"; result: T }
  | { kind: "threw"; cause: unknown }
  | { kind: "timed-out" }
  | { kind: "stopped" };

export interface AttemptLimits {
  timeoutMs: number;
  /** After its signal the node may still bring what it has; it was paid for. Then nobody waits any longer. */
  graceMs: number;
}

/** Stops one attempt; the run calls it for all that are under way. */
export type Stop = () => void;

export async function attemptNode<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, graceMs }: AttemptLimits,
  underWay: Set<Stop>,
): Promise<AttemptEnding<T>> {
  // One controller for each attempt: a signal that many share never forgets its listeners.
  const controller = new AbortController();
  let cut: "timed-out" | "stopped" | undefined;
  let grace: ReturnType<typeof setTimeout> | undefined;
  let giveUp: (() => void) | undefined;
  const givenUp = new Promise<"given up">((resolve) => (giveUp = () => resolve("given up")));
  const end = (why: "timed-out" | "stopped", reason: string): void => {
    if (cut !== undefined) return;
    cut = why;
    grace = setTimeout(() => giveUp?.(), graceMs);
    controller.abort(new Error(reason));
  };
  const stop: Stop = () => end("stopped", "the run was stopped");
  const timer = setTimeout(() => end("timed-out", `it took longer than ${timeoutMs} ms`), timeoutMs);
  underWay.add(stop);
  const ended = settle(work, controller.signal);
  try {
    const first = await Promise.race([ended, givenUp]);
    if (first !== "given up" && (first.kind === "ended" || cut === undefined)) return first;
    return { kind: cut ?? "stopped" };
  } finally {
    underWay.delete(stop);
    clearTimeout(timer);
    clearTimeout(grace);
  }
}

async function settle<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<{ kind: "ended"; result: T } | { kind: "threw"; cause: unknown }> {
  try {
    return { kind: "ended", result: await work(signal) };
  } catch (cause) {
    return { kind: "threw", cause };
  }
}
