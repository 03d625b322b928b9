// Whatever adversaries and coverage left open becomes something to do.
import { expect, test } from "vitest";
import { holeOf, sampleResult } from "./blind.suite.ts";
import { workItems } from "./hybrid-result.ts";
import { resultText } from "./result-text.ts";
import { mutationResult } from "./suite-verdict.ts";
import { witnessReportOf } from "./witness-events.ts";

const MUTANT = {
  id: "7",
  file: "src/index.ts",
  line: 3,
  function: "slugify",
  operator: "ConditionalExpression",
  kind: "RemovedCheck",
  original: "title === ''",
  replacement: "false",
  status: "survived",
  killedBy: [],
} as const;
const SKETCH = {
  name: "blank",
  description: "d",
  invariant: "blank titles throw",
  type: "Boundary",
} as const;

test("a clean way leaves nothing to do", () => {
  expect(workItems(sampleResult())).toEqual([]);
});

test("survivors, holes and gaps of coverage are named with what to do", () => {
  const mutation = mutationResult([{ ...MUTANT, killedBy: [] }], {
    killed: { hit: 1, of: 4 },
    criticalSurvivors: 1,
  });
  expect(mutation.verdict).toBe("Weak");
  const items = workItems(
    sampleResult({
      mutationAdversary: {
        ...mutation,
        gaps: [{ mutant: "7", function: "slugify", whyDangerous: "w", missingTest: "m", suggested: SKETCH }],
      },
      typeAdversary: { verdict: "MinorHoles", holes: [holeOf("Minor")], fixed: [] },
      coverage: {
        functionsCovered: [],
        functionsUncovered: ["slugify"],
        examplesCovered: 0,
        examplesTotal: 1,
        sketchesCovered: [],
        sketchesUncovered: ["noSpaces"],
      },
    }),
  );
  expect(items.map(({ kind, about, todo }) => `${kind} | ${about} | ${todo}`)).toEqual([
    "survivor | src/index.ts:3 in slugify: title === '' became false (critical) | blank titles throw",
    "hole | Minor: a blank title | declare BlankTitle",
    "uncovered | the function slugify | write a property that calls it",
    "uncovered | the sketch noSpaces | write the property it describes",
  ]);
});

test.each([
  [{ hit: 4, of: 4 }, "Robust"],
  [{ hit: 2, of: 4 }, "HasGaps"],
  [undefined, null],
] as const)("the verdict on a suite that killed %j is %s", (killed, verdict) => {
  expect(mutationResult([], killed && { killed, criticalSurvivors: 0 }).verdict).toBe(verdict);
});

test("people read what came of it, each sentence with its events", () => {
  const witness = { ...witnessReportOf([]), narrative: [{ text: "It shipped.", events: [7, 8] }] };
  const text = resultText(
    sampleResult({
      witness,
      blindness: { result: "held", barrier: "sandbox" },
      typeAdversary: { verdict: "MinorHoles", holes: [holeOf("Minor")], fixed: [holeOf("Major")] },
    }),
  );
  expect(text).toContain("# MM-slugify: shipped as MM-slugify@1.0.0");
  expect(text).toContain("- It shipped. [7, 8]");
  expect(text).toContain("- types: MinorHoles, 1 holes closed on the way");
  expect(text).toContain("- barrier: held (sandbox), 0 echoes dropped");
  expect(text).toContain("- hole: Minor: a blank title. declare BlankTitle");
  expect(resultText(sampleResult({ shipped: null, halted: "Which one?" }))).toContain(
    "The question: Which one?",
  );
});
