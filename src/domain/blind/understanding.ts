// What a fix loop has learned: which failures came back, which fixes were tried, and whether it gets closer to the end.
import { z } from "zod";
import {
  FailurePattern,
  type FailureType,
  mergePatterns,
  stuckPatterns,
} from "../evidence/structured-failure.ts";
import { Fingerprint, Text } from "../refs.ts";

export const FixType = z.enum([
  "EdgeCaseFix",
  "LogicFix",
  "TypeFix",
  "BoundaryFix",
  "InitializationFix",
  "OtherFix",
]);
export type FixType = z.infer<typeof FixType>;

export const FixApplied = z.strictObject({
  function: Text,
  whatChanged: Text,
  whyFailed: Text,
  fixType: FixType,
});
export type FixApplied = z.infer<typeof FixApplied>;

/** A fix with the code it led to, as a hash: the same code again is the same fix, whatever it is called. */
export const FixTried = FixApplied.extend({ code: Text });
export type FixTried = z.infer<typeof FixTried>;

/** One run of the tests, reduced to what can be compared. */
const FailedRun = z.strictObject({
  signatures: z.array(Fingerprint),
  depth: z.int().min(0),
});

export const Understanding = z.strictObject({
  patterns: z.array(FailurePattern),
  tried: z.array(FixTried),
  learnings: z.array(Text),
  runs: z.array(FailedRun),
  converging: z.boolean(),
});
export type Understanding = z.infer<typeof Understanding>;

export function nothingUnderstood(): Understanding {
  return { patterns: [], tried: [], learnings: [], runs: [], converging: true };
}

/** How far a test came before it failed: what cannot be loaded knows less than what compares values. */
const DEPTH: Readonly<Record<FailureType, number>> = {
  ParseError: 0,
  StubHit: 1,
  Timeout: 2,
  ExceptionThrown: 3,
  PropertyFailed: 4,
};

type Run = z.infer<typeof FailedRun>;
type Step = "fewer" | "deeper" | "different" | "same" | "worse";

/** Takes in the failures of one run; what was learned from the fix before it follows from the comparison. */
export function learn(before: Understanding, failures: readonly FailurePattern[]): Understanding {
  const run = runOf(failures);
  const last = before.runs.at(-1);
  const runs = [...before.runs, run];
  return {
    ...before,
    patterns: mergePatterns(before.patterns, failures),
    learnings: last === undefined ? before.learnings : [...before.learnings, lesson(before, last, run)],
    runs,
    converging: isConverging(runs),
  };
}

export function tried(before: Understanding, fixes: readonly FixTried[]): Understanding {
  return { ...before, tried: [...before.tried, ...fixes] };
}

export function noted(before: Understanding, learning: string): Understanding {
  return { ...before, learnings: [...before.learnings, learning] };
}

/** The fix that was tried before and led to this very code, if there is one. */
export function repeatedFix(
  { tried }: Understanding,
  fixes: readonly Pick<FixTried, "function" | "code">[],
): FixTried | undefined {
  return tried.find((old) =>
    fixes.some((fix) => fix.function === old.function && fix.code !== "" && fix.code === old.code),
  );
}

export function stuckOn({ patterns }: Understanding): FailurePattern[] {
  return stuckPatterns(patterns);
}

export function stepBetween(before: Run, now: Run): Step {
  if (now.signatures.length < before.signatures.length) return "fewer";
  if (now.depth > before.depth) return "deeper";
  if (now.signatures.length > before.signatures.length) return "worse";
  const gone = before.signatures.some((signature) => !now.signatures.includes(signature));
  return gone ? "different" : "same";
}

/** Two steps in a row that led nowhere, one of them backwards; or failures that had gone and are all back. */
function isConverging(runs: readonly Run[]): boolean {
  const now = runs.at(-1);
  const [first, second] = runs.slice(-3).flatMap((run, index, last) => {
    const next = last[index + 1];
    return next === undefined ? [] : [stepBetween(run, next)];
  });
  if (now === undefined || first === undefined || second === undefined) return true;
  if (isLost(first) && isLost(second) && (first === "worse" || second === "worse")) return false;
  const earlier = runs.slice(0, -2).some((run) => sameFailures(run, now));
  const between = runs.at(-2);
  return !(earlier && between !== undefined && !sameFailures(between, now));
}

function isLost(step: Step): boolean {
  return step === "same" || step === "worse";
}

function sameFailures(a: Run, b: Run): boolean {
  return (
    a.signatures.length === b.signatures.length &&
    a.signatures.every((signature) => b.signatures.includes(signature))
  );
}

function runOf(failures: readonly FailurePattern[]): Run {
  return {
    signatures: [...new Set(failures.map(({ signature }) => signature))].toSorted(),
    // The one that came least far holds back all that lies behind it.
    depth: Math.min(...failures.map(({ category }) => DEPTH[category])),
  };
}

function lesson({ tried }: Understanding, last: Run, now: Run): string {
  const fix = tried.at(-1);
  const what =
    fix === undefined ? "The last attempt" : `${fix.fixType} in ${fix.function} (${fix.whatChanged})`;
  const counts = `${last.signatures.length} failures before, ${now.signatures.length} after`;
  const words: Readonly<Record<Step, string>> = {
    fewer: "helped",
    deeper: "let tests come further",
    different: "exchanged failures for others",
    same: "changed nothing about the failures",
    worse: "made it worse",
  };
  return `${what} ${words[stepBetween(last, now)]}: ${counts}.`;
}
