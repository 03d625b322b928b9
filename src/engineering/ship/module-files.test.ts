import { expect, test } from "vitest";
import { commitSample, sampleHub, sampleGit } from "../../../test/git-samples.ts";
import type { SampleFiles } from "../../../test/git-samples.ts";
import { CLAMP_CONTRACT } from "../../../test/module-samples.ts";
import { moduleFilesAt } from "./module-files.ts";

const GOOD: SampleFiles = {
  "modules/clamp/src/index.ts": "export {};\n",
  "modules/clamp/test/a.test.ts": "// tests\n",
  "modules/clamp/examples.md": "# clamp\n",
  "modules/clamp/ship.json": "{}",
  "modules/clamp/contract.json": "not the locked one",
};

async function found(files: SampleFiles, folder = "clamp") {
  const { gitDir, work } = sampleHub({ "a.txt": "one\n" });
  commitSample(work, files);
  sampleGit(gitDir, "fetch", "--quiet", work, "+main:main");
  return moduleFilesAt({ gitDir }, sampleGit(gitDir, "rev-parse", "main"), folder, CLAMP_CONTRACT);
}

test("a module is its code, its tests and its examples, under the locked contract", async () => {
  const module = await found(GOOD);
  if (module.kind === "refused") throw new Error(module.problems.join());
  expect(Object.keys(module.files)).toEqual([
    "examples.md",
    "src/index.ts",
    "test/a.test.ts",
    "contract.json",
  ]);
  expect(JSON.parse(module.files["contract.json"] ?? "")).toEqual(CLAMP_CONTRACT);
});

const HOSTILE: [string, SampleFiles, RegExp][] = [
  ["a link", { "modules/clamp/src/secret.ts": { link: "/etc/passwd" } }, /src\/secret.ts is a link/],
  ["bytes", { "modules/clamp/src/a.bin": Buffer.from([0xff, 0xfe, 0]) }, /src\/a.bin is not text/],
  ["a NUL", { "modules/clamp/src/a.ts": "a\0b" }, /src\/a.ts is not text/],
  ["a configuration", { "modules/clamp/vitest.config.ts": "" }, /does not belong to a module/],
  ["no examples", { "modules/clamp/examples.md": null }, /examples.md is missing/],
  ["a folder that no gate opens", { "modules/clamp/src/dist/a.ts": "1;\n" }, /src\/dist\/a.ts lies in dist/],
  ["a runner of its own", { "modules/clamp/test/node_modules/vitest/index.js": "" }, /lies in node_modules/],
  ["the same in capitals", { "modules/clamp/src/Dist/a.ts": "1;\n" }, /lies in Dist/],
  ["attributes of git", { "modules/clamp/src/.gitattributes": "* -diff\n" }, /tells git how to read/],
  ["a manifest", { "modules/clamp/src/package.json": "{}" }, /package.json changes how the code is read/],
  ["options", { "modules/clamp/src/tsconfig.json": "{}" }, /tsconfig.json changes how the code is read/],
  ["code without types", { "modules/clamp/src/a.js": "1;\n" }, /src\/a.js is not TypeScript/],
  [
    "two cases of a name",
    { "modules/clamp/src/A.ts": "1;\n", "modules/clamp/src/a.ts": "1;\n" },
    /src\/a.ts is the same name as src\/A.ts/,
  ],
  ["too much", { "modules/clamp/src/a.ts": "x".repeat(400_001) }, /make it smaller/],
];
test.each(HOSTILE)("%s is refused with what to do", async (_what, files, why) => {
  expect(await found({ ...GOOD, ...files })).toEqual({
    kind: "refused",
    problems: [expect.stringMatching(why)],
  });
});

test("what only looks alike belongs to a module", async () => {
  const files = {
    "modules/clamp/src/distance/package.ts": "1;\n",
    "modules/clamp/test/fixtures/package.json": "{}",
    "modules/clamp/test/fixtures/tsconfig.json": "{}",
    "modules/clamp/src/limits.json": "{}",
    "modules/clamp/src/types.d.ts": "",
  };
  expect((await found({ ...GOOD, ...files })).kind).toBe("module");
});

test("a folder that is not there is told, and one that leads elsewhere is refused", async () => {
  expect(await found(GOOD, "other")).toEqual({
    kind: "refused",
    problems: ["there is no modules/other/ in the work: put the module there"],
  });
  await expect(found(GOOD, "../clamp")).rejects.toMatchObject({ code: "invalid_input" });
  await expect(found(GOOD, "")).rejects.toMatchObject({ code: "invalid_input" });
});
