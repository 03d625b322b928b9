// Plants that no watch has seen prove nothing.
import { expect, test } from "vitest";
import { codeCoverage } from "../domain/evidence/coverage.ts";
import type { TestRunReport } from "../toolchains/port.ts";
import { plantedTest, withoutFile, withPlants } from "./plants-beside.ts";

const file = (name: string, covered: number, total: number) => ({
  file: name,
  lines: { covered, total },
  branches: { covered: 0, total: 0 },
  uncoveredFunctions: [],
});
const RAN: TestRunReport = {
  kind: "ran",
  run: { files: [], results: [], collectionErrors: [], strayErrors: [], focused: [], durationMs: 0 },
  properties: [],
  coverage: codeCoverage([file("src/index.ts", 10, 10)]),
  predicates: [{ predicate: "p", evaluated: 1, upheld: 1, broken: 0 }],
  effects: [],
};
const PLANTED = { predicate: "cupel-planted", evaluated: 1, upheld: 0, broken: 1 };

test("what rode along counts as if it belonged to the module", () => {
  const beside = {
    coverage: file("beside.mjs", 1, 10),
    predicates: [PLANTED],
    counterexamples: [],
    effects: [],
  };
  expect(withPlants({ ...RAN, beside })).toMatchObject({
    kind: "ran",
    coverage: { lines: { covered: 11, total: 20 } },
    predicates: [{ predicate: "p" }, PLANTED],
  });
});

test.each([
  ["nothing rode along", {}],
  ["its source was not counted", { beside: { predicates: [PLANTED] } }],
])("there is no report where %s", (_what, seen) => {
  expect(withPlants({ ...RAN, ...seen })).toMatchObject({ kind: "no-report" });
});

const siteWith = (...tests: string[]) => ({
  layout: { entry: "src/index.ts", sources: ["src/index.ts"], tests, configuration: [] },
  files: () => Object.fromEntries(["src/index.ts", ...tests].map((path) => [path, ""])),
});

test.each([
  [["test/a.test.ts"], "test/cupel-planted1.test.ts"],
  [["test/cupel-planted1.test.ts", "test/a.test.ts"], "test/cupel-planted2.test.ts"],
  [["a.test.ts", "cupel-planted1.test.ts", "cupel-planted2.test.ts"], "cupel-planted3.test.ts"],
])("beside %j the planted test takes no name that is taken", (tests, path) => {
  expect(plantedTest(siteWith(...tests))?.path).toBe(path);
});

test("without a test there is none to plant one beside", () => {
  expect(plantedTest(siteWith())).toBeUndefined();
});

const result = (name: string, inFile: string) => ({
  name,
  file: inFile,
  layer: "unit" as const,
  outcome: "passed" as const,
  durationMs: 0,
  retries: 0,
});

test("what is left out takes nothing else along", () => {
  const run = {
    ...RAN.run,
    files: ["a.test.ts", "p.test.ts"],
    results: [result("own", "a.test.ts"), result("planted", "p.test.ts")],
    collectionErrors: [{ file: "a.test.ts", message: "own" }],
    strayErrors: ["stray"],
  };
  expect(withoutFile({ ...RAN, run }, "p.test.ts")).toMatchObject({
    run: {
      files: ["a.test.ts"],
      results: [{ name: "own" }],
      collectionErrors: [{ message: "own" }],
      strayErrors: ["stray"],
    },
  });
});
