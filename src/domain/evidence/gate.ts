// Every gate by name: what it needs before it can look, and the defect it must refuse to show that it is alive.
import { z } from "zod";

/** In the order in which gates run and are reported. */
export const GateName = z.enum([
  "build",
  "red-on-skeleton",
  "green",
  "claims",
  "coverage",
  "contract-coverage",
  "layers",
  "examples",
  "mutation",
  "static",
  "surface",
  "tests-untouched",
  "effects",
  "tidy",
  "budget",
  "blindness",
  "integration",
  "regression",
  "e2e",
]);
export type GateName = z.infer<typeof GateName>;

/** `contract`: a locked contract; `claims`: an agent's statements about its own work; `base`: the commit to
 * compare with; `examples`: the text of examples.md; `earlier`: what earlier versions were
 * shipped with; `run`: a run of the factory with its sandbox, workspaces and transcripts. */
export const GateNeed = z.enum(["contract", "claims", "base", "examples", "earlier", "run"]);
export type GateNeed = z.infer<typeof GateNeed>;

export interface Gate {
  /** Beyond the code and its tests, which every gate needs. */
  needs: readonly GateNeed[];
  planted: string;
}

export const GATES: Readonly<Record<GateName, Gate>> = {
  build: { needs: [], planted: "a type error" },
  "red-on-skeleton": { needs: [], planted: "a test that passes on stubs" },
  green: { needs: [], planted: "an implementation that throws" },
  claims: { needs: ["claims"], planted: "a false claim" },
  coverage: { needs: [], planted: "an uncovered function" },
  "contract-coverage": { needs: ["contract"], planted: "a constraint without a test" },
  layers: { needs: [], planted: "a suite whose only test does nothing with the module" },
  examples: { needs: ["contract", "examples"], planted: "an output that is not what comes" },
  mutation: { needs: [], planted: "a mutant the suite must kill" },
  static: { needs: [], planted: "a forbidden import" },
  surface: { needs: ["contract"], planted: "a changed signature" },
  "tests-untouched": { needs: ["base"], planted: "a changed assertion" },
  effects: { needs: ["contract", "run"], planted: "an undeclared write" },
  tidy: { needs: [], planted: "an untested export" },
  budget: { needs: ["contract"], planted: "a quadratic implementation" },
  blindness: { needs: ["run"], planted: "a leaked canary" },
  integration: { needs: ["contract"], planted: "a broken dependency" },
  regression: { needs: ["earlier"], planted: "an implementation that throws" },
  e2e: { needs: ["run"], planted: "a broken dependency" },
};

/** What stands between a gate and its verdict; anything here makes it NOT_RUN. */
export function missingNeeds(gate: GateName, available: Iterable<GateNeed>): GateNeed[] {
  const here = new Set(available);
  return GATES[gate].needs.filter((need) => !here.has(need));
}
