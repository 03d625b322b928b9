// The tests a sealed module was shipped with, kept so that every later change must pass them too.
import { z } from "zod";
import { refuse } from "../parse.ts";
import { Fingerprint, IsoTime, ModuleRef, PayloadRef, Text } from "../refs.ts";
import { CoveredCount } from "./coverage.ts";
import { TestResult, type TestRun } from "./test-result.ts";

export const RegressionSuite = z
  .strictObject({
    module: ModuleRef,
    /** The whole contract the suite was written against. */
    lock: Fingerprint,
    testFiles: z.array(z.strictObject({ path: Text, content: PayloadRef })).min(1),
    baselineCoverage: z.strictObject({ lines: CoveredCount, branches: CoveredCount }),
    baselineResults: z.array(TestResult).min(1),
    createdAt: IsoTime,
  })
  .superRefine((suite, context) => {
    const paths = suite.testFiles.map((entry) => entry.path);
    paths.forEach((path, index) => {
      if (paths.indexOf(path) !== index)
        refuse(context, ["testFiles", index, "path"], "each file once", `"${path}" again`);
      if (!suite.baselineResults.some((result) => result.file === path))
        refuse(context, ["testFiles", index, "path"], "a file with a test in it", `"${path}"`);
    });
    suite.baselineResults.forEach((result, index) => {
      const place = ["baselineResults", index];
      if (!paths.includes(result.file))
        refuse(context, [...place, "file"], "one of the suite's files", `"${result.file}"`);
      if (result.outcome !== "passed" || result.retries > 0)
        refuse(
          context,
          [...place, "outcome"],
          "a test that passed at the first try",
          `${result.outcome} after ${result.retries} retries`,
        );
    });
  });
export type RegressionSuite = z.infer<typeof RegressionSuite>;

export interface Regression {
  file: string;
  name: string;
  now: TestResult["outcome"] | "missing";
}

/** Kept tests that no longer pass; one that no longer runs is as bad as one that fails. */
export function regressions(
  suite: { baselineResults: readonly Pick<TestResult, "file" | "name">[] },
  run: Pick<TestRun, "results">,
): Regression[] {
  return suite.baselineResults.flatMap(({ file, name }): Regression[] => {
    const now = run.results.filter((result) => result.file === file && result.name === name);
    if (now.length === 0) return [{ file, name, now: "missing" }];
    const worse = now.find((result) => result.outcome !== "passed");
    return worse === undefined ? [] : [{ file, name, now: worse.outcome }];
  });
}
