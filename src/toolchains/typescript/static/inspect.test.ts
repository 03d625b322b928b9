import { describe, expect, test } from "vitest";
import type { StaticRules } from "../../port.ts";
import { inspect } from "./inspect.ts";

const RULES: StaticRules = {
  forbiddenImports: ["fs", "node:child_process", "lodash"],
  forbiddenPatterns: ["console.log($$$)", "$A as any", "debugger", "while (true) { $$$ }"],
  allowedPackages: ["zod", "@scope/tool"],
};

const TEST = 'import { expect, test } from "vitest";\ntest("one", () => expect(f()).toBe(1));\n';

function siteOf(files: Record<string, string>) {
  const paths = Object.keys(files);
  const tests = paths.filter((path) => path.endsWith(".test.ts"));
  const configuration = paths.filter((path) => path.startsWith("test/") && !tests.includes(path));
  const sources = paths.filter((path) => path.startsWith("src/"));
  return { layout: { entry: "src/index.ts", sources, tests, configuration }, files: () => files };
}

async function rulesBroken(source: string, rules = RULES): Promise<string[]> {
  const report = await inspect(siteOf({ "src/index.ts": source, "test/a.test.ts": TEST }), rules);
  return report.findings.map(({ rule, file, line }) => `${rule} ${file}:${line}`);
}

describe("a forbidden import is found, however it is written", () => {
  test.each([
    'import fs from "fs";',
    'import fs from "node:fs";',
    'import * as fs from "fs/promises";',
    'import { readFileSync } from "node:fs";',
    'import "fs";',
    'export { readFileSync } from "fs";',
    'export * from "node:fs";',
    'import fs = require("fs");',
    'const fs = require("node:fs");',
    'const fs = await import("fs");',
    "const fs = await import(`node:fs`);",
    'const fs = await import("node:" + "fs");',
    'const load = require; const fs = load("fs");',
    'import { createRequire } from "node:module"; const r = createRequire(import.meta.url); r("fs");',
    'import { createRequire as make } from "module"; make(import.meta.url)("fs");',
    'const fs = process.getBuiltinModule("fs");',
    'const { getBuiltinModule: get } = globalThis.process; get("node:fs/promises");',
    'module.require("fs");',
    'module.constructor._load("fs");',
    'process.mainModule?.require("node:fs");',
    'require.main.require("fs");',
    'import Module from "node:module"; Module._load("fs");',
    'import fp from "lodash/fp";',
    'import type { A } from "zod"; import { exec } from "child_process";',
    'import fs, { type Stats } from "fs";',
    'declare const require: (name: string) => unknown; require("fs");',
    'const load = Reflect.get(process, "getBuiltinModule"); load("node:fs");',
    'Object.getOwnPropertyDescriptor(process, "getBuiltinModule")?.value("fs");',
  ])("%s", async (source) => {
    expect(await rulesBroken(source)).toEqual(["forbidden-import src/index.ts:1"]);
  });
});

