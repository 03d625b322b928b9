// What does not fit together in the runner's report is never green.
import { expect, test } from "vitest";
import { isGreen } from "../../domain/evidence/test-result.ts";
import type { ModuleLayout } from "../port.ts";
import { testReport } from "./vitest-report.ts";
import type { WireFile, WireReport, WireTest } from "./wire-report.ts";

const LAYOUT: ModuleLayout = {
  entry: "src/index.ts",
  sources: ["src/index.ts"],
  tests: ["test/a.test.ts"],
  configuration: [],
};

function wireTest(more: Partial<WireTest> = {}): WireTest {
  return {
    name: "one",
    state: "passed",
    focused: false,
    durationMs: 1,
    retries: 0,
    errors: [],
    contact: { entries: [], upheld: 0, properties: [], failed: [] },
    ...more,
  };
}

type GivenFile = Partial<WireFile> & { lastWord?: boolean };

function wireFile({ lastWord = true, ...more }: GivenFile): WireFile {
  const tests = [wireTest()];
  const file = { file: "test/a.test.ts", collected: true, errors: [], tests, focused: [], reports: {} };
  return { ...file, ...(lastWord ? { ran: 1 } : {}), ...more };
}

function judged(file: GivenFile, more: Partial<WireReport> = {}) {
  const report: WireReport = {
    vitest: "4",
    files: [wireFile(file)],
    stray: [],
    ended: "finished",
    durationMs: 1,
    ...more,
  };
  return testReport(LAYOUT, {}, report);
}

function reasons(file: GivenFile, more: Partial<WireReport> = {}): string[] {
  const report = judged(file, more);
  if (report.kind === "no-report") return ["no-report"];
  const greenness = isGreen(report.run);
  return greenness.kind === "green" ? [] : greenness.reasons.map(({ reason }) => reason);
}

const unfinished = [
  wireTest(),
  wireTest({ name: "two", state: "unfinished" }),
  wireTest({ name: "three", state: "unfinished" }),
];
const focus = { message: "[Vitest] Unexpected .only modifier.", name: "Error", causes: [] };

test.for<[string, GivenFile, Partial<WireReport>, string[]]>([
  ["a whole report", {}, {}, []],
  ["a worker that never said its last word", { lastWord: false }, {}, ["stray-error"]],
  ["more passed tests than were run", { ran: 0 }, {}, ["stray-error"]],
  [
    "a file of which nothing is known",
    { collected: false, tests: [] },
    {},
    ["empty-file", "collection-error", "no-tests"],
  ],
  [
    "a file that hangs while it is loaded",
    { collected: false, tests: [] },
    { ended: "silent" },
    ["empty-file", "collection-error", "no-tests"],
  ],
  ["a worker that died", { tests: unfinished, lastWord: false }, {}, ["stray-error", "failed"]],
  [
    "a test that hangs",
    { tests: unfinished, lastWord: false },
    { ended: "silent" },
    ["stray-error", "failed", "timeout"],
  ],
  [
    "a focused test",
    { tests: [wireTest({ state: "failed", focused: true, errors: [focus] })] },
    {},
    ["failed", "focused"],
  ],
  ["a focused block", { focused: ["a block"] }, {}, ["focused"]],
  ["an error outside of all tests", {}, { stray: ["boom"] }, ["stray-error"]],
  [
    "an error of a hook",
    { errors: [{ name: "Error", message: "hook", causes: [] }] },
    {},
    ["collection-error"],
  ],
  ["a failed test without an error", { tests: [wireTest({ state: "failed" })] }, {}, ["failed"]],
  ["no file", {}, { files: [] }, ["no-report"]],
  ["another file", { file: "test/b.test.ts" }, {}, ["no-report"]],
  ["a number that is none", { tests: [wireTest({ retries: -1 })] }, {}, ["no-report"]],
])("%s: %#", ([, file, more, expected]) => {
  expect(reasons(file, more).toSorted()).toEqual(expected.toSorted());
});
