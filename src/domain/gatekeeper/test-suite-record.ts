// The record of a test suite: what each layer showed, how much of the code it reaches, and how the work stood with it.
import { z } from "zod";
import { CoveredCount } from "../evidence/coverage.ts";
import { TestLayer } from "../evidence/test-layer.ts";
import { ModuleId, ModuleRef, TaskId, Text } from "../refs.ts";
import { RevisionFeedback } from "./revision-feedback.ts";
import { TesterVerdict } from "./tester-verdict.ts";
import { WorkGraph } from "./work-graph.ts";

/** What the harness saw of a suite, layer by layer; of a layer that nothing was seen of there is no entry. */
export const LayeredResults = z.strictObject({
  layers: z.array(
    z.strictObject({ layer: TestLayer, passed: z.int().nonnegative(), failed: z.int().nonnegative() }),
  ),
  coverage: z
    .strictObject({
      lines: CoveredCount,
      branches: CoveredCount,
      uncovered: z.array(z.strictObject({ file: Text, lines: z.array(z.int().min(1)) })),
    })
    .nullable(),
});
export type LayeredResults = z.infer<typeof LayeredResults>;

export const TestSuiteRecord = z.strictObject({
  task: TaskId,
  module: ModuleId,
  shipped: ModuleRef.nullable(),
  /** The decision that a person is asked for. */
  halted: Text.nullable(),
  /** By rule, from results; null where nothing was tested. */
  verdict: TesterVerdict.nullable(),
  /** What the tester thought it would be; kept beside the verdict, and of no weight. */
  expected: TesterVerdict.nullable(),
  results: LayeredResults.nullable(),
  failures: z.array(RevisionFeedback),
  /** Why tests went back to their author, in the order in which it happened. */
  weaknesses: z.array(Text),
  attempts: z.strictObject({ builder: z.int().nonnegative(), tester: z.int().nonnegative() }),
  graph: WorkGraph,
});
export type TestSuiteRecord = z.infer<typeof TestSuiteRecord>;
