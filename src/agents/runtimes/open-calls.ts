// The calls of one runtime that are under way, so that closing it ends them all and waits for them.
import type { RuntimeAnswer, RuntimeRequest, TranscriptEntry } from "../port.ts";

export type Bare<Answer> = Answer extends unknown ? Omit<Answer, "usage" | "costUsd" | "transcript"> : never;

export const NOTHING_SPENT = { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 } as const;
export const UNKNOWN_SPENT = { usage: "unknown", costUsd: "unknown" } as const;

export interface OpenCalls {
  run(request: RuntimeRequest, call: (signal: AbortSignal) => Promise<RuntimeAnswer>): Promise<RuntimeAnswer>;
  close(): Promise<void>;
}

export function openCalls(): OpenCalls {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    async run(request, call) {
      const own = new AbortController();
      const stop = (): void => own.abort();
      const signals = [request.signal, closing.signal];
      if (signals.some(({ aborted }) => aborted))
        return { kind: "aborted", ...NOTHING_SPENT, transcript: [] };
      for (const signal of signals) signal.addEventListener("abort", stop, { once: true });
      const answer = call(own.signal);
      running.add(answer);
      try {
        return await answer;
      } finally {
        running.delete(answer);
        for (const signal of signals) signal.removeEventListener("abort", stop);
      }
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}

/** How every transcript begins. */
export function opening({ system, prompt }: RuntimeRequest): TranscriptEntry[] {
  return [
    { kind: "system", text: system },
    { kind: "prompt", text: prompt },
  ];
}

/** `provider:model` as an agent that knows one provider wants it. */
export function modelName(model: string): string {
  return model.replace(/^[^:]*:/, "");
}
