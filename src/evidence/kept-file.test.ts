// What only saves time is whole or not there, and never stands in anybody's way.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { keepFile } from "./kept-file.ts";
import { fileCache } from "./liveness.ts";
import { fileMemory } from "./mutant-memory.ts";

test("the last one counts, and nothing is left beside it", () => {
  const path = join(temporaryDirectory(), "a", "b");
  for (const text of ["one", "two"]) keepFile(path, text);
  expect(readFileSync(path, "utf8")).toBe("two");
  expect(readdirSync(dirname(path))).toEqual(["b"]);
});

test("a place that cannot be written is no reason to fail", () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "file"), "");
  keepFile(join(directory, "file", "below"), "text");
  const memory = fileMemory(join(directory, "file"));
  memory.write("m", new Map());
  expect(memory.read("m")).toEqual(new Map());
  mkdirSync(join(directory, "ab", "c"), { recursive: true });
  fileCache(directory).write("abc", "a defect");
  expect(readdirSync(join(directory, "ab"))).toEqual(["c"]);
});

test("what a process that was killed left empty is not taken for an answer", () => {
  const directory = temporaryDirectory();
  const cache = fileCache(directory);
  cache.write("abc", "a defect");
  expect(cache.read("abc")).toBe("a defect");
  writeFileSync(join(directory, "ab", "c"), "");
  expect(cache.read("abc")).toBeUndefined();
});
