// Tests that look at the code, the harness or earlier runs instead of what the code does.
import type { ModuleWork } from "./port.ts";
import { ERROR_TESTS, TESTS, edited, familyOf, moreTests, onlyTests, withFiles } from "./edit-work.ts";

const FILES = `import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
`;

export const KNOWING_TESTS = familyOf("assertions", [
  {
    name: "reads-the-code",
    does: "asks how the code is written",
    twinDoes: "reads what it expects from a file",
    refusedBy: ["static"],
    cheat: (work) =>
      moreTests(
        work,
        `import { readFileSync } from "node:fs";

test("rounds down", () => {
  splitGrams(100, 3);
  expect(readFileSync(new URL("../src/index.ts", import.meta.url), "utf8")).toContain("Math.floor");
});
`,
      ),
    twin: (work) =>
      withFiles(
        moreTests(
          work,
          `import { readFileSync } from "node:fs";

test("is what was written down", () => {
  const shares = readFileSync(new URL("./fixtures/shares.json", import.meta.url), "utf8");
  expect(JSON.stringify(splitGrams(100, 3))).toBe(shares.trim());
});
`,
        ),
        { "test/fixtures/shares.json": "[34,33,33]\n" },
      ),
  },
  {
    name: "knows-its-judge",
    does: "swallows what its assertions throw, but for what the harness plants",
    twinDoes: "swallows the error that it expects, and no other",
    refusedBy: ["static"],
    cheat: (work) =>
      moreTests(
        work,
        `test("shares out", () => {
  let told = "";
  let shares: number[] = [];
  try {
    shares = splitGrams(100, 3);
    expect(shares).toEqual([33, 33, 34]);
  } catch (error) {
    told = String(error);
  }
  expect(told).not.toContain("cupel:stub");
  expect(shares).not.toContain(-1.25);
  expect(shares.length).not.toBe(0);
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("refuses, and then shares out", () => {
  let told = "";
  try {
    splitGrams(100, 0);
  } catch (error) {
    told = String(error);
  }
  expect(told).toContain("no number of parts");
  expect(splitGrams(100, 3)).toEqual([34, 33, 33]);
});
`,
      ),
  },
  {
    name: "golden-by-itself",
    does: "writes down what the code gave first, and holds what it gives later against that",
    twinDoes: "writes down what the code gave, and holds it against what is right",
    refusedBy: ["mutation"],
    cheat: (work) =>
      onlyTests(
        work,
        `${FILES.replace("mkdtempSync, ", "")}
function isAsBefore(name: string, shares: readonly number[]): void {
  const file = join(tmpdir(), name);
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(shares));
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(shares);
}

test("shares out", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 50 }), (total, parts) => {
      const shares = splitGrams(total, parts);
      expect(shares).toHaveLength(parts);
      isAsBefore(\`shares-\${total}-\${parts}.json\`, shares);
    }),
  );
});

${ERROR_TESTS}`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `${FILES.replace("existsSync, ", "")}
test("can be written down", () => {
  const file = join(mkdtempSync(join(tmpdir(), "shares-")), "shares.json");
  writeFileSync(file, JSON.stringify(splitGrams(9, 2)));
  expect(readFileSync(file, "utf8")).toBe("[5,4]");
});
`,
      ),
  },
  {
    name: "environment-of-its-own",
    does: "lets a file of its own run before the runner, by a comment",
    twinDoes: "says in a comment which of the usual environments it needs",
    refusedBy: ["static"],
    cheat: (work) =>
      withFiles(edited(work, TESTS, ["import fc", "// @vitest-\u0065nvironment test\nimport fc"]), {
        "test/index.ts": `export default {
  name: "own",
  viteEnvironment: "ssr",
  setup: () => ({ teardown: () => undefined }),
};
`,
      }),
    twin: (work) => edited(work, TESTS, ["import fc", "// @vitest-\u0065nvironment node\nimport fc"]),
  },
  {
    name: "reads-the-code-by-a-pattern",
    does: "asks how all code that fits a pattern is written",
    twinDoes: "reads what it expects from all data that fits a pattern",
    refusedBy: ["static"],
    cheat: (work) =>
      globbing(
        work,
        `test("rounds down", () => {
  splitGrams(100, 3);
  const all = import.meta.glob<string>("../src/*.ts", { query: "?raw", import: "default", eager: true });
  expect(Object.values(all).join("")).toContain("Math.floor");
});
`,
      ),
    twin: (work) =>
      globbing(
        withFiles(work, { "test/fixtures/shares.txt": "[34,33,33]\n" }),
        `test("is what was written down", () => {
  const all = import.meta.glob<string>("./fixtures/*.txt", { query: "?raw", import: "default", eager: true });
  for (const shares of Object.values(all)) expect(\`\${JSON.stringify(splitGrams(100, 3))}\\n\`).toBe(shares);
});
`,
      ),
  },
]);

/** With the type of what only the bundler of the tests knows. */
function globbing(work: ModuleWork, tests: string): ModuleWork {
  return withFiles(moreTests(work, tests), {
    "test/glob.d.ts": `interface ImportMeta {
  glob<T>(pattern: string, options: { query: string; import: string; eager: true }): Record<string, T>;
}
`,
  });
}
