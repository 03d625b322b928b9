// What rides along in a run is seen by every watch and told apart from the module.
import { describe, expect, test } from "vitest";
import type { Predicate } from "../../../domain/contract/contract.ts";
import { bubblewrapWorks } from "../../../../test/bubblewrap.ts";
import { siteOf } from "../../../../test/typescript-site.ts";
import { bubblewrap } from "../../../workshop/sandbox/bubblewrap.ts";
import type { TestRunReport } from "../../port.ts";
import { runWatched } from "./run-watched.ts";

const FILES = {
  "src/index.ts": `export function double(value: number): number {
  return value * 2;
}
export function now(): number {
  return Date.now();
}
`,
  "test/index.test.ts": `import { expect, test } from "vitest";
import { double, now } from "../src/index.ts";
test("doubles", () => expect(double(2)).toBe(4));
test("knows the time", () => expect(now()).toBeGreaterThan(0));
`,
};
const predicate = (id: string, expr: string): Predicate => ({
  id,
  of: "outputs.0.invariants.0",
  entry: "double",
  kind: "ensures",
  expr,
});
const KEPT = predicate("kept", "result === args[0] * 2");
const SOURCE = `export const loaded = true;
function uncovered() {
  return 1;
}
Math.random();
`;

async function ran(source: string | undefined): Promise<TestRunReport> {
  const report = await runWatched(await siteOf(FILES, bubblewrap()), {
    secondsPerTest: 10,
    timeoutMs: 30_000,
    coverage: true,
    effects: true,
    predicates: [KEPT],
    ...(source === undefined
      ? {}
      : { beside: { source, predicates: [predicate("broken", 'result === "never"')] } }),
  });
  if (report.kind === "no-report") throw new Error(report.why);
  return report;
}

describe.skipIf(!bubblewrapWorks)(
  "a source beside the module (needs bubblewrap)",
  { timeout: 60_000 },
  () => {
    test("is seen by every watch, and the module is reported as if it were alone", async () => {
      const [alone, { beside, ...own }] = [await ran(undefined), await ran(SOURCE)];
      const { coverage, predicates, counterexamples, effects } = own;
      expect({ coverage, predicates, counterexamples, effects }).toEqual({
        coverage: alone.coverage,
        predicates: alone.predicates,
        counterexamples: alone.counterexamples,
        effects: alone.effects,
      });
      expect(own.run.results.map(({ name, outcome }) => [name, outcome])).toEqual([
        ["doubles", "passed"],
        ["knows the time", "passed"],
      ]);
      expect(effects?.map(({ type }) => type)).toEqual(["CLOCK"]);
      expect(beside?.coverage?.uncoveredFunctions).toEqual(["uncovered"]);
      expect(beside?.effects?.map(({ type }) => type)).toEqual(["RANDOM"]);
      expect(beside?.predicates).toEqual([{ predicate: "broken", evaluated: 1, upheld: 0, broken: 1 }]);
      expect(beside?.counterexamples?.map((each) => each.predicate)).toEqual(["broken"]);
    });

    test("that did nothing when it was loaded does not count as covered or not", async () => {
      const { beside } = await ran("function uncovered() {\n  return 1;\n}\n");
      expect(beside).toBeDefined();
      expect(beside?.coverage).toBeUndefined();
    });
  },
);
