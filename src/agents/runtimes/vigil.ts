// Watches one call of an agent for silence and for being told to stop.
import { EventEmitter } from "node:events";

export interface Vigil {
  /** Something came from the agent: silence begins anew. */
  heard(): void;
  /** The agent said that it waits for so long; until then nothing is expected of it. */
  excuse(ms: number): void;
  /** While a tool of ours works, the agent has nothing to say. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** When the call has to end early, and why. */
  over: Promise<"silent" | "aborted">;
  close(): void;
}

/** An agent that does not come up is silent, too, but starting a program takes longer than a word of a running one. */
const START_MS = 60_000;

export function keepVigil(silenceMs: number, signal: AbortSignal, startMs = START_MS): Vigil {
  const endings = new EventEmitter();
  const over = new Promise<"silent" | "aborted">((resolve) => {
    endings.once("end", resolve);
  });
  let working = 0;
  let timer: NodeJS.Timeout | undefined;
  const expectWithin = (ms: number): void => {
    clearTimeout(timer);
    if (working === 0) timer = setTimeout(() => endings.emit("end", "silent"), Math.min(ms, 2 ** 31 - 1));
  };
  const abort = (): void => void endings.emit("end", "aborted");
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  expectWithin(Math.max(startMs, silenceMs));

  return {
    heard: () => expectWithin(silenceMs),
    excuse: (ms) => expectWithin(ms + silenceMs),
    async during(work) {
      working += 1;
      clearTimeout(timer);
      try {
        return await work();
      } finally {
        working -= 1;
        expectWithin(silenceMs);
      }
    },
    over,
    close() {
      working += 1;
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    },
  };
}
