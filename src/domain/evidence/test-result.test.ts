import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parse, renderProblem } from "../parse.ts";
import type { StructuredFailure } from "./structured-failure.ts";
import { isGreen, tally, TestOutcome, TestResult, TestRun } from "./test-result.ts";

const failure: StructuredFailure = { propertyName: "adds", failureType: "ExceptionThrown", message: "boom" };
const passed: TestResult = {
  name: "adds",
  file: "test/add.test.ts",
  layer: "unit",
  outcome: "passed",
  durationMs: 3,
  retries: 0,
};
const run: TestRun = {
  files: ["test/add.test.ts"],
  results: [passed, { ...passed, name: "adds zero", layer: "property" }],
  collectionErrors: [],
  strayErrors: [],
  focused: [],
  durationMs: 20,
};

describe("isGreen", () => {
  test("says how many tests passed when nothing speaks against it", () => {
    expect(isGreen(run)).toEqual({ kind: "green", passed: 2 });
  });

  test.each<[string, Partial<TestRun>, [string, number][]]>([
    ["no test at all", { files: [], results: [] }, [["no-tests", 1]]],
    [
      "files without tests",
      { results: [] },
      [
        ["no-tests", 1],
        ["empty-file", 1],
      ],
    ],
    [
      "one empty file beside a full one",
      { files: [...run.files, "b.test.ts", "b.test.ts"] },
      [["empty-file", 1]],
    ],
    [
      "a file that did not load",
      { collectionErrors: [{ file: "b.test.ts", message: "" }] },
      [["collection-error", 1]],
    ],
    ["an error outside every test", { strayErrors: ["unhandled rejection"] }, [["stray-error", 1]]],
    ["a failed test", { results: [passed, { ...passed, outcome: "failed", failure }] }, [["failed", 1]]],
    [
      "a test that ran out of time",
      { results: [passed, { ...passed, outcome: "timeout" }] },
      [["timeout", 1]],
    ],
    ["a skipped test", { results: [passed, { ...passed, outcome: "skipped" }] }, [["skipped", 1]]],
    ["only skipped tests", { results: [{ ...passed, outcome: "skipped" }] }, [["skipped", 1]]],
    ["a test still to do", { results: [passed, { ...passed, outcome: "todo" }] }, [["todo", 1]]],
    ["a focused test", { focused: ["adds"] }, [["focused", 1]]],
    ["a test retried into passing", { results: [{ ...passed, retries: 1 }] }, [["retried-into-passing", 1]]],
    [
      "a retried failure, which counts once",
      { results: [{ ...passed, outcome: "failed", failure, retries: 2 }] },
      [["failed", 1]],
    ],
    [
      "everything at once",
      {
        focused: ["a", "b"],
        strayErrors: [""],
        results: [
          { ...passed, outcome: "todo" },
          { ...passed, retries: 3 },
        ],
      },
      [
        ["stray-error", 1],
        ["todo", 1],
        ["focused", 2],
        ["retried-into-passing", 1],
      ],
    ],
  ])("%s is not green", (_, change, reasons) => {
    expect(isGreen({ ...run, ...change })).toEqual({
      kind: "notGreen",
      reasons: reasons.map(([reason, count]) => ({ reason, count })),
    });
  });
});

test("tally counts each outcome once, and layers only where something passed", () => {
  const anyResult = fc.record({
    ...Object.fromEntries(Object.entries(passed).map(([key, value]) => [key, fc.constant(value)])),
    outcome: fc.constantFrom(...TestOutcome.options),
    layer: fc.constantFrom("unit" as const, "contract" as const),
    retries: fc.nat(2),
  });
  fc.assert(
    fc.property(fc.array(anyResult), (drawn) => {
      const results = drawn.map((result) => ({ ...passed, ...result }));
      const counts = tally({ results });
      for (const outcome of TestOutcome.options)
        expect(counts[outcome]).toBe(results.filter((result) => result.outcome === outcome).length);
      expect(counts.total).toBe(results.length);
      const good = results.filter((result) => result.outcome === "passed");
      expect(counts.retriedIntoPassing).toBe(good.filter((result) => result.retries !== 0).length);
      expect(new Set(counts.layers)).toEqual(new Set(good.map((result) => result.layer)));
    }),
  );
});

describe("a result is refused", () => {
  test.each<[string, object, string]>([
    [
      "failed without a failure",
      { outcome: "failed" },
      "$.failure: expected the failure of a failed test, found nothing",
    ],
    ["passed with a failure", { failure }, "$.failure: expected no failure, found one on a test that passed"],
    [
      "skipped with a failure",
      { outcome: "skipped", failure },
      "$.failure: expected no failure, found one on a test that skipped",
    ],
    ["with a negative number of retries", { retries: -1 }, "$.retries: expected at least 0, found -1"],
    ["with half a retry", { retries: 0.5 }, "$.retries: expected an int, found 0.5"],
    ["after less than no time", { durationMs: -1 }, "$.durationMs: expected at least 0, found -1"],
    ["without a name", { name: "" }, '$.name: expected at least 1 character, found ""'],
  ])("%s", (_, change, line) => {
    const parsed = parse(TestResult, { ...passed, ...change });
    expect(parsed.kind === "invalid" && parsed.problems.map(renderProblem)).toEqual([line]);
  });
});

test("a test that ran out of time may say how, and need not", () => {
  const late = { ...passed, outcome: "timeout" };
  expect(parse(TestResult, late).kind).toBe("ok");
  expect(parse(TestResult, { ...late, failure: { ...failure, failureType: "Timeout" } }).kind).toBe("ok");
});

test("a run takes time", () => {
  expect(parse(TestRun, { ...run, durationMs: -1 }).kind).toBe("invalid");
});

test("a run is refused when a result comes from a file it did not run", () => {
  const parsed = parse(TestRun, { ...run, results: [passed, { ...passed, file: "elsewhere.ts" }] });
  expect(parsed.kind === "invalid" && parsed.problems.map(renderProblem)).toEqual([
    '$.results[1].file: expected one of the run\'s files, found "elsewhere.ts"',
  ]);
  expect(parse(TestRun, run).kind).toBe("ok");
});

test.each([["TestRun", TestRun]])("%s converts to JSON Schema and holds no open object", (_, schema) => {
  const json = JSON.stringify(z.toJSONSchema(schema, { io: "input" }));
  expect(json.match(/"type":"object"/g)?.length).toBe(json.match(/"additionalProperties":false/g)?.length);
});
