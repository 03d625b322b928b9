// One run of a runtime that ends: in time, or soon after it was told to stop; what it throws is an answer, too.
import { thrownText } from "../domain/thrown.ts";
import type { Runtime, RuntimeAnswer, RuntimeRequest } from "./port.ts";

/** How long a runtime has to end after it was told to. */
export const GRACE_MS = 1000;
const LONGEST_WHY = 10_000;
const UNKNOWN = { usage: "unknown", costUsd: "unknown", transcript: [] } as const;

export type GuardedAnswer =
  | RuntimeAnswer
  | (Pick<RuntimeAnswer, "usage" | "costUsd" | "transcript"> & { kind: "timed-out"; afterMs: number });

export async function runGuarded(runtime: Runtime, request: RuntimeRequest): Promise<GuardedAnswer> {
  const { timeoutMs } = request.limits;
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  let late = false;
  let grace: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, timeoutMs);
  request.signal.addEventListener("abort", stop, { once: true });
  if (request.signal.aborted) stop();

  const abandoned = new Promise<RuntimeAnswer>((resolve) => {
    const giveUp = (): void => {
      grace = setTimeout(() => resolve({ kind: "aborted", ...UNKNOWN }), GRACE_MS);
    };
    if (controller.signal.aborted) giveUp();
    else controller.signal.addEventListener("abort", giveUp, { once: true });
  });
  try {
    const answer = await Promise.race([
      settled(runtime, { ...request, signal: controller.signal }),
      abandoned,
    ]);
    // An answer that came is an answer, however late; everything else of a late run is the lateness.
    if (!late || answer.kind === "answered") return answer;
    const { usage, costUsd, transcript } = answer;
    return { kind: "timed-out", afterMs: timeoutMs, usage, costUsd, transcript };
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    request.signal.removeEventListener("abort", stop);
  }
}

async function settled(runtime: Runtime, request: RuntimeRequest): Promise<RuntimeAnswer> {
  try {
    return await runtime.run(request);
  } catch (error) {
    const why = thrownText(error, LONGEST_WHY);
    const hint = error instanceof Error && "hint" in error ? error.hint : undefined;
    return { kind: "failed", why, ...(typeof hint === "string" ? { hint } : {}), ...UNKNOWN };
  }
}
