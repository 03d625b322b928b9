// What a test runner reported, and whether that deserves to be called green.
import { z } from "zod";
import { refuse } from "../parse.ts";
import { Text } from "../refs.ts";
import { StructuredFailure } from "./structured-failure.ts";
import { TestLayer } from "./test-layer.ts";

export const TestOutcome = z.enum(["passed", "failed", "timeout", "skipped", "todo"]);
export type TestOutcome = z.infer<typeof TestOutcome>;

export const TestResult = z
  .strictObject({
    name: Text,
    file: Text,
    layer: TestLayer,
    outcome: TestOutcome,
    durationMs: z.number().min(0),
    failure: StructuredFailure.optional(),
    /** How often it was run again after its first try. */
    retries: z.int().min(0),
  })
  .superRefine((result, context) => {
    const mayFail = result.outcome === "failed" || result.outcome === "timeout";
    if (!mayFail && result.failure !== undefined)
      refuse(context, ["failure"], "no failure", `one on a test that ${result.outcome}`);
    if (result.outcome === "failed" && result.failure === undefined)
      refuse(context, ["failure"], "the failure of a failed test", "nothing");
  });
export type TestResult = z.infer<typeof TestResult>;

export const TestRun = z
  .strictObject({
    /** Every test file the runner was asked to run, whether or not it held a test. */
    files: z.array(Text),
    results: z.array(TestResult),
    /** Files that could not be loaded, so that their tests are unknown. */
    collectionErrors: z.array(z.strictObject({ file: Text, message: z.string() })),
    /** Errors that no test caught; a runner may count the tests around them as passed. */
    strayErrors: z.array(z.string()),
    /** Tests or blocks marked to run alone, which hides all others. */
    focused: z.array(Text),
    durationMs: z.number().min(0),
  })
  .superRefine((run, context) => {
    const files = new Set(run.files);
    run.results.forEach((result, index) => {
      if (!files.has(result.file))
        refuse(context, ["results", index, "file"], "one of the run's files", `"${result.file}"`);
    });
  });
export type TestRun = z.infer<typeof TestRun>;

export interface Tally extends Record<TestOutcome, number> {
  total: number;
  /** Passed, but not at the first try. */
  retriedIntoPassing: number;
  /** Layers with at least one test that passed. */
  layers: TestLayer[];
}

export function tally(run: Pick<TestRun, "results">): Tally {
  const count = (outcome: TestOutcome) => run.results.filter((result) => result.outcome === outcome).length;
  const passing = run.results.filter((result) => result.outcome === "passed");
  return {
    total: run.results.length,
    passed: passing.length,
    failed: count("failed"),
    timeout: count("timeout"),
    skipped: count("skipped"),
    todo: count("todo"),
    retriedIntoPassing: passing.filter((result) => result.retries > 0).length,
    layers: TestLayer.options.filter((layer) => passing.some((result) => result.layer === layer)),
  };
}

/** In the order in which they are reported. */
const REASONS = [
  "no-tests",
  "empty-file",
  "collection-error",
  "stray-error",
  "failed",
  "timeout",
  "skipped",
  "todo",
  "focused",
  "retried-into-passing",
] as const;
export type NotGreenReason = (typeof REASONS)[number];

export type Greenness =
  | { kind: "green"; passed: number }
  | { kind: "notGreen"; reasons: { reason: NotGreenReason; count: number }[] };

/** Green is what remains when there is no reason left against it. */
export function isGreen(run: TestRun): Greenness {
  const counts = tally(run);
  const filesWithTests = new Set(run.results.map((result) => result.file));
  const against: Record<NotGreenReason, number> = {
    "no-tests": counts.total === 0 ? 1 : 0,
    "empty-file": new Set(run.files.filter((file) => !filesWithTests.has(file))).size,
    "collection-error": run.collectionErrors.length,
    "stray-error": run.strayErrors.length,
    failed: counts.failed,
    timeout: counts.timeout,
    skipped: counts.skipped,
    todo: counts.todo,
    focused: run.focused.length,
    "retried-into-passing": counts.retriedIntoPassing,
  };
  const reasons = REASONS.filter((reason) => against[reason] > 0).map((reason) => ({
    reason,
    count: against[reason],
  }));
  return reasons.length === 0 ? { kind: "green", passed: counts.passed } : { kind: "notGreen", reasons };
}
