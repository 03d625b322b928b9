import { join } from "node:path";
import { expect, test } from "vitest";
import { moduleFolder } from "../../../../test/module-samples.ts";
import { build } from "./build.ts";
import { compile } from "./compile.ts";
import { entry, SAMPLES, type SampleFiles, viewOf } from "./samples.suite.ts";
import { surface } from "./surface.ts";

async function compiled(files: SampleFiles): Promise<Readonly<Record<string, string>>> {
  const result = await compile(viewOf(files));
  if (result.kind === "broken") throw new Error(JSON.stringify(result.errors));
  return result.files;
}

test("code and declarations of several files, and nothing else", async () => {
  const files = await compiled({
    "src/index.ts":
      '// how it is made\nimport { secret } from "./inner.ts";\nexport type { Shape } from "./shape.ts";\n/** Doubles. */\nexport function double(n: number) {\n  // why\n  return secret(n) * 2;\n}\nexport const lazy = () => import("./lazy.ts");\n',
    "src/inner.ts": "export function secret(n: number): number { return n; }",
    "src/shape.ts": "export interface Shape { side: number }",
    "src/lazy.ts": "export const late = 1;",
  });
  expect(
    Object.keys(files)
      .filter((path) => path.startsWith("types/"))
      .toSorted(),
  ).toEqual(["types/index.d.ts", "types/lazy.d.ts", "types/shape.d.ts"]);
  expect(files["types/index.d.ts"]).toBe(
    'export type { Shape } from "./shape.js";\n/** Doubles. */\nexport declare function double(n: number): number;\nexport declare const lazy: () => Promise<typeof import("./lazy.js")>;\n',
  );
  expect(Object.keys(files).filter((path) => path.endsWith(".js")).length).toBeGreaterThanOrEqual(2);
  expect(JSON.stringify(files)).not.toMatch(/how it is made|why|sourceMappingURL|inner\.ts|\/cupel|\/module/);
  const folder = moduleFolder({ "package.json": '{ "type": "module" }', ...files });
  const loaded: unknown = await import(/* @vite-ignore */ join(folder, "index.js"));
  expect(loaded).toMatchObject({ double: expect.any(Function) });
});

test("other modules and packages stay imports", async () => {
  const built = moduleFolder({ "types/index.d.ts": "export declare const other: (x: number) => string;" });
  const view = viewOf(
    entry(
      'import fc from "fast-check";\nimport { other } from "#modules/other";\nexport const f = () => other(fc.sample(fc.nat(), 1)[0] ?? 0);',
    ),
  );
  const result = await compile({ ...view, dependencies: [{ name: "other", directory: built }] });
  expect(result).toMatchObject({ kind: "compiled" });
  expect(result.kind === "compiled" && result.files["index.js"]).toMatch(
    /from "fast-check"[\s\S]*from "#modules\/other"/,
  );
});

test("what callers see of a compiled package is what they saw of the sources", async () => {
  for (const name of ["a class with private state", "several files"]) {
    const files = SAMPLES[name] ?? {};
    const types = await compiled(files);
    const directory = moduleFolder(types);
    const user = viewOf(entry('export * from "#modules/it";'));
    const view = { ...user, dependencies: [{ name: "it", directory }] };
    expect(build(view)).toEqual({ kind: "built", files: 1 });
    const names = surface(view).entries.map((each) => `${each.name} ${each.kind}`);
    expect(names).toEqual(surface(viewOf(files)).entries.map((each) => `${each.name} ${each.kind}`));
  }
});

test("an entry of another name has an index of types too", async () => {
  const files = await compiled({ "src/main.ts": "export default function go() { return 1; }" });
  expect(files["types/index.d.ts"]).toBe(
    'export * from "./main.js";\nexport { default } from "./main.js";\n',
  );
});

test.each<[string, SampleFiles, RegExp]>([
  ["a type error", entry('export const a: number = "x";'), /TS2322/],
  [
    "an import of another place",
    entry('export const a = 1;\n// @ts-ignore\nimport "/etc/passwd";'),
    /no file of the module/,
  ],
  [
    "a way up",
    entry('export const a = 1;\n// @ts-ignore\nimport "../../../../../../etc/passwd";'),
    /no file of the module/,
  ],
])("%s is broken", async (_, files, message) => {
  const result = await compile(viewOf(files));
  expect(result.kind === "broken" && result.errors.map((each) => each.message).join("\n")).toMatch(message);
});
