// No spelling of the factory's folder gets past, and no other name is taken for it.
import { expect, test } from "vitest";
import { isOfTheFactory } from "./factory-paths.ts";

test.each([
  ".cupel",
  ".cupel/hub.git/config",
  ".CUPEL/x",
  ".Cupel",
  ".cupel./x",
  ".cupel . ./x",
  ".cupel ",
  ".cu\u200Bpel/x",
  ".cupel\u00AD/x",
  "\uFEFF.cupel/x",
  ".cu\u034Fpel/x",
  ".cupe\uFE0Fl/x",
  ".cupel\u{E0001}/x",
  ".\uFF43upel/x",
  "\u2024cupel/x",
  ".cupel::$INDEX_ALLOCATION/x",
  ".cupel:stream",
  ".CUPEL. :$I30:$INDEX_ALLOCATION/x",
  ".cupel\uFF1Astream",
  "CUPEL~1/hub.git",
  "cupel~12",
  String.raw`.cupel\hub.git\config`,
  "./.cupel/x",
  "//.cupel/x",
])("%j belongs to the factory", (path) => {
  expect(isOfTheFactory(path)).toBe(true);
});

test.each([
  "",
  ".",
  "cupel",
  "src/.cupel",
  ".cupel-canary",
  ".cupel.json",
  ".cupels/x",
  "x.cupel",
  "cupel~",
  "a:.cupel",
  ".git",
])("%j does not", (path) => {
  expect(isOfTheFactory(path)).toBe(false);
});
