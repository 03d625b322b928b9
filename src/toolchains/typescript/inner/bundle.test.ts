import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../../test/temporary.ts";
import { PACKAGES, siteOf } from "../../../../test/typescript-site.ts";
import { bundleModule } from "./bundle.ts";

const GROUND = { packages: PACKAGES };

function secretFile(): string {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "secret.ts"), 'export const secret = "canary-in-a-file";');
  writeFileSync(join(directory, "secret.json"), '{"secret": "canary-in-a-file"}');
  return directory;
}

describe("nothing outside of the site and its packages is read", () => {
  test.each<[string, (outside: string) => Record<string, string>]>([
    ["an absolute path", (outside) => ({ "src/index.ts": `export * from "${outside}/secret.ts";` })],
    [
      "a path that climbs",
      (outside) => ({ "src/index.ts": `export * from "${"../".repeat(30)}${outside.slice(1)}/secret.ts";` }),
    ],
    [
      "data",
      (outside) => ({ "src/index.ts": `import data from "${outside}/secret.json"; export { data };` }),
    ],
    [
      "an import of the manifest",
      (outside) => ({
        "package.json": JSON.stringify({ imports: { "#x": `./../../../../../../..${outside}/secret.ts` } }),
        "src/index.ts": 'export * from "#x";',
      }),
    ],
    [
      "paths of a tsconfig",
      (outside) => ({
        "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { x: [`${outside}/secret.ts`] } } }),
        "src/index.ts": 'export * from "x";',
      }),
    ],
  ])("%s", async (_, files) => {
    const site = await siteOf({ "src/index.ts": "", ...files(secretFile()) });
    const bundle = await bundleModule({ site, ground: GROUND, files: ["src/index.ts"] });
    expect(bundle.kind).toBe("unsupported");
    expect(JSON.stringify(bundle)).not.toContain("canary-in-a-file");
  });

  test("a link that a command left in the site", async () => {
    const outside = secretFile();
    const site = await siteOf({ "src/index.ts": 'export * from "./later/secret.ts";', "src/later/a.ts": "" });
    rmSync(join(site.directory, "src/later"), { recursive: true });
    symlinkSync(outside, join(site.directory, "src/later"));
    const bundle = await bundleModule({ site, ground: GROUND, files: ["src/index.ts"] });
    expect(bundle).toMatchObject({
      kind: "unsupported",
      why: expect.stringContaining("leads out of the module"),
    });
  });
});

test("a built dependency is found where it is mounted from", async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "dist"));
  writeFileSync(join(directory, "package.json"), '{"main": "dist/index.js"}');
  writeFileSync(join(directory, "dist/index.js"), "exports.answer = 42;");
  const site = await siteOf({ "src/index.ts": 'export { answer } from "#modules/other";' });
  const ground = { ...GROUND, dependencies: [{ name: "other", directory }] };
  const bundle = await bundleModule({ site, ground, files: ["src/index.ts"] });
  expect(bundle).toMatchObject({ kind: "bundle", code: expect.stringContaining(".answer = 42") });
});

test("knows what each file needs", async () => {
  const site = await siteOf({
    "src/index.ts": 'export * from "./a.ts";',
    "src/a.ts": "export const a = 1;",
    "src/b.ts": "export const b = 1;",
  });
  const bundle = await bundleModule({ site, ground: GROUND, files: ["src/index.ts", "src/b.ts"] });
  expect(bundle.kind === "bundle" && [...bundle.inputs]).toEqual([
    ["src/index.ts", ["src/a.ts", "src/index.ts"]],
    ["src/b.ts", ["src/b.ts"]],
  ]);
});

test("takes modules by their ending, too", async () => {
  const site = await siteOf({
    "src/index.mjs": 'export { a } from "./a.mts";',
    "src/a.mts": "export const a = 1;",
  });
  const bundle = await bundleModule({ site, ground: GROUND, files: ["src/index.mjs"] });
  if (bundle.kind !== "bundle") throw new Error(bundle.why);
  expect([...bundle.inputs]).toEqual([["src/index.mjs", ["src/a.mts", "src/index.mjs"]]]);
  expect(evaluated(bundle.code, "src/index.mjs")).toMatchObject({ a: 1 });
});

test("a file knows where it is, and anything else about itself only vitest can say", async () => {
  const text =
    "export const [url, folder, file] = [import.meta.url, import.meta.dirname, import.meta.filename];";
  const site = await siteOf({ "src/index.ts": text });
  const bundle = await bundleModule({ site, ground: GROUND, files: ["src/index.ts"] });
  if (bundle.kind !== "bundle") throw new Error(bundle.why);
  expect(evaluated(bundle.code, "src/index.ts")).toMatchObject({
    url: `file://${site.inside}/src/index.ts`,
    folder: `${site.inside}/src`,
    file: `${site.inside}/src/index.ts`,
  });
  const other = await siteOf({ "src/index.ts": "export const env = import.meta.env;" });
  expect(await bundleModule({ site: other, ground: GROUND, files: ["src/index.ts"] })).toEqual({
    kind: "unsupported",
    why: "import.meta in src/index.ts",
  });
});

function evaluated(code: string, file: string): unknown {
  const context = createContext({ exports: {} });
  runInContext(code, context);
  return runInContext(`exports.files[${JSON.stringify(file)}]()`, context);
}
