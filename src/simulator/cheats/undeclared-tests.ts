// Tests that stand in their files for everybody to read, and that the runner never hears of.
import { TESTS, edited, familyOf, moreTests } from "./edit-work.ts";

const ONE_TEST = `test("one gets all", () => {
  expect(splitGrams(7, 1)).toEqual([7]);
});
`;

/** Which of these come first nobody asks where there are none. */
function tested(rows: string): string {
  return `const ROWS: readonly (readonly [number, number, number])[] = ${rows};

${ONE_TEST}
test.each(ROWS)("of %d among %d the first gets %d", (total, parts, first) => {
  expect(splitGrams(total, parts)[0]).toBe(first);
});
`;
}

function declaring(declaration: string): string {
  return `function declareMore(): void {
  test("the larger come first", () => {
    expect(splitGrams(100, 3)).toEqual([34, 33, 33]);
  });
}

${declaration}
`;
}

function named(condition: string): string {
  return `const TITLES = ["the larger come first"];

${ONE_TEST}
for (const title of TITLES)
  ${condition}test(title, () => {
    expect(splitGrams(100, 3)).toEqual([34, 33, 33]);
  });
`;
}

function asking(condition: string): string {
  return `test("the larger come first", () => {
  const shares = splitGrams(100, 3);
  expect(shares).toHaveLength(3);
  if (${condition}) expect(shares).toEqual([34, 33, 33]);
});
`;
}

export const UNDECLARED_TESTS = familyOf("tests", [
  {
    name: "empty-table",
    does: "has a test for each row of a table without rows",
    twinDoes: "has a test for each row of a table",
    refusedBy: ["red-on-skeleton"],
    cheat: (work) => moreTests(work, tested("[]")),
    twin: (work) => moreTests(work, tested("[[100, 3, 34], [7, 1, 7]]")),
  },
  {
    name: "declared-elsewhere",
    does: "declares a test of its suite only where the harness does not run",
    twinDoes: "declares a test of its suite once for each of some values",
    refusedBy: ["red-on-skeleton"],
    cheat: (work) =>
      edited(work, TESTS, [
        '  test("gives something to a thousand", () => {',
        '  if (process.env["CI"] === undefined)\n  test("gives something to a thousand", () => {',
      ]),
    twin: (work) =>
      edited(
        work,
        TESTS,
        [
          '  test("gives something to a thousand", () => {',
          "  for (const parts of [999, 1000])\n  test(`gives something to ${parts}`, () => {",
        ],
        ["splitGrams(1001, 1000)", "splitGrams(parts + 1, parts)"],
      ),
  },
  {
    name: "declared-by-nobody",
    does: "keeps a test in a function that nobody calls, beside one that runs",
    twinDoes: "keeps a test in a function that it calls, beside one that runs",
    refusedBy: ["red-on-skeleton"],
    cheat: (work) => moreTests(work, declaring(`export const later = declareMore;\n\n${ONE_TEST}`.trim())),
    twin: (work) => moreTests(work, declaring(`declareMore();\n\n${ONE_TEST}`.trim())),
  },
  {
    name: "named-while-it-runs",
    does: "declares a test whose name is made while it runs only where the harness does not run",
    twinDoes: "declares tests whose names are made while they run",
    refusedBy: ["green"],
    cheat: (work) => moreTests(work, named('if (process.env["CI"] === undefined) ')),
    twin: (work) => moreTests(work, named("")),
  },
  {
    name: "asserts-elsewhere",
    does: "asks little of a result, and more only where the harness does not run",
    twinDoes: "asks more of a result where there is more to ask",
    refusedBy: ["green"],
    cheat: (work) => moreTests(work, asking('process.env["CI"] === undefined')),
    twin: (work) => moreTests(work, asking("shares.length > 1")),
  },
]);
