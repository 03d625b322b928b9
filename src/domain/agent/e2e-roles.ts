// What the architect is given when it writes end-to-end tests, and what it hands over: words, never results.
import { z } from "zod";
import { TaskCriterion } from "../evidence/e2e-criteria.ts";
import { NotShown } from "../evidence/e2e-suite.ts";
import { Text } from "../refs.ts";
import { DependencyView } from "./debate-roles.ts";

export const E2eModule = DependencyView.extend({
  /** As tests import it. */
  import_name: Text,
});
export type E2eModule = z.infer<typeof E2eModule>;

export const E2eArchitectInput = z.strictObject({
  phase: z.enum(["propose", "revise"]),
  criteria: z.array(TaskCriterion).min(1),
  modules: z.array(E2eModule).min(1),
  /** What a person said after earlier tests had come to nothing. */
  person_feedback: z.array(Text),
  /** Why the tests came back, in the words of the harness. */
  findings: z.array(Text),
  write_in: z.array(Text).min(1),
});
export type E2eArchitectInput = z.infer<typeof E2eArchitectInput>;

export const E2eArchitectOutput = z.strictObject({
  strategy: Text.describe("How the tests show the criteria from outside."),
  not_shown: z
    .array(NotShown)
    .describe("Criteria that no test can show from outside, each with the reason; a person reads them."),
});
export type E2eArchitectOutput = z.infer<typeof E2eArchitectOutput>;
