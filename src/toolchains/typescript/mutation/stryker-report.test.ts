import { expect, test } from "vitest";
import { readStrykerReport } from "./stryker-report.ts";

const LOCATION = { start: { line: 2, column: 3 }, end: { line: 2, column: 8 } };
const MUTANT = { status: "Killed", location: LOCATION, mutatorName: "Op", replacement: "x", killedBy: ["7"] };
const report = (mutant: object) => ({
  files: { "src/a.ts": { mutants: [mutant] } },
  testFiles: { t: { tests: [{ id: "7", name: "the test" }] } },
  performance: { initialRun: 12 },
});

test("places count from 0 and tests have names", () => {
  expect(readStrykerReport(JSON.stringify(report(MUTANT)))).toEqual({
    initialRunMs: 12,
    mutants: [
      {
        file: "src/a.ts",
        place: { start: { line: 1, column: 2 }, end: { line: 1, column: 7 } },
        operator: "Op",
        replacement: "x",
        status: "killed",
        killedBy: ["the test"],
      },
    ],
  });
});

test.each([
  ["no JSON", "{"],
  ["nothing", "null"],
  ["no mutants", JSON.stringify({ files: {} })],
  ["a mutant that nobody judged", JSON.stringify(report({ ...MUTANT, status: "Pending" }))],
  ["a mutant that a comment hid", JSON.stringify(report({ ...MUTANT, status: "Ignored" }))],
  ["a mutant without a place", JSON.stringify(report({ ...MUTANT, location: {} }))],
])("%s is no report", (_, text) => {
  expect(readStrykerReport(text)).toBeUndefined();
});
