import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parse, renderProblem } from "../parse.ts";
import { RegressionSuite, regressions } from "./regression-suite.ts";
import type { TestResult } from "./test-result.ts";

const passed: TestResult = {
  name: "adds",
  file: "test/a.test.ts",
  layer: "unit",
  outcome: "passed",
  durationMs: 1,
  retries: 0,
};
const other: TestResult = { ...passed, name: "adds zero" };
const suite: RegressionSuite = {
  module: "MM-000001@1.0.0",
  lock: "a".repeat(64),
  testFiles: [{ path: "test/a.test.ts", content: `sha256:${"b".repeat(64)}` }],
  baselineCoverage: { lines: { covered: 9, total: 10 }, branches: { covered: 0, total: 0 } },
  baselineResults: [passed, other],
  createdAt: "2026-01-01T00:00:00Z",
};

describe("regressions", () => {
  test.each<[string, TestResult[], [string, string][]]>([
    ["nothing when all kept tests pass", [other, passed], []],
    [
      "nothing because of tests that are new",
      [passed, other, { ...passed, name: "new", outcome: "skipped" }],
      [],
    ],
    [
      "every test when none ran",
      [],
      [
        ["adds", "missing"],
        ["adds zero", "missing"],
      ],
    ],
    ["a test that is skipped now", [passed, { ...other, outcome: "skipped" }], [["adds zero", "skipped"]]],
    ["a test that fails now", [{ ...passed, outcome: "failed" }, other], [["adds", "failed"]]],
    ["a test that moved to another file", [{ ...passed, file: "b.test.ts" }, other], [["adds", "missing"]]],
    [
      "a test that fails once among equals",
      [passed, { ...passed, outcome: "timeout" }, other],
      [["adds", "timeout"]],
    ],
  ])("are %s", (_, results, lost) => {
    expect(regressions(suite, { results }).map(({ name, now }) => [name, now])).toEqual(lost);
  });
});

describe("a suite is refused", () => {
  test.each<[string, object, string]>([
    [
      "with a test that was skipped",
      { baselineResults: [{ ...passed, outcome: "skipped" }] },
      "$.baselineResults[0].outcome: expected a test that passed at the first try, found skipped after 0 retries",
    ],
    [
      "with a test that was retried",
      { baselineResults: [{ ...passed, retries: 1 }] },
      "$.baselineResults[0].outcome: expected a test that passed at the first try, found passed after 1 retries",
    ],
    [
      "with a result from elsewhere",
      { baselineResults: [passed, { ...passed, file: "b.ts" }] },
      '$.baselineResults[1].file: expected one of the suite\'s files, found "b.ts"',
    ],
    [
      "with a file that holds no test",
      { testFiles: [...suite.testFiles, { ...suite.testFiles[0], path: "empty.ts" }] },
      '$.testFiles[1].path: expected a file with a test in it, found "empty.ts"',
    ],
    [
      "with a file twice",
      { testFiles: [...suite.testFiles, ...suite.testFiles] },
      '$.testFiles[1].path: expected each file once, found "test/a.test.ts" again',
    ],
    [
      "without a time",
      { createdAt: "yesterday" },
      '$.createdAt: expected a valid datetime, found "yesterday"',
    ],
  ])("%s", (_, change, line) => {
    const parsed = parse(RegressionSuite, { ...suite, ...change });
    expect(parsed.kind === "invalid" && parsed.problems.map(renderProblem)).toEqual([line]);
  });

  test("of no exact version", () => {
    expect(parse(RegressionSuite, { ...suite, module: "MM-000001" })).toMatchObject({
      problems: [{ path: "$.module", found: '"MM-000001"' }],
    });
  });

  test("without files and results", () => {
    const parsed = parse(RegressionSuite, { ...suite, testFiles: [], baselineResults: [] });
    expect(parsed.kind === "invalid" && parsed.problems.map(renderProblem)).toEqual([
      "$.testFiles: expected at least 1 entry, found []",
      "$.baselineResults: expected at least 1 entry, found []",
    ]);
  });

  test("and accepted when it is whole", () => {
    expect(parse(RegressionSuite, suite)).toEqual({ kind: "ok", value: suite });
  });
});

test.each([["RegressionSuite", RegressionSuite]])(
  "%s converts to JSON Schema and holds no open object",
  (_, schema) => {
    const json = JSON.stringify(z.toJSONSchema(schema, { io: "input" }));
    expect(json.match(/"type":"object"/g)?.length).toBe(json.match(/"additionalProperties":false/g)?.length);
  },
);