describe("what cannot be looked at is a finding", () => {
  test.each([
    ["const name = f(); await import(name);", "computed-import"],
    ["require(`${process.cwd()}/x.js`);", "computed-import"],
    ["[1].map(require);", "computed-import"],
    ['["fs"].map(process.getBuiltinModule);', "computed-import"],
    ['process.getBuiltinModule.call(process, "fs");', "computed-import"],
    ["const name = f(); process.getBuiltinModule(name);", "computed-import"],
    [
      'import { createRequire } from "module"; const load = createRequire("/"); ["fs"].map(load);',
      "computed-import",
    ],
    [
      'import { createRequire } from "module"; const load = createRequire("/"); load.call(null, "fs");',
      "computed-import",
    ],
    ['import { createRequire } from "module"; ["fs"].map((createRequire("/")));', "computed-import"],
    ["require.apply(null, list);", "computed-import"],
    ["const name = f(); module.constructor._load(name);", "computed-import"],
    ['import x from "../../other/index.ts";', "outside-import"],
    ['import x from "/etc/hosts.js";', "outside-import"],
    ['import x from "file:///tmp/a.js";', "outside-import"],
    ['await import("data:text/javascript,1");', "outside-import"],
    ['import x from "../node_modules/left/index.js";', "outside-import"],
    ['import x from "./%2e%2e/%2e%2e/x.js";', "outside-import"],
    ['import left from "left-pad";', "undeclared-package"],
    ['import { type A } from "left-pad";', "undeclared-package"],
    ['import x from "@scope/other/deep";', "undeclared-package"],
    ['import x from "#internal";', "undeclared-package"],
    ["export const a = ;", "unparsed"],
    ["export function f( {", "unparsed"],
    ['eval("1");', "eval"],
    ['(0, eval)("1");', "eval"],
    ["const e = eval;", "eval"],
    ['globalThis["eval"]("1");', "eval"],
    ['globalThis["ev" + "al"]("1");', "eval"],
    ["const { eval: run } = globalThis;", "eval"],
    ["declare const eval: (x: string) => void; eval('1');", "eval"],
    ['new Function("return 1");', "eval"],
    ['const F = Function; F("return 1")();', "eval"],
    ['Reflect.construct(Function, ["1"]);', "eval"],
    ['(() => {}).constructor("return 1")();', "eval"],
    ['(async () => {})["constructor"]("return 1")();', "eval"],
    ["const AsyncFunction = Object.getPrototypeOf(async function () {}).constructor;", "eval"],
    ['function g() {} const make = g.constructor; make("1");', "eval"],
    ['const { constructor: make } = () => {}; new make("1");', "eval"],
    ['"".constructor.constructor("return 1")();', "eval"],
    ['const c = [].map.constructor; c("1");', "eval"],
    ['function g() {} const make = Reflect.get(g, "constructor"); make("1");', "eval"],
    ["function g() {} export const a = (name: string) => Reflect.get(g, name);", "eval"],
    ['Object.getOwnPropertyDescriptor(Function.prototype, "constructor")?.value("1");', "eval"],
    ['Reflect.get(Reflect.get([], "constructor"), "constructor")("1");', "eval"],
    ['import { register } from "node:module"; register("./a.mjs", "file:///");', "eval"],
    ["setTimeout('tick()', 10);", "eval"],
    ['import { runInThisContext } from "node:vm"; runInThisContext("1");', "eval"],
    ["// @ts-ignore\nexport const a = 1;", "suppression"],
    ["/* @ts-nocheck */ export const a = 1;", "suppression"],
    ["export const a = 1; // @ts-expect-error", "suppression"],
    ["export const tested = process.env.VITEST !== undefined;", "knows-its-tests"],
    ["const { VITEST_WORKER_ID: id } = process.env;\nexport const a = id;", "knows-its-tests"],
    ['export const tested = Object.hasOwn(process.env, "VI" + "TEST");', "knows-its-tests"],
    ['export const a = "__vitest_worker__" in globalThis;', "knows-its-tests"],
    ["while (true) { f(); }", "forbidden-pattern"],
    ["export function f() { /* v8 ignore next */ }", "suppression"],
    ["/* istanbul ignore file */", "suppression"],
    ["/* c8 ignore start */", "suppression"],
    ["// Stryker disable all\nexport const a = 1;", "suppression"],
    ["/**\n * Stryker disable all\n */\nexport const a = 1;", "suppression"],
    ['console.log("a", 1);', "forbidden-pattern"],
    ["export const a = (1 as any) + 1;", "forbidden-pattern"],
  ])("%s", async (source, rule) => {
    const found = await rulesBroken(source);
    expect(found.map((each) => each.split(" ")[0])).toContain(rule);
  });
});

