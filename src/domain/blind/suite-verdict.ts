// How well a suite notices mistakes, from real mutants; and what an adversary says about those that it did not notice.
import { z } from "zod";
import type { EvidenceReport } from "../debate/debate-records.ts";
import { isCritical, type Mutant, suiteVerdictOf, TestSuiteVerdict } from "../evidence/mutant.ts";
import { Text } from "../refs.ts";
import { PropertySketch } from "./function-spec.ts";

/** A survivor that the adversary calls a change of nothing. It stays counted: only the harness can show that. */
export const EquivalenceClaim = z.strictObject({ mutant: Text, reason: Text });
export type EquivalenceClaim = z.infer<typeof EquivalenceClaim>;

/** A survivor that is a real mistake, and the property that would have caught it. */
export const SuiteGap = z.strictObject({
  mutant: Text,
  function: Text,
  whyDangerous: Text,
  missingTest: Text,
  suggested: PropertySketch,
});
export type SuiteGap = z.infer<typeof SuiteGap>;

export const Survivor = z.strictObject({
  id: Text,
  where: Text,
  kind: Text,
  original: z.string(),
  replacement: z.string(),
  critical: z.boolean(),
});
export type Survivor = z.infer<typeof Survivor>;

export const MutationResult = z.strictObject({
  /** Null where no mutant counted. */
  verdict: TestSuiteVerdict.nullable(),
  survivors: z.array(Survivor),
  equivalent: z.array(EquivalenceClaim),
  gaps: z.array(SuiteGap),
  analysis: Text.nullable(),
});
export type MutationResult = z.infer<typeof MutationResult>;

const LONGEST = 200;

/** As agents and people are told of it. */
export function survivorOf(mutant: Mutant): Survivor {
  const { id, file, line, kind, original, replacement } = mutant;
  return {
    id,
    where: `${file}:${line}${mutant.function === undefined ? "" : ` in ${mutant.function}`}`,
    kind,
    original: original.slice(0, LONGEST),
    replacement: replacement.slice(0, LONGEST),
    critical: isCritical(mutant),
  };
}

export function mutationResult(
  survivors: readonly Mutant[],
  mutation: EvidenceReport["mutation"],
): MutationResult {
  const { killed } = mutation ?? {};
  return {
    verdict: killed === undefined ? null : suiteVerdictOf(killed.hit / killed.of),
    survivors: survivors.map(survivorOf),
    equivalent: [],
    gaps: [],
    analysis: null,
  };
}
