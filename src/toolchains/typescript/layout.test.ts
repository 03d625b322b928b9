// What of a folder is what: honest folders in all their spellings, and folders that want to be read wrongly.
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CLAMP, moduleFolder } from "../../../test/module-samples.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { detectLayout } from "./layout.ts";

const TEST = 'import { test } from "vitest";\ntest("one", () => {});\n';

function layoutOf(files: Record<string, string>) {
  const detected = detectLayout(moduleFolder(files));
  if (detected.kind === "no-module") throw new Error(detected.why);
  return detected.layout;
}

function reason(folder: string): string {
  const detected = detectLayout(folder);
  return detected.kind === "no-module" ? detected.why : "a module";
}

test("the entry comes first, tests and configuration are told apart", () => {
  const layout = layoutOf({
    ...CLAMP,
    "src/a/deep.ts": 'export * from "../../lib/more.js";',
    "scripts/release.mjs": "",
    "src/types.d.ts": "",
    "lib/more.ts": "",
    "test/support.ts": "export const x = 1;",
    "test/data.json": "{}",
    "package.json": "{}",
    "tsconfig.json": "{}",
    "vitest.config.ts": 'export default { test: { setupFiles: ["./lib/setup.ts"] } };',
    "lib/setup.ts": "",
    "README.md": "",
    "dist/index.js": "",
    "node_modules/x/index.js": "",
  });
  expect(layout).toEqual({
    entry: "src/index.ts",
    sources: ["src/index.ts", "lib/more.ts", "src/a/deep.ts"],
    tests: ["test/clamp.test.ts"],
    configuration: [
      "lib/setup.ts",
      "package.json",
      "scripts/release.mjs",
      "src/types.d.ts",
      "test/support.ts",
      "tsconfig.json",
      "vitest.config.ts",
    ],
  });
});

test.for([
  [["src/index.tsx", "src/a.ts"], "src/index.tsx"],
  [["src/index.mts"], "src/index.mts"],
  [["src/only one ü.ts"], "src/only one ü.ts"],
  [["src/main.js", "src/other.js"], "src/main.js"],
  [["src/module.ts", "src/other.ts"], "src/module.ts"],
  [["src/top.ts", "src/parts/a.ts"], "src/top.ts"],
  [["queue.ts", "queue.test.ts", "eslint.config.mjs"], "queue.ts"],
  [["index.js", "parts.js", "test/a.test.js"], "index.js"],
  [["lib/index.mjs", "lib/parts.mjs"], "lib/index.mjs"],
] as const)("of %j the entry is %s", ([files, entry]) => {
  expect(layoutOf(Object.fromEntries(files.map((file) => [file, ""]))).entry).toBe(entry);
});

test.for([
  [{ exports: "./src/b.ts" }, "src/b.ts"],
  [{ exports: { ".": { types: "./dist/b.d.ts", import: "./src/b.ts" }, "./c": "./src/c.ts" } }, "src/b.ts"],
  [{ main: "src/c.ts", module: "dist/b.js" }, "src/c.ts"],
  [{ main: "dist/index.js", exports: { "./c": "./src/c.ts" } }, "src/index.ts"],
  [{ main: "../src/c.ts", exports: null, source: ["src/c.ts"] }, "src/index.ts"],
] as const)("the manifest %j names the entry %s", ([manifest, entry]) => {
  const files = { "src/index.ts": "", "src/b.ts": "", "src/c.ts": "" };
  expect(layoutOf({ ...files, "package.json": JSON.stringify(manifest) }).entry).toBe(entry);
});

test("what tools keep in folders of their own is no code of the module", () => {
  const files = { "index.ts": "", ".yarn/releases/yarn.cjs": "", ".vscode/settings.json": "{}" };
  expect(layoutOf(files).sources).toEqual(["index.ts"]);
});

test.for([
  ["src/clamp.test.ts", true],
  ["src/clamp.spec.tsx", true],
  ["tests/deep/a b.test.mts", true],
  ["test/[id]*.test.js", true],
  ["test/without-the-usual-name.ts", true],
  ["__tests__/x.ts", true],
  ["src/contest.ts", false],
  ["src/protest/x.ts", false],
] as const)("whether %s with a test in it is a test file: %s", ([path, isTest]) => {
  const { tests, sources } = layoutOf({ "src/index.ts": "", [path]: TEST });
  expect([tests.includes(path), sources.includes(path)]).toEqual([isTest, !isTest]);
});

test("a module without tests is one, with no tests", () => {
  expect(layoutOf({ "src/index.ts": "" }).tests).toEqual([]);
});

test.for([
  ["no code", { "a.test.ts": "", "tsconfig.json": "{}" }, "put it into src/"],
  ["no code in src", { "src/data.json": "{}" }, "put it into src/"],
  ["several files beside tests", { "a.ts": "", "b.ts": "", "a.test.ts": "" }, "callers import index.ts"],
  [
    "no main file in src",
    { "src/a.ts": "", "src/b.ts": "" },
    "name the file that callers import src/index.ts",
  ],
  ["a name that looks like another", { "src/index.ts": "", "src/a\u0007.ts": "" }, "not plain text"],
  ["a name with a backslash", { "src/index.ts": "", "src/..\\a.ts": "" }, "not plain text"],
] as const)("a folder with %s is no module, and the reason says so", ([, files, why]) => {
  expect(reason(moduleFolder(files))).toContain(why);
});

test("links are never followed: one among the code makes the folder no module, others are left out", () => {
  const outside = join(temporaryDirectory(), "secret.ts");
  writeFileSync(outside, "export {};");
  const folder = moduleFolder({ "src/index.ts": "" });
  symlinkSync(outside, join(folder, "NOTES"));
  expect(reason(folder)).toBe("a module");
  symlinkSync(outside, join(folder, "src", "other.ts"));
  expect(reason(folder)).toContain("src/other.ts is a link");
});

test.for(["src", "test"])("a link in the place of %s makes the folder no module", (name) => {
  const folder = moduleFolder(name === "src" ? { "lib/index.ts": "" } : { "src/index.ts": "" });
  symlinkSync("/etc", join(folder, name));
  expect(reason(folder)).toContain(`${name} is a link`);
});

test("a folder that is too large is refused without being read, however little of it is on the disk", () => {
  const folder = moduleFolder({ "src/index.ts": "", "data.bin": "" });
  truncateSync(join(folder, "data.bin"), 2 ** 40);
  expect(reason(folder)).toContain("more than 64 MB");
});

const long = process.env["CUPEL_LONG"] === "1";

test.runIf(long)("a folder with too many files is refused", () => {
  const folder = moduleFolder({ "src/index.ts": "" });
  mkdirSync(join(folder, "many"));
  for (let index = 0; index < 5_001; index++) writeFileSync(join(folder, "many", String(index)), "");
  expect(reason(folder)).toContain("more than 5000 files");
});

test("what is not there, is a file or is a link is no module", () => {
  const folder = moduleFolder(CLAMP);
  const link = join(temporaryDirectory(), "link");
  symlinkSync(folder, link);
  expect(reason(join(folder, "missing"))).toContain("missing is not there");
  expect(reason(join(folder, "src/index.ts"))).toContain("index.ts is not a directory");
  expect(reason(link)).toContain("name the folder it leads to");
});
