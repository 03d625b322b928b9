// What an integration gate of a release says: held to the first law like any other gate.
import { z } from "zod";
import { judge } from "../evidence/gate-verdict.ts";
import type { PlantedDefect } from "../evidence/gate-verdict.ts";
import { ModuleRef, Text } from "../refs.ts";

export const IntegrationGate = z.enum([
  "dependency_check",
  "fingerprint_check",
  "deprecation_check",
  "code_index_check",
  "e2e_check",
]);
export type IntegrationGate = z.infer<typeof IntegrationGate>;

export const Violation = z.strictObject({
  /** Null where the product as a whole is meant. */
  module_ref: ModuleRef.nullable(),
  /** What it refers to: modules, files, tasks. */
  references: z.array(Text),
  explanation: Text,
  /** What to type next. */
  next: Text,
});
export type Violation = z.infer<typeof Violation>;

const report = { gate: IntegrationGate, summary: Text, durationMs: z.number().nonnegative() };

export const IntegrationVerdict = z.discriminatedUnion("result", [
  z.strictObject({
    result: z.literal("PASS"),
    ...report,
    denominator: z.int().positive(),
    /** A defect that the same gate refused in the same run. */
    planted: Text,
    violations: z.array(Violation).max(0),
  }),
  z.strictObject({
    result: z.literal("FAIL"),
    ...report,
    denominator: z.int().nonnegative(),
    violations: z.array(Violation).min(1),
  }),
]);
export type IntegrationVerdict = z.infer<typeof IntegrationVerdict>;

/** What a gate saw, before anyone decided what it means. */
export interface IntegrationOutcome {
  gate: IntegrationGate;
  summary: string;
  looked: number;
  violations: Violation[];
  planted?: Pick<PlantedDefect, "planted" | "refused">;
  durationMs: number;
}

/** Whatever `judge` does not call a PASS blocks a release, also a gate that looked at nothing. */
export function judgeIntegration(outcome: IntegrationOutcome): IntegrationVerdict {
  const { gate, summary, looked, violations, planted, durationMs } = outcome;
  const verdict = judge({
    gate: gate === "e2e_check" ? "e2e" : "integration",
    looked,
    findings: violations.map(({ explanation }) => ({ rule: gate, message: explanation })),
    liveness: planted === undefined ? undefined : { ...planted, how: "this-run" },
    evidence: [],
    durationMs,
    costUsd: 0,
  });
  const shared = { gate, summary, durationMs };
  if (verdict.verdict === "PASS") {
    const { denominator, liveness } = verdict;
    return { result: "PASS", ...shared, denominator, planted: liveness.planted, violations: [] };
  }
  const doubt = verdict.verdict === "ERROR" ? [doubtful(gate, looked, planted)] : [];
  return {
    result: "FAIL",
    ...shared,
    denominator: verdict.denominator,
    violations: [...violations, ...doubt],
  };
}

function doubtful(gate: IntegrationGate, looked: number, planted: IntegrationOutcome["planted"]): Violation {
  const why =
    looked < 1
      ? `${gate} looked at nothing, which is not a pass`
      : `${gate} could not show that it can say no: ${
          planted === undefined ? "no defect was planted" : `it let ${planted.planted} pass`
        }`;
  return { module_ref: null, references: [], explanation: why, next: NEXT[gate] };
}

const NEXT: Readonly<Record<IntegrationGate, string>> = {
  dependency_check: "cupel store ls modules",
  fingerprint_check: "cupel store fsck",
  deprecation_check: "cupel store ls modules",
  code_index_check: "cupel index reindex",
  e2e_check: 'look at the script "test" of package.json: it must run the tests of every module',
};
