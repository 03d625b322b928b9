// What code may not read, and how it may not be written.
import { describe, expect, test } from "vitest";
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

describe("what people read otherwise than the compiler", () => {
  test.each([
    "// \u202E denruter si gnihton \u202C\nexport const a = 1;",
    "export const a = '\u2066 1';",
    "const l\u0430rger = 1;\nexport const a = l\u0430rger;",
    "const t\u03BFtal = 1;\nexport const a = t\u03BFtal;",
    "const larger\u200C = 1;\nexport const a = larger\u200C;",
    "// What is left over\u2028export const a = 1;\n",
    "// What is left over\rexport const a = 1;\n",
    "const l\\u0061rger = 1;\nexport const a = 1;",
    "export const \u{1D5C5}arger = 1;",
    "export const f = (c: number) => ((\u0441: number) => \u0441)(c);",
    "export const cellI = 1;\nexport const celll = 2;",
    "export const lIl1 = 1;",
  ])("%j is refused, in tests as well", async (code) => {
    const found = (await rulesBroken(code)).map((each) => each.split(" ")[0]);
    expect(new Set(found)).toEqual(new Set(["disguise"]));
    expect((await rulesBroken("export {};", code)).map((each) => each.split(" ")[0])).toContain("disguise");
  });

  test.each([
    "// \u05E9\u05DC\u05D5\u05DD, \u043F\u0440\u0438\u0432\u0435\u0442\nexport const a = 1;",
    "export const größe = 1;",
    "export const \u0434\u043E\u043B\u044F = 1;",
    "export const Δx = 1;\nexport const σMax = 2;",
    'export const a = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}";',
    'export const a = "\\u202E";',
    'export const a = "\\x1b[31m\\u00e9\\u2028";\r\nexport const b = 1;\r\n',
    "export const a = (x1: number, xl: number) => x1 + xl;",
    "export const a = /[\\u0041\\u0042\\u0043]/;",
  ])("%j is not", async (code) => {
    expect(await rulesBroken(code)).toEqual([]);
  });
});

describe("code that looks at itself", () => {
  const share = "function share(): number {\n  return 1;\n}\n";
  test.each([
    "export const a = String(share).length;",
    "export const a = share.toString();",
    "export const a = `${share}`;",
    'export const a = share + "";',
    "export const a = Function.prototype.toString.call(share);",
    "export const a = Reflect.apply(Function.prototype.toString, share, []);",
  ])("is refused: %s", async (code) => {
    expect(await rulesBroken(`${share}${code}`)).toEqual(["reads-itself src/index.ts:4"]);
  });

  test.each([
    "export const a = String(share());",
    "export const a = `${share.name}`;",
    "export const a = (1).toString();",
    "export const text = (each: unknown): string => `${String(each)}`;",
    'export const a = Object.prototype.toString.call("");',
  ])("and what comes of it is fine: %s", async (code) => {
    expect(await rulesBroken(`${share}${code}`)).toEqual([]);
  });
});

test("what is exported takes nothing that its signature does not name, while a wrapper hands on what it gets", async () => {
  const asks = "number {\n  return arguments.length;\n}";
  expect(await rulesBroken(`export function a(): ${asks}`)).toEqual(["hidden-parameter src/index.ts:2"]);
  expect(await rulesBroken(`export const a = function (): ${asks};`)).toEqual([
    "hidden-parameter src/index.ts:2",
  ]);
  expect(await rulesBroken(`function own(): ${asks}\nexport const a = own();`)).toEqual([]);
  const wrapper =
    "export function once(make: () => void) {\n  return function () {\n    Reflect.apply(make, undefined, arguments);\n  };\n}";
  expect(await rulesBroken(wrapper)).toEqual([]);
  expect(await rulesBroken("export const a = (call: { arguments: number }) => call.arguments;")).toEqual([]);
});
