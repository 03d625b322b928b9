// Waiting that ends early and leaves nothing behind, however often it is done with one signal.
import { setTimeout as sleep } from "node:timers/promises";

/** Ends early when the signal is aborted or one of these has ended. */
export async function pause(
  ms: number,
  signal: AbortSignal,
  until: readonly Promise<void>[] = [],
): Promise<void> {
  const controller = new AbortController();
  const wake = (): void => controller.abort();
  signal.addEventListener("abort", wake, { once: true });
  if (signal.aborted) wake();
  try {
    await Promise.race([sleep(ms, undefined, { signal: controller.signal }), ...until]);
  } catch (cause) {
    if (!controller.signal.aborted) throw cause;
  } finally {
    signal.removeEventListener("abort", wake);
    wake();
  }
}
