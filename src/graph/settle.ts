// Waits at the end of a graph for the advice that was asked for on the way.
import type { Advice, Advisories } from "./port.ts";

/** Undefined when nobody waits any longer. */
export async function settle(
  advisories: Advisories | undefined,
  thread: string,
  signal: AbortSignal,
): Promise<readonly Advice[] | undefined> {
  if (advisories === undefined) return [];
  if (signal.aborted) return undefined;
  const stopped = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([advisories.settle(thread, signal), stopped]);
}