describe("what is none of a gate's business is only a note", () => {
  test.each([
    ["/* eslint-disable no-eval */", "suppression"],
    ["// oxlint-disable-next-line\nexport const a = 1;", "suppression"],
    ["// prettier-ignore\nexport const a = 1;", "suppression"],
    [
      "export function f(next: () => number) { while (true) { if (next() > 1) return; } }",
      "forbidden-pattern",
    ],
    ["while (true) { if (f()) break; }", "forbidden-pattern"],
  ])("%s", async (source, rule) => {
    const site = siteOf({ "src/index.ts": source, "test/a.test.ts": TEST });
    const { findings } = await inspect(site, RULES);
    expect(findings.map((each) => `${each.severity} ${each.rule}`)).toEqual([`warning ${rule}`]);
  });
});

describe("a source cannot be made of what no gate looks at", () => {
  test.each([
    ["./x.config.ts", "x.config.ts"],
    ["./x.config.js", "x.config.ts"],
    ["./x.config", "x.config.ts"],
    ["./%78.config.ts", "x.config.ts"],
    ["./.xrc.cjs", ".xrc.cjs"],
    ["./test/support.ts", "test/support.ts"],
    ["./test/a.test.ts", "test/a.test.ts"],
  ])("such as %s", async (specifier, file) => {
    const site = siteOf({ "src/index.ts": `export * from "../${specifier}";`, "test/a.test.ts": TEST });
    const layout = { ...site.layout, configuration: [file] };
    const { findings } = await inspect({ ...site, layout }, RULES);
    expect(findings.map(({ rule, line }) => `${rule} ${line}`)).toEqual(["outside-import 1"]);
  });

  test("while types and other sources are fine", async () => {
    const source = 'import type { A } from "./types.d.ts";\nexport * from "./b.ts";\nexport type B = A;';
    const site = siteOf({ "src/index.ts": source, "src/b.ts": "export {};", "test/a.test.ts": TEST });
    const layout = { ...site.layout, configuration: ["src/types.d.ts", "b.ts"] };
    expect((await inspect({ ...site, layout }, RULES)).findings).toEqual([]);
  });
});

describe("honest code is accepted", () => {
  test.each([
    'import type { Stats } from "node:fs";\nexport type { Dirent } from "fs";',
    'import { type Stats } from "node:fs";\nexport type S = Stats;',
    'import { join } from "node:path";\nexport const a = join("a", "b");',
    'export type F = import("fs").Stats;',
    'import { z } from "zod";\nimport x from "@scope/tool/deep";\nimport m from "#modules/other";',
    'import fsExtra from "./fs.ts";\nimport up from "../src/fs/promises.ts";',
    'export const text = "// @ts-ignore eval(1) require(name)";',
    "// The word eslint-disable in a sentence is only talked about.\nexport const a = 1;",
    "export const f = (g: Function) => g instanceof Function;",
    "export const name = (error: Error) => error.constructor.name;",
    "export class A { copy() { return new (this.constructor as typeof A)(); } }",
    "export const same = (a: object, b: object) => a.constructor === b.constructor;",
    "export const evaluate = (eval_: (x: string) => number) => eval_('1');",
    "export const o = { eval: 1, Function: 2, require: 3 };\nexport const a = o.eval + o.Function;",
    "export function load(require: (name: string) => string, name: string) { return require(name); }",
    "export const later = (f: () => void) => setTimeout(f, 10);",
    'import { createRequire } from "node:module";\nexport const where = createRequire(import.meta.url).resolve("zod");',
    "export const field = (value: object, name: string) => Reflect.get(value, name);",
    "export const size = Reflect.get(f, 'length');\nfunction f() {}",
    "export const call = Function.prototype.call;",
    "export const a = /\\/\\/ @ts-ignore/;\nexport const b = `// @ts-ignore`;",
  ])("%s", async (source) => {
    expect(await rulesBroken(source)).toEqual([]);
  });

  test("any package, where there is no contract", async () => {
    expect(
      await rulesBroken('import left from "left-pad";', { ...RULES, allowedPackages: undefined }),
    ).toEqual([]);
  });
});

