import { expect, test } from "vitest";
import { askedType, ioTypesOf } from "./io-types.ts";

test.each([
  ["text: string", ["string"]],
  ["string", ["string"]],
  ["limit?: number (at least 1)", ["number"]],
  ["rows: Array<Row>, never empty", ["row[]"]],
  ["rows: readonly Row[]", ["row[]"]],
  ["value: string | null", ["string|null", "string", "null"]],
  ["pick: Map<string, number | null>", ["map<string,number|null>"]],
  ["done: Promise<User | undefined>", ["promise<user|undefined>", "user|undefined"]],
  ["on: (a: string) => void", ["(a:string)=>void"]],
  ["either: A | (B & C)", ["a|(b&c)", "a", "(b&c)"]],
  ["names: list[str] — sorted", ["list[str]"]],
  ["table: dict[str, int]", ["dict[str,int]"]],
  ["CSV text with a header", ["csvtextwithaheader"]],
])("%s", (line, types) => {
  expect(ioTypesOf(line)).toEqual(types);
});

test("asking is spelled like the lines", () => {
  expect(askedType(" ReadonlyArray< Row > ")).toBe("row[]");
  expect(ioTypesOf("x: Row[]")).toContain(askedType("Array<Row>"));
});

test("brackets that never close, and lines without end, take no time", () => {
  const line = `a: ${"<".repeat(50_000)}${" (".repeat(50_000)}`;
  const begin = performance.now();
  expect(ioTypesOf(line)).toHaveLength(1);
  expect(performance.now() - begin).toBeLessThan(1000);
});
