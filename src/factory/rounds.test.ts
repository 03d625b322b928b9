// Which of the researcher's folders may go, and that the one at work never does.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deskIn, projectOf } from "../../test/project-samples.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { finishedRounds, removeRounds } from "./rounds.ts";

/** With ten rounds and more, so that the order of names is not the order of rounds. */
async function refined(): Promise<{ directory: string; begin: () => Promise<unknown> }> {
  const directory = temporaryDirectory();
  const desk = await deskIn(directory);
  for (const name of ["round-1", "round-2", "round-10", "kept"]) {
    mkdirSync(join(directory, ".cupel/product", name), { recursive: true });
    writeFileSync(join(directory, ".cupel/product", name, "draft.json"), "{}");
  }
  return { directory, begin: () => projectOf([[]], desk) };
}

const left = (directory: string): string[] =>
  ["round-1", "round-2", "round-10", "kept"].filter((name) =>
    existsSync(join(directory, ".cupel/product", name)),
  );

test("rounds that are over go; the one at work stays until there is a project", async () => {
  const { directory, begin } = await refined();
  expect((await finishedRounds(directory)).map(({ name }) => name)).toEqual(["round-1", "round-2"]);
  expect(left(directory)).toHaveLength(4);
  expect((await removeRounds(directory)).every(({ bytes }) => bytes > 0)).toBe(true);
  expect(left(directory)).toEqual(["round-10", "kept"]);
  expect(await removeRounds(directory)).toEqual([]);
  await begin();
  await removeRounds(directory);
  expect(left(directory)).toEqual(["kept"]);
});

test("nothing outside goes with a folder, whatever an agent put into it", async () => {
  const { directory } = await refined();
  const mine = temporaryDirectory();
  writeFileSync(join(mine, "mine.txt"), "mine");
  symlinkSync(mine, join(directory, ".cupel/product/round-1/out"));
  symlinkSync(mine, join(directory, ".cupel/product/round-3"));
  await removeRounds(directory);
  expect(existsSync(join(mine, "mine.txt"))).toBe(true);
  expect(left(directory)).toEqual(["round-10", "kept"]);
});

test("where nothing was refined there is nothing to remove", async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, ".cupel"));
  expect(await removeRounds(directory)).toEqual([]);
});
