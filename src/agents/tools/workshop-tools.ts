// Building and testing: what runs the agent's code is handed in and runs it in the harness's sandbox.
import { z } from "zod";
import type { AgentTool } from "../port.ts";
import { defineTool } from "./define-tool.ts";

export interface TestSelection {
  /** Paths of test files; empty for all. */
  files: readonly string[];
  /** Only tests whose names hold this text. */
  name: string | undefined;
}

/** Each gives the report as the agent reads it; that code is broken is a report, not an error. */
export interface WorkshopFunctions {
  runTests: (selection: TestSelection, signal: AbortSignal) => Promise<string>;
  build: (signal: AbortSignal) => Promise<string>;
}

const MAX_FILES = 100;

export function runTestsTool({ runTests }: Pick<WorkshopFunctions, "runTests">): AgentTool {
  return defineTool({
    name: "run_tests",
    description:
      "Runs the tests in the harness's sandbox and gives every failure with its message. Without files all tests run. Use " +
      "it after each change, with the files it concerns; before you answer, run all of them once. What it says is what " +
      "counts: do not claim a result that you have not seen here.",
    input: z.strictObject({
      files: z
        .array(z.string().min(1).max(4096))
        .max(MAX_FILES)
        .default([])
        .describe("Test files, for example /test/slug.test.ts."),
      name: z.string().min(1).max(1000).optional().describe("Only tests whose names hold this text."),
    }),
    narrow: "run fewer files",
    run: async ({ files, name }, signal) =>
      said(await runTests({ files, name }, signal), "The test run reported nothing. That is not a pass."),
  });
}

export function buildTool({ build }: Pick<WorkshopFunctions, "build">): AgentTool {
  return defineTool({
    name: "build",
    description:
      "Compiles the module in the harness's sandbox and gives every error with its place. Use it before run_tests when " +
      "types or signatures changed.",
    input: z.strictObject({}),
    narrow: "repair the first errors; the others often follow from them",
    run: async (_, signal) => said(await build(signal), "The build reported nothing. That is not a success."),
  });
}

/** An empty report must never look like a good one. */
function said(report: string, nothing: string): string {
  return report.trim() === "" ? nothing : report;
}
