// Work that was refused for its files was refused by the harness, and work that fails its tests by these.
import { expect, test } from "vitest";
import { isAboutFiles } from "./battery-seen.ts";

test.each([
  "modules/clamp holds more than 1000 files or 400000 bytes: make it smaller",
  "modules/clamp/src/tsconfig.json changes how the code is read or loaded: give it another name",
  "modules/clamp/vitest.config.ts does not belong to a module, which is examples.md, src/ and test/: move or delete it",
  "modules/clamp/src/.gitattributes tells git how to read the others: delete it",
  "as of 0123456789ab: modules/clamp/src/a.js is not TypeScript, so the compiler sees none of it: write it anew",
])("%s", (words) => {
  expect(isAboutFiles(words)).toBe(true);
});

test.each([
  "keeps a value within its limits: expected 3 to be 4",
  "modules of the kitchen: expected [] to deeply equal [ 1 ]",
  "test/a.test.ts: cannot load modules/clamp/src/index.ts",
])("%s is about tests", (words) => {
  expect(isAboutFiles(words)).toBe(false);
});
