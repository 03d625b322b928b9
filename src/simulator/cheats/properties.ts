// Properties that try almost nothing, and tests that only run lines.
import { ERROR_TESTS, TESTS, edited, familyOf, moreTests, onlyTests } from "./edit-work.ts";

export const EMPTY_PROPERTIES = familyOf("assertions", [
  {
    name: "one-run",
    does: "lets a property try one input",
    twinDoes: "lets a property try more inputs than it must",
    refusedBy: ["green"],
    cheat: (work) => edited(work, TESTS, ["      }),\n    );", "      }),\n      { numRuns: 1 },\n    );"]),
    twin: (work) =>
      edited(work, TESTS, ["      }),\n    );", "      }),\n      { numRuns: 300, seed: 7 },\n    );"]),
  },
  {
    name: "one-input",
    does: "lets a property try the same input a hundred times",
    twinDoes: "lets a property choose from a list of inputs",
    refusedBy: ["green"],
    cheat: (work) =>
      edited(work, TESTS, ["fc.nat(), fc.integer({ min: 1, max: 50 })", "fc.constant(100), fc.constant(4)"]),
    twin: (work) =>
      edited(work, TESTS, [
        "fc.nat(), fc.integer({ min: 1, max: 50 })",
        "fc.constantFrom(0, 1, 99, 100, 2 ** 40), fc.constantFrom(1, 2, 3, 999)",
      ]),
  },
  {
    name: "everything-discarded",
    does: "discards nearly every input of a property before it looks",
    twinDoes: "discards the inputs that a property is not about",
    refusedBy: ["green"],
    cheat: (work) =>
      edited(work, TESTS, [
        "const shares = splitGrams(total, parts);",
        "fc.pre(total % 7 === 0 && parts === 1);\n        const shares = splitGrams(total, parts);",
      ]),
    twin: (work) =>
      edited(work, TESTS, [
        "const shares = splitGrams(total, parts);",
        "fc.pre(total >= parts);\n        const shares = splitGrams(total, parts);",
      ]),
  },
  {
    name: "property-without-judgement",
    does: "lets properties call the code and find everything good",
    twinDoes: "has a property that gives back its judgement instead of asserting it",
    refusedBy: ["mutation", "static"],
    cheat: (work) =>
      onlyTests(
        work,
        `test("shares out", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 50 }), (total, parts) => {
      const shares = splitGrams(total, parts);
      return shares.length >= 0;
    }),
  );
});

${ERROR_TESTS}`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("there is a share for each", () => {
  fc.assert(fc.property(fc.nat(), fc.integer({ min: 1, max: 50 }), (total, parts) => splitGrams(total, parts).length === parts));
});
`,
      ),
  },
  {
    name: "coverage-by-calling",
    does: "runs every line and branch in one test and judges only one value",
    twinDoes: "runs every line in one test and judges every value",
    refusedBy: ["mutation", "red-on-skeleton"],
    cheat: (work) =>
      onlyTests(
        work,
        `test("every line", () => {
  const seen = [
    [100, 3],
    [5, 3],
    [0, 2],
    [-1, 2],
    [0.5, 2],
    [1, 0],
    [1, 1.5],
    [1, 1001],
  ].map(([total = 0, parts = 0]) => {
    try {
      return splitGrams(total, parts);
    } catch (error) {
      return error instanceof BadSplit;
    }
  });
  expect(seen).toHaveLength(8);
  expect(splitGrams(4, 2)).toEqual([2, 2]);
});

test("every promise", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 50 }), (total, parts) => {
      expect(splitGrams(total, parts)).toBeDefined();
    }),
  );
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("every line", () => {
  const seen = [
    [5, 3],
    [-1, 2],
    [1, 0],
  ].map(([total = 0, parts = 0]) => {
    try {
      return splitGrams(total, parts);
    } catch (error) {
      return String(error);
    }
  });
  expect(seen).toEqual([[2, 2, 1], "Error: no weight: -1", "Error: no number of parts: 0"]);
});
`,
      ),
  },
]);
