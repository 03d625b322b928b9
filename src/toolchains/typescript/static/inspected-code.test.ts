// What code may not read, and how it may not be written, although its tests may.
import { expect, test } from "vitest";
import { inspect } from "./inspect.ts";

const RULES = { forbiddenImports: [], forbiddenPatterns: [], allowedPackages: [] };
const TEST = 'import { expect, test } from "vitest";\ntest("one", () => expect(f()).toBe(1));\n';

const importing = (path: string) => `import data from "${path}";\nexport default data;`;

async function rulesBroken(source: string, above = ""): Promise<string[]> {
  const files = { "src/index.ts": source, "test/a.test.ts": `${above}\n${TEST}` };
  const layout = {
    entry: "src/index.ts",
    sources: ["src/index.ts"],
    tests: ["test/a.test.ts"],
    configuration: [],
  };
  const { findings } = await inspect({ layout, files: () => files }, RULES);
  return findings.map(({ rule, file, line }) => `${rule} ${file}:${line}`);
}

test("letters that are written as numbers are refused in code, and a matter of tests there", async () => {
  const code = 'export const a = "\\x66\\x65tch \\x70\\u0069\\u{64}";';
  expect(await rulesBroken(code)).toEqual(["disguise src/index.ts:1"]);
  expect(await rulesBroken("export {};", code)).toEqual([]);
});

test("a source cannot be made of data of its tests, while data of its own is fine", async () => {
  expect(await rulesBroken(importing("../test/data.json"))).toEqual(["outside-import src/index.ts:1"]);
  expect(await rulesBroken(importing("./data.json"))).toEqual([]);
});
