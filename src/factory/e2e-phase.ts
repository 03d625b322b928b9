// The phase between the tasks and the release: end-to-end tests of the whole, where the rigor asks for them.
import { makeSuite } from "../release/e2e/make-suite.ts";
import { E2E } from "./resolve-e2e.ts";
import { watched } from "./over-budget.ts";
import type { RunContext, RunStop } from "./run-phases.ts";

export async function e2ePhase({
  works,
  engineering,
  signal,
}: RunContext): Promise<{ kind: "tried" } | RunStop> {
  const { ports } = await engineering();
  const { graphs, config } = works;
  const { ask, budget } = watched(ports.ask);
  const drain = (): void => void graphs.drain();
  signal.addEventListener("abort", drain, { once: true });
  try {
    if (signal.aborted) return { kind: "stopped", why: "it was asked to stop" };
    const outcome = await makeSuite({ ...ports, ask, rigor: config.rigor });
    switch (outcome.kind) {
      case "not-due":
      case "accepted":
        return { kind: "tried" };
      case "halted":
        return { kind: "waiting", why: outcome.why, command: `cupel resolve ${E2E}` };
      case "stopped":
        return budget.over ? { kind: "over-budget", why: outcome.why } : outcome;
    }
  } finally {
    signal.removeEventListener("abort", drain);
  }
}
