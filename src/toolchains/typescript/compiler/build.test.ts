import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { moduleFolder } from "../../../../test/module-samples.ts";
import { temporaryDirectory } from "../../../../test/temporary.ts";
import { build } from "./build.ts";
import { stopCompiler } from "./program.ts";
import { entry, SAMPLES, type SampleFiles, viewOf } from "./samples.suite.ts";

afterAll(stopCompiler);

const errorsOf = (files: SampleFiles) => {
  const report = build(viewOf(files));
  return report.kind === "built" ? [] : report.errors;
};

describe("a build", () => {
  test.each(Object.entries(SAMPLES))("accepts %s and counts its files", (_, files) => {
    const code = Object.keys(files).filter((path) => path.endsWith(".ts"));
    expect(build(viewOf(files))).toEqual({ kind: "built", files: code.length });
  });

  test("tells type errors of sources and tests with their places, the same each time", () => {
    const files = {
      "src/index.ts": '/* 😀 */\nexport const a: number = "x";\nexport function f(): string { return 1; }',
      "test/a.test.ts":
        'import { test } from "vitest";\nimport { a } from "../src/index.ts";\ntest("t", () => { a.length; });\n',
    };
    const report = build(viewOf(files));
    expect(report).toEqual({
      kind: "broken",
      files: 2,
      errors: [
        {
          file: "src/index.ts",
          line: 2,
          message: "TS2322: Type 'string' is not assignable to type 'number'.",
        },
        {
          file: "src/index.ts",
          line: 3,
          message: "TS2322: Type 'number' is not assignable to type 'string'.",
        },
        {
          file: "test/a.test.ts",
          line: 3,
          message: "TS2339: Property 'length' does not exist on type 'number'.",
        },
      ],
    });
    expect(build(viewOf(files))).toEqual(report);
  });

  test.each<[string, SampleFiles, RegExp]>([
    ["a syntax error", entry("export function {"), /TS1/],
    ["an implicit any", entry("export const f = (x) => x;"), /TS7006/],
    ["a possibly missing value", entry("export const f = (x?: string): string => x;"), /TS2322/],
    [
      "an unknown package",
      entry('import "no-such-package";\nimport x from "no-such-package";\nexport { x };'),
      /TS2307/,
    ],
    [
      "an error in a file that only a test imports",
      {
        ...entry("export const a = 1;"),
        "test/helper.ts": "export const b: string = 1;",
        "test/a.test.ts":
          'import { b } from "./helper.ts";\nimport { test } from "vitest";\ntest(b, () => {});',
      },
      /TS2322/,
    ],
    [
      "a library that does not exist",
      { ...entry("export const a = 1;"), "tsconfig.json": '{ "compilerOptions": { "lib": ["es1999"] } }' },
      /--lib/,
    ],
    [
      "a configuration that is no JSON",
      { ...entry("export const a = 1;"), "tsconfig.json": "{{" },
      /is not JSON/,
    ],
    [
      "a value that is none",
      { ...entry("export const a = 1;"), "tsconfig.json": '{ "compilerOptions": { "strict": "no" } }' },
      /no usable value for strict/,
    ],
    [
      "a configuration from elsewhere",
      { ...entry("export const a = 1;"), "tsconfig.json": '{ "extends": "../../other.json" }' },
      /no file of the module/,
    ],
    [
      "a configuration that extends itself",
      { ...entry("export const a = 1;"), "tsconfig.json": '{ "extends": "./tsconfig.json" }' },
      /no file of the module/,
    ],
  ])("refuses %s", (_, files, message) => {
    expect(errorsOf(files).map((each) => each.message)).toEqual(
      expect.arrayContaining([expect.stringMatching(message)]),
    );
  });

  test("asks without a configuration for no more than the compiler itself does", () => {
    const ordinary =
      "export const first = (x: string[]): string => x[0].trim();\nexport class A { name?: string; }\n" +
      "export class B extends A { constructor() { super(); this.name = undefined; } }";
    expect(errorsOf(entry(ordinary))).toEqual([]);
    const strict = '{ "compilerOptions": { "strict": true, "noUncheckedIndexedAccess": true } }';
    expect(errorsOf({ ...entry(ordinary), "tsconfig.json": strict })).toHaveLength(1);
  });

  test("honours the language options of the module, also from its own other file", () => {
    const loose = {
      ...entry("export const f = (x) => x;"),
      "tsconfig.json": '{ // looser\n "extends": "./tsconfig.base.json", }',
      "tsconfig.base.json": '{ "compilerOptions": { "strict": true, "noImplicitAny": false } }',
    };
    expect(errorsOf(loose)).toEqual([]);
    expect(errorsOf({ ...loose, "tsconfig.base.json": "{}" })).toHaveLength(1);
    expect(
      errorsOf({ ...loose, "tsconfig.base.json": '{ "compilerOptions": { "strict": true } }' }),
    ).toHaveLength(1);
    expect(
      errorsOf({
        ...entry("export const a = document;"),
        "tsconfig.json": '{ "compilerOptions": { "lib": ["es2023", "dom"] } }',
      }),
    ).toEqual([]);
  });

  test("follows paths that stay in the module", () => {
    const files = {
      ...entry('import { a } from "~/a.ts";\nimport { b } from "b";\nexport const c: number = a + b;'),
      "src/a.ts": "export const a = 1;",
      "lib/b.ts": "export const b = 2;",
      "tsconfig.json":
        '{ "compilerOptions": { "strict": true, "baseUrl": "./src", "paths": { "~/*": ["./*"], "b": ["../lib/b.ts"] } } }',
    };
    expect(errorsOf(files)).toEqual([]);
  });

  test("knows how the module spells its elements and where its tests get their functions from", () => {
    expect(
      errorsOf({
        "src/index.tsx":
          "declare global { namespace JSX { interface IntrinsicElements { b: object } } }\n" +
          "const h = (tag: string, _: unknown): string => tag;\nexport const bold = (): string => <b />;",
        "tsconfig.json":
          '{ "compilerOptions": { "strict": true, "noImplicitAny": false, "jsx": "react", "jsxFactory": "h" } }',
      }).filter(({ message }) => message.includes("React")),
    ).toEqual([]);
    const globals = {
      ...entry("export const a = 1;"),
      "test/a.test.ts": 'test("a", () => expect(1).toBe(1));',
    };
    expect(errorsOf(globals)).not.toEqual([]);
    const config = "export default { test: { globals: true } };";
    expect(errorsOf({ ...globals, "vitest.config.ts": config })).toEqual([]);
  });

  test("names a configuration that was left out only where something is wrong", () => {
    const config = '{ "extends (left out)": "../base.json" }';
    expect(errorsOf({ ...entry("export const a = 1;"), "tsconfig.json": config })).toEqual([]);
    const [first, second] = errorsOf({
      ...entry('export const a: number = "x";'),
      "tsconfig.json": config,
    });
    expect(first?.message).toMatch(/extends "..\/base.json".* left out/);
    expect(second).toMatchObject({ file: "src/index.ts", line: 1 });
  });

  test("no option can switch the check off", () => {
    const off =
      '{ "compilerOptions": { "noCheck": true, "skipDefaultLibCheck": true }, "files": [], "exclude": ["src"] }';
    expect(errorsOf({ ...entry('export const a: number = "x";'), "tsconfig.json": off })).toHaveLength(1);
  });

  test("shows a bounded number of errors", () => {
    const many = Array.from({ length: 300 }, (_, at) => `export const a${at}: number = "${at}";`).join("\n");
    const errors = errorsOf(entry(many));
    expect(errors).toHaveLength(51);
    expect(errors.at(-1)?.message).toBe("and 250 more errors");
  });

  test("resolves other modules by their types only", () => {
    const built = temporaryDirectory();
    mkdirSync(join(built, "types"));
    writeFileSync(join(built, "types/index.d.ts"), "export declare function other(x: number): string;");
    writeFileSync(join(built, "index.js"), "export const other = String;");
    const view = viewOf(
      entry('import { other } from "#modules/other";\nexport const f = (): string => other(1);'),
    );
    expect(build({ ...view, dependencies: [{ name: "other", directory: built }] })).toEqual({
      kind: "built",
      files: 1,
    });
    expect(build(view)).toMatchObject({ kind: "broken" });
  });
});

