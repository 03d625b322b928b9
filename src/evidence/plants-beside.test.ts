// Plants that no watch has seen prove nothing.
import { expect, test } from "vitest";
import { codeCoverage } from "../domain/evidence/coverage.ts";
import type { TestRunReport } from "../toolchains/port.ts";
import { withPlants } from "./plants-beside.ts";

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
