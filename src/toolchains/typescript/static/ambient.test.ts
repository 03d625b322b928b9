// What stands beside the code and changes what it compiles against, and what only the compiler knows.
import { describe, expect, test } from "vitest";
import { inspect } from "./inspect.ts";

const RULES = { forbiddenImports: [], forbiddenPatterns: [], allowedPackages: [] };
const TEST = 'import { expect, test } from "vitest";\ntest("one", () => expect(f()).toBe(1));\n';

const ALONE = {
  entry: "src/index.ts",
  sources: ["src/index.ts"],
  tests: ["test/a.test.ts"],
  configuration: [],
};

async function beside(path: string, text: string): Promise<string[]> {
  const files = { "src/index.ts": "export {};", "test/a.test.ts": TEST, [path]: text };
  const isTest = path.endsWith(".test.ts");
  const tests = ["test/a.test.ts", ...(isTest ? [path] : [])];
  const layout = { ...ALONE, tests, configuration: isTest ? [] : [path] };
  const { findings } = await inspect({ layout, files: () => files }, RULES);
  return findings.map(({ rule, severity, file }) => `${rule} ${severity} ${file}`);
}

describe("declarations beside the code that change what it compiles against", () => {
  test.each([
    ["src/shares.d.ts", "export type Shares = any;"],
    ["src/globals.d.ts", "declare function structuredClone(value: unknown): number[];"],
    ["src/more.d.ts", "export {};\ndeclare global { const trusted: number[]; }"],
    ["test/globals.d.ts", "interface JSON { parse(text: string): number[] }"],
    ["test/code.d.ts", 'declare module "../src/index.ts" { export const a: number; }'],
    ["test/b.test.ts", `declare global { interface ArrayConstructor { last(): number } }\n${TEST}`],
  ])("%s: %s", async (path, text) => {
    expect(await beside(path, text)).toEqual([`unchecked-types error ${path}`]);
  });

  test.each([
    ["src/shares.d.ts", "export type Shares = readonly number[];"],
    ["test/shared.d.ts", "export interface Shared { readonly total: any }"],
    [
      "test/vitest.d.ts",
      'import "vitest";\ndeclare module "vitest" { interface Assertion<T> { isGood(): T } }',
    ],
    ["test/own.d.ts", "declare const ownHelper: number;"],
  ])("%s: %s does not", async (path, text) => {
    expect(await beside(path, text)).toEqual([]);
  });
});

test("what the compiler knows nothing of is told once for a line", async () => {
  const text = "export const a: any = 1;\nexport const b = 2;";
  const site = { layout: ALONE, files: () => ({ "src/index.ts": text, "test/a.test.ts": TEST }) };
  const unseen = [1, 2].map((line) => ({ file: "src/index.ts", line, message: "is anything" }));
  const { findings } = await inspect(site, RULES, () => unseen);
  expect(findings.map(({ rule, line }) => `${rule} ${line}`)).toEqual([
    "unchecked-types 1",
    "unchecked-types 2",
  ]);
});
