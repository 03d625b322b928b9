// Programs share what has not changed; none ever answers for code that is no longer there.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { build } from "./build.ts";
import { showsAll, stopCompiler, withProgram } from "./program.ts";
import { type SampleFiles, viewOf } from "./samples.suite.ts";
import { surface } from "./surface.ts";

afterAll(stopCompiler);

const GOOD = {
  "src/index.ts": 'export * from "./part.ts";\n',
  "src/part.ts": "export function part(n: number): number {\n  return n + 1;\n}\n",
  "test/a.test.ts":
    'import { expect, test } from "vitest";\nimport { part } from "../src/index.ts";\ntest("t", () => { expect(part(1)).toBe(2); });\n',
};
const wrongIndex = { "src/index.ts": `${GOOD["src/index.ts"]}export const wrong: number = "text";\n` };
const wrongPart = { "src/part.ts": GOOD["src/part.ts"].replace("n + 1", '"text"') };
const wrongTest = { "test/a.test.ts": GOOD["test/a.test.ts"].replace("part(1)", 'part("1")') };

function places(files: SampleFiles): string[] {
  const report = build(viewOf(files));
  return report.kind === "built" ? [] : report.errors.map(({ file, line }) => `${file}:${line}`);
}

describe("after a change", () => {
  test.each<[string, SampleFiles, string[]]>([
    ["of the entry", wrongIndex, ["src/index.ts:2"]],
    ["of another source", wrongPart, ["src/part.ts:2"]],
    ["of a test", wrongTest, ["test/a.test.ts:3"]],
    ["of all files", { ...wrongIndex, ...wrongPart }, ["src/index.ts:2", "src/part.ts:2"]],
  ])("%s the new code is judged, and the old one once it is back", (_, change, wrong) => {
    for (let round = 0; round < 2; round++) {
      expect(places(GOOD)).toEqual([]);
      expect(places({ ...GOOD, ...change })).toEqual(wrong);
    }
    expect(places(GOOD)).toEqual([]);
  });

  test("from one defect to the next, each is told alone", () => {
    const all = [wrongIndex, wrongPart, wrongTest, wrongPart, wrongIndex, {}, wrongTest, {}];
    const told = all.map((change) => places({ ...GOOD, ...change }).map((place) => place.split(":")[0]));
    expect(told).toEqual(all.map((change) => Object.keys(change)));
  });

  test("of a file in the same folder the next look sees it", () => {
    const view = viewOf(GOOD);
    const names = () => surface(view).entries.map(({ name }) => name);
    expect(names()).toEqual(["part"]);
    for (const name of ["first", "second", "third"]) {
      writeFileSync(join(view.directory, "src/part.ts"), `export const ${name} = 1;\n`);
      expect(names()).toEqual([name]);
      expect(build(view)).toMatchObject({ kind: "broken", errors: [{ file: "test/a.test.ts" }] });
    }
  });

  test("of what is imported, imports are followed anew", () => {
    const other = { "src/other.ts": "export const part = (text: string): string => text;\n" };
    const files = { ...GOOD, ...other };
    expect(places(files)).toEqual([]);
    const turned = { ...files, "src/index.ts": 'export * from "./other.ts";\n' };
    expect(places(turned)).toEqual(["test/a.test.ts:3"]);
    expect(places(files)).toEqual([]);
  });
});

test("a place that was closed and is needed again holds nothing of what was there", () => {
  const others = Array.from({ length: 8 }, (_, at) => ({ ...GOOD, [`src/other${at}.ts`]: "export {};\n" }));
  for (const change of [wrongIndex, wrongPart, {}, wrongTest, {}]) {
    expect(places({ ...GOOD, ...change }).map((place) => place.split(":")[0])).toEqual(Object.keys(change));
    for (const other of others) expect(places(other)).toEqual([]);
  }
});

test("more modules than are kept open, in turns, are never taken for one another", () => {
  const versions = Array.from({ length: 9 }, (_, at) => ({
    ...GOOD,
    "src/part.ts": `export function part(n: number): number {\n${"\n".repeat(at)}  return n + "";\n}\n`,
  }));
  for (let round = 0; round < 2; round++)
    for (const [at, files] of versions.entries()) expect(places(files)).toEqual([`src/part.ts:${at + 2}`]);
});

test("a program with another text than it was shown is noticed", () => {
  const program = (text: string) =>
    withProgram(viewOf(GOOD), (opened) => ({ ...opened, texts: new Map([["src/part.ts", text]]) }));
  expect(showsAll(program(GOOD["src/part.ts"]))).toBe(true);
  expect(showsAll(program(wrongPart["src/part.ts"]))).toBe(false);
});
