// What callers may change of a result is known by its type alone.
import { expect, test } from "vitest";
import { withMutableResults } from "./mutable-results.ts";

function isMutable(type: string): boolean {
  const entry = { name: "give", inputs: [], outputs: [], errors: [], effects: [] };
  return withMutableResults([{ ...entry, signature: `(of: string) => ${type}` }]).length > 0;
}

test.each([
  "number[]",
  "Array<string>",
  "Promise<string[]>",
  "Map<string, number>",
  "[number, number]",
  "{ total: number }",
])("%s is theirs", (type) => {
  expect(isMutable(type)).toBe(true);
});

test.each([
  "number",
  "readonly number[]",
  "ReadonlyArray<string>",
  "Promise<ReadonlyMap<string, number>>",
  "Readonly<Record<string, number>>",
  "{ readonly total: number }",
  "Settings",
])("%s is not", (type) => {
  expect(isMutable(type)).toBe(false);
});
