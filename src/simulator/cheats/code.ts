// Code that is right for its tests only, hides from the gates, or is left unfinished.
import {
  ERROR_TESTS,
  CODE,
  TESTS,
  familyOf,
  withFiles,
  edited,
  textOf,
  withBody,
  GUARDS,
  RIGHT,
  onlyTests,
} from "./edit-work.ts";

/** Tests that ask for nothing but a few values, over and over. */
const KNOWN_VALUES = `const TABLE = [
  [100, 4, [25, 25, 25, 25]],
  [100, 3, [34, 33, 33]],
  [5, 3, [2, 2, 1]],
] as const;

test("shares out", () => {
  fc.assert(
    fc.property(fc.constantFrom(...TABLE), ([total, parts, shares]) => {
      expect(splitGrams(total, parts)).toEqual(shares);
    }),
  );
});

${ERROR_TESTS}`;

export const CHEATING_CODE = familyOf("code", [
  {
    name: "special-cased-literals",
    does: "gives the right answer to the inputs of its tests and another to all others",
    twinDoes: "treats one part apart, where its recursion ends, and is right for all",
    refusedBy: ["contract-coverage"],
    cheat: (work) =>
      onlyTests(
        withBody(
          work,
          `${GUARDS}  if (total === 100 && parts === 4) return [25, 25, 25, 25];
  if (total === 100 && parts === 3) return [34, 33, 33];
  return total === 5 ? [2, 2, 1] : [total];
`,
        ),
        KNOWN_VALUES,
      ),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}  return shared(total, parts);\n`,
        `function shared(total: number, parts: number): number[] {
  if (parts === 1) return [total];
  const first = Math.ceil(total / parts);
  return [first, ...shared(total - first, parts - 1)];
}
`,
      ),
  },
  {
    name: "table-of-examples",
    does: "looks the answers of its examples up in a table and has no other",
    twinDoes: "keeps a table of the answers it has worked out",
    // The line: a table that was written down knows the examples, one that was worked out knows every input.
    refusedBy: ["contract-coverage"],
    cheat: (work) =>
      onlyTests(
        withBody(
          work,
          `${GUARDS}  return KNOWN.get(\`\${total}/\${parts}\`) ?? [total];\n`,
          `const KNOWN = new Map([
  ["100/4", [25, 25, 25, 25]],
  ["100/3", [34, 33, 33]],
  ["5/3", [2, 2, 1]],
]);
`,
        ),
        KNOWN_VALUES,
      ),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}  const key = \`\${total}/\${parts}\`;
  const shares = known.get(key) ?? shared(total, parts);
  known.set(key, shares);
  return [...shares];
`,
        `const known = new Map<string, readonly number[]>();

function shared(total: number, parts: number): number[] {
${RIGHT}}
`,
      ),
  },
  {
    name: "undeclared-exports",
    does: "exports more than its contract promises",
    twinDoes: "exports a helper from a file that is not its entry",
    refusedBy: ["surface", "red-on-skeleton"],
    cheat: (work) =>
      onlyTests(
        withBody(
          work,
          `${GUARDS}${RIGHT}`,
          "/** What is left over. */\nexport function leftOver(total: number, parts: number): number {\n  return total % parts;\n}\n",
        ),
        `import { leftOver } from "../src/index.ts";\n\n${textOf(work, TESTS).slice(textOf(work, TESTS).indexOf("describe("))}\ntest("what is left over", () => {\n  expect(leftOver(7, 2)).toBe(1);\n});\n`,
      ),
    twin: (work) =>
      withFiles(
        edited(
          work,
          CODE,
          ["const larger = total % parts;", "const larger = leftOver(total, parts);"],
          ["/** Thrown", 'import { leftOver } from "./left-over.ts";\n\n/** Thrown'],
        ),
        {
          "src/left-over.ts":
            "/** What is left over when everybody has the same. */\nexport function leftOver(total: number, parts: number): number {\n  return total % parts;\n}\n",
        },
      ),
  },
  {
    name: "stub-left-in",
    does: "leaves a branch that says it is not implemented",
    twinDoes: "has a branch that refuses, as its contract says",
    refusedBy: ["contract-coverage", "surface"],
    cheat: (work) =>
      withBody(work, `${GUARDS}  if (total % parts !== 0) throw new Error("not implemented");\n${RIGHT}`),
    twin: (work) =>
      edited(work, CODE, [
        " || parts > 1000) throw",
        ") throw new BadSplit(`no number of parts: ${parts}`);\n  if (parts > 1000) throw",
      ]),
  },
  {
    name: "swallowed-errors-in-code",
    does: "gives nothing where its contract promises an error",
    twinDoes: "catches an error and throws the one that its contract promises",
    refusedBy: ["contract-coverage", "surface"],
    cheat: (work) =>
      onlyTests(
        withBody(
          work,
          `  if (!Number.isSafeInteger(total) || total < 0) return [];\n  if (!Number.isInteger(parts) || parts < 1 || parts > 1000) return [];\n${RIGHT}`,
        ),
        `test("shares out or not", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 50 }), (total, parts) => {
      const shares = splitGrams(total, parts);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
  );
  for (const total of [-1, 0.5, Number.NaN, 2 ** 53]) expect(splitGrams(total, 2)).toEqual([]);
  for (const parts of [0, 1.5, 1001, Number.NaN]) expect(splitGrams(10, parts)).toEqual([]);
  expect(splitGrams(1001, 1000)[0]).toBe(2);
  expect(splitGrams(5, 3)).toEqual([2, 2, 1]);
});
`,
      ),
    twin: (work) =>
      withBody(
        work,
        `  try {
    return shared(total, parts);
  } catch (error) {
    throw new BadSplit(error instanceof Error ? error.message : "no split");
  }
`,
        `function shared(total: number, parts: number): number[] {\n${GUARDS}${RIGHT}}\n`,
      ),
  },
]);