/** A number that no random name of a directory holds. */
const outside = () =>
  moduleFolder({
    "secret.ts": "export const secret: 7305519 = 7305519;",
    "secret.json": '{ "secret": 7305519 }',
    "global.d.ts": "declare const leaked: 7305519;",
  });

describe("nothing outside of the module and its packages can be read", () => {
  test.each<[string, (path: string) => string]>([
    [
      "an absolute import",
      (path) => `import { secret } from "${path}/secret.ts";\nexport const x: 1 = secret;`,
    ],
    [
      "a way up",
      (path) =>
        `import { secret } from "../../../../../../../../../../..${path}/secret.ts";\nexport const x: 1 = secret;`,
    ],
    ["an import type", (path) => `export const x: typeof import("${path}/secret.ts").secret = 1;`],
    ["JSON", (path) => `import data from "${path}/secret.json";\nexport const x: 1 = data.secret;`],
    [
      "a reference to a path",
      (path) => `/// <reference path="${path}/global.d.ts" />\nexport const x: 1 = leaked;`,
    ],
    [
      "a reference to types",
      (path) => `/// <reference types="${path}/global.d.ts" />\nexport const x: 1 = leaked;`,
    ],
    [
      "a package that is a way up",
      (path) =>
        `import { secret } from "fast-check/../../../../../../../../../../../..${path}/secret.ts";\nexport const x: 1 = secret;`,
    ],
  ])("%s", (_, text) => {
    const messages = errorsOf(entry(text(outside())))
      .map((each) => each.message)
      .join("\n");
    expect(messages).toMatch(/TS2307|TS6053|TS2688|TS2304|Cannot find/);
    expect(messages).not.toMatch(/7305519/);
  });

  test.each<[string, (path: string) => object]>([
    ["paths", (path) => ({ paths: { x: [`${path}/secret.ts`] }, baseUrl: path })],
    ["typeRoots", (path) => ({ typeRoots: [path], types: ["x"] })],
    ["rootDirs", (path) => ({ rootDirs: [path, "./src"] })],
    ["types that are a path", (path) => ({ types: [`${path}/global.d.ts`] })],
  ])("%s of the configuration", (_, options) => {
    const config = JSON.stringify({ compilerOptions: options(outside()) });
    const text = 'import { secret } from "x";\nexport const y: 1 = secret;';
    const messages = errorsOf({ ...entry(text), "tsconfig.json": config })
      .map((each) => each.message)
      .join("\n");
    expect(messages).toMatch(/TS2307|no usable value/);
    expect(messages).not.toMatch(/7305519/);
  });

  test("a link in the module or out of the packages", () => {
    const view = viewOf(
      entry(
        'import { secret } from "./link.ts";\nimport { secret as other } from "linked";\nexport const x: 1 = secret ?? other;',
      ),
    );
    symlinkSync(join(outside(), "secret.ts"), join(view.directory, "src/link.ts"));
    const packages = temporaryDirectory();
    mkdirSync(join(packages, "linked"));
    symlinkSync(join(outside(), "secret.ts"), join(packages, "linked/index.ts"));
    const report = build({ ...view, packages });
    expect(JSON.stringify(report)).toMatch(/TS2307.*link.*TS2307.*linked/);
    expect(JSON.stringify(report)).not.toMatch(/7305519/);
  });
});

test("types without end are refused and leave a compiler that works", () => {
  const endless =
    'type Grow<T extends unknown[]> = T["length"] extends 9999999 ? T : Grow<[...T, 0]>;\nexport const x: Grow<[]> = [];';
  expect(build(viewOf(entry(endless)))).toMatchObject({ kind: "broken" });
  expect(build(viewOf(entry("export const a = 1;")))).toEqual({ kind: "built", files: 1 });
});

test("a compiler that was ended is started again", () => {
  stopCompiler();
  expect(build(viewOf(entry("export const a = 1;")))).toEqual({ kind: "built", files: 1 });
});