describe("a test that is no test is a finding", () => {
  test.each([
    ['test.only("a", () => expect(f()).toBe(1));', "focused-test"],
    ['describe.only("a", () => {});', "focused-test"],
    ['test.each([1]).only("a", (x) => expect(f(x)).toBe(1));', "focused-test"],
    ['test("a", { only: true }, () => expect(f()).toBe(1));', "focused-test"],
    ['fit("a", () => expect(f()).toBe(1));', "focused-test"],
    ['it.skip("a", () => expect(f()).toBe(1));', "skipped-test"],
    ['test.todo("a");', "skipped-test"],
    ['test("a");', "skipped-test"],
    ['test.skipIf(true)("a", () => expect(f()).toBe(1));', "skipped-test"],
    ['xdescribe("a", () => {});', "skipped-test"],
    ['test("a", ({ skip }) => { skip(); expect(f()).toBe(1); });', "skipped-test"],
    ['test("a", (context) => { context.skip(); expect(f()).toBe(1); });', "skipped-test"],
    ['test.fails("a", () => expect(f()).toBe(1));', "inverted-test"],
    ['test("a", () => { f(); });', "empty-test"],
    ['test("a", () => { expect(f()); });', "empty-test"],
    ['test("a", () => { expect(true).toBe(true); });', "empty-test"],
    ['test("a", () => { expect.hasAssertions(); f(); });', "empty-test"],
    ['test("a", () => { const given = expect(f()); });', "empty-test"],
    ['test("a", () => { const given = expect(true); given.toBe(true); f(); });', "empty-test"],
    ['import { it as check } from "vitest"; check("a", () => { f(); });', "empty-test"],
    ['test("a", ({ expect: check }) => { f(); check(true).toBe(true); });', "empty-test"],
    ['import { expect as check } from "other"; test("a", ({ task }) => { f(); check(1); });', "empty-test"],
    ['import ok from "./assert.ts"; test("a", () => { ok(f()); });', "empty-test"],
    ['expect.extend({ toBe() {} }); test("a", () => { f(); expect(true).toBe(true); });', "empty-test"],
    ['import * as v from "vitest"; v.test.only("a", () => v.expect(f()).toBe(1));', "focused-test"],
    ['const t = test.extend({}); t.skip("a", () => expect(f()).toBe(1));', "skipped-test"],
    ["// @vitest-\u0065nvironment fixture\ntest('a', () => expect(f()).toBe(1));", "own-environment"],
    [
      'import { readFileSync } from "node:fs";\ntest("a", () => expect(readFileSync("src/index.ts", "utf8")).toContain("f"));',
      "reads-sources",
    ],
    [
      'import * as fs from "node:fs/promises";\nconst CODE = new URL("../src/index.ts", import.meta.url);\ntest("a", async () => expect(String(await fs.readFile(CODE))).toMatch(/f/));',
      "reads-sources",
    ],
    [
      'import code from "../src/index.ts?raw";\ntest("a", () => expect(code).toContain("f"));',
      "reads-sources",
    ],
    [
      'const all = import.meta.glob("../src/**/*.ts", { query: "?raw", eager: true });\ntest("a", () => expect(all).toBe(1));',
      "reads-sources",
    ],
    [
      'test("a", () => { try { expect(f()).toBe(1); } catch (e) { if (/cupel:stub/.test(e)) throw e; } });',
      "knows-its-judge",
    ],
    ["test('a', () => {", "unparsed"],
  ])("%s", async (text, rule) => {
    const site = siteOf({ "src/index.ts": "export const a = 1;", "test/a.test.ts": text });
    const { findings } = await inspect(site, RULES);
    expect(findings.map((finding) => finding.rule)).toContain(rule);
  });

  test.each([
    'test("a", async () => { await expect(f()).rejects.toThrow("x"); });',
    'test("a", () => { fc.assert(fc.property(fc.nat(), (n) => f(n) === n)); });',
    'test("a", () => { assert.equal(f(), 1); });',
    'test("a", () => { assertStrict(f()); });',
    'const holds = (x) => expect(x).toBe(1);\ntest.each([1, 2])("a %d", (x) => { holds(f(x)); });',
    'import { isSorted } from "./support.ts";\ntest("a", () => isSorted(f()));',
    'test.each`a | b\n${1} | ${2}`("$a", ({ a, b }) => { expect(f(a)).toBe(b); });',
    'describe("skip and only as words", () => { it("only skips", () => expect(f()).toBe(1), 5000); });',
    'test("a", { timeout: 10, skip: false }, () => { expectTypeOf(f).returns.toBeNumber(); });',
    'test("a", () => { expect.soft(f()).toBe(1); expect(queue.skip()).toBe(1); });',
    'test("a", () => { const given = expect(f()); given.toBe(1); });',
    'test.for([1, 2])("a %d", (x, { expect: check }) => { check(f(x)).toBe(1); });',
    'test("a", (context) => { context.expect(f()).toBe(1); });',
    'import { expect as check } from "vitest"; test("a", () => check(f()).toBe(1));',
    'import ok from "node:assert/strict";\ntest("a", () => ok.equal(f(), 1));',
    'import { equal as same } from "node:assert";\ntest("a", () => same(f(), 1));',
    'import { readFileSync } from "node:fs";\nimport { f } from "../src/index.ts";\ntest("a", () => expect(f(readFileSync("test/fixtures/index.ts"))).toBe(1));',
    'import { fork } from "node:child_process";\ntest("a", () => expect(fork(new URL("../src/index.ts", import.meta.url)).pid).toBe(1));',
    '// @vitest-\u0065nvironment jsdom\ntest("a", () => expect(f()).toBe(1));',
    'expect.extend({ toGive(x, y) { return { pass: f(x) === y }; } });\ntest("a", () => { expect("x").toGive(1); });',
  ])("while this is one: %s", async (text) => {
    const support = "export function isSorted(x) { deep(x); }\nfunction deep(x) { expect(x).toEqual([1]); }";
    const site = siteOf({ "src/index.ts": "export {};", "test/support.ts": support, "test/a.test.ts": text });
    expect((await inspect(site, RULES)).findings).toEqual([]);
  });
});

async function severities(code: string, packages?: string[]): Promise<string[]> {
  const site = siteOf({ "src/index.ts": code, "test/a.test.ts": TEST });
  const { findings } = await inspect(site, { ...RULES, forbiddenPatterns: [], allowedPackages: packages });
  return findings.map(({ rule, severity }) => `${rule} ${severity}`);
}

describe("where the compiler is kept from looking", () => {
  test.each([
    "export const a: any = 1;",
    "export const a = 1 as any;",
    "export const a = (1 as unknown) as string;",
    "export const a = <string>(<unknown>1);",
    "export const a: string = 1 as never;",
    "export function a(list: Record<string, any[]>) { return list; }",
    "const seen: unknown = [1];\nexport const a = seen as number[];",
    "export function a<T>(value: unknown): T { return value as T; }",
    "export function a(text: string): number[] { return JSON.parse(text); }",
    "export function a(text: string): number[] { const parsed = JSON.parse(text); return parsed; }",
    "export const a = (text: string): number[] => JSON.parse(text);",
    "export const a: number[] = JSON.parse('[1]');",
    "export function a(text: string) { const sizes = JSON.parse(text) as number[]; return sizes; }",
    "export function a(text: string) { const { size } = JSON.parse(text) as { size: number }; return size; }",
    "export const a = Reflect.get(Math, 'floor')(1.5);",
    "export function a(value: unknown): asserts value is string {}",
    "export function a(value: unknown): value is string { return true; }",
    "export function a(value: number): number;\nexport function a(value: unknown): unknown { return value; }",
    "declare global { interface Array<T> { last(): T } }\nexport const a = 1;",
    'declare module "vitest" { interface Assertion<T> { isGood(): T } }\nexport const a = 1;',
    "export const a = [1] as object as number[];",
    "export const a = [1] as {} as number[];",
    "const seen: object = [1];\nexport const a = seen as number[];",
    "declare function structuredClone(value: unknown): number[];\nexport const a = structuredClone([1]);",
    "declare const sizes: number[];\nexport const a = () => sizes;",
    "export class A {}\nexport interface A { readonly size: number }",
    "export class A { readonly size!: number; }",
    "export function a(value: unknown): asserts value is string { Boolean(value); }",
  ])("%s is refused where a contract promises types, and advice elsewhere", async (code) => {
    expect(await severities(code, [])).toEqual(["unchecked-types error"]);
    expect(await severities(code)).toEqual(["unchecked-types warning"]);
  });

  test.each([
    "export const a = [1] as const;",
    "export const any = 1 satisfies number;",
    "export const a = (value: unknown): value is string => typeof value === 'string';",
    "export const a = JSON.parse('1') as unknown;",
    "export const a = JSON.parse('[]') as unknown[];",
    "export const a = (grid: number[][]) => JSON.parse(JSON.stringify(grid)) as number[][];",
    "export const a = JSON.parse('{}') as { size?: unknown };",
    "export function a(text: string) { const size = JSON.parse(text) as { of: number }; if (typeof size.of !== 'number') throw new Error(); return size; }",
    "export function a(text: string) { const { of } = JSON.parse(text) as { of: number }; if (!Number.isInteger(of)) throw new Error(); return of; }",
    "export function a(text: string) { const sizes: number[] = JSON.parse(text); if (!sizes.every(Number.isFinite)) throw new Error(); return sizes; }",
    "export const a = (text: string): unknown => JSON.parse(text);",
    "export const a = (text: string): number => Number(JSON.parse(text));",
    "const KINDS: ReadonlySet<'a'> = new Set(['a']);\nexport const a = (value: unknown): value is 'a' => KINDS.has(value as 'a');",
    "export function a(value: unknown): number { if (typeof value !== 'number') throw new Error('no'); return value as number; }",
    "export function a(text: string): number[] { const parsed = JSON.parse(text); return Array.isArray(parsed) ? parsed : []; }",
    "export function a(f: () => void): string { try { f(); } catch (error) { return (error as Error).message; } return ''; }",
    "export function a(value: unknown): asserts value is string { check(value); }\nfunction check(value: unknown) { if (typeof value !== 'string') throw new Error('no'); }",
    "export function a(value: number): string;\nexport function a(value: string): number;\nexport function a(value: number | string): number | string { return value; }",
    "export const a = (text: 'a' | 'b' | 'c') => text as 'a';",
    "export namespace Own { export const a = 1; }",
    "export function a(value: never): never { throw new Error(String(value)); }",
    "declare const gram: unique symbol;\nexport type Grams = number & { readonly [gram]: true };",
    "export interface A { readonly size: number }\nexport interface A { readonly name: string }",
    "export class A { size!: number; constructor() { this.fill(); } fill() { this.size = 1; } }",
    "export const a = (value: object) => value as Record<string, unknown>;",
  ])("%s is not", async (code) => {
    expect(await severities(code, [])).toEqual([]);
  });
});

test("counts only the files that were really parsed, and never passes over one that was not", async () => {
  const site = siteOf({ "src/index.ts": "export {};", "src/broken.ts": "let = ;", "test/a.test.ts": TEST });
  const missing = { ...site, layout: { ...site.layout, sources: [...site.layout.sources, "src/gone.ts"] } };
  const report = await inspect(missing, RULES);
  expect(report.files).toBe(2);
  expect(new Set(report.findings.map(({ rule, file }) => `${rule} ${file}`))).toEqual(
    new Set(["unparsed src/broken.ts", "unparsed src/gone.ts"]),
  );
});

test("a module without sources is a finding, not a clean module", async () => {
  const report = await inspect(siteOf({ "test/a.test.ts": TEST }), RULES);
  expect(report.findings.map((finding) => finding.rule)).toEqual(["unparsed"]);
});

test.each(["", "if (", "foo(((", ")"])(
  "the pattern %j is refused, since it could match nothing",
  (pattern) => {
    const rules = { ...RULES, forbiddenPatterns: [pattern] };
    expect(() => inspect(siteOf({ "src/index.ts": "export {};" }), rules)).toThrow("is not code");
  },
);
