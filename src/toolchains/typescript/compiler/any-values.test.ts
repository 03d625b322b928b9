// Types that are anything under another name, and values of which the compiler knows nothing.
import { describe, expect, test } from "vitest";
import { anyValues } from "./any-values.ts";
import { entry, viewOf } from "./samples.suite.ts";

function lines(text: string): number[] {
  return [...new Set(anyValues(viewOf(entry(text))).map(({ line }) => line))];
}

describe("told", () => {
  test.each([
    ["another name for any", "type A = ReturnType<typeof JSON.parse>;"],
    ["a member that is any", 'export const a = (value: PropertyDescriptor["value"]) => String(value);'],
    [
      "what a helper has parsed",
      "export const a = (text: string): number[] => read(text);\nfunction read(text: string) { return JSON.parse(text); }",
    ],
    [
      "a field of what it made",
      "const held = { sizes: JSON.parse('[]') };\nexport const a = (): number[] => held.sizes;",
    ],
    [
      "an item of a list",
      "const [sizes] = [JSON.parse('[]')];\nexport function a(): number[] { return sizes; }",
    ],
    [
      "what is in a table of anything",
      "const known = new Map();\nexport const a = (): number[] => known.get('a');",
    ],
    [
      "what is made of it",
      "export const a = (text: string): { size: number } => ({ size: JSON.parse(text) });",
    ],
    [
      "what it is handed",
      "export const a = (text: string) => twice(JSON.parse(text));\nfunction twice(size: number) { return 2 * size; }",
    ],
    [
      "what has another prototype",
      "export const a = (value: object): number[] => Object.setPrototypeOf(value, Array.prototype);",
    ],
    ["one of two", "export const a = (text: string): number => (text === '' ? 0 : JSON.parse(text));"],
  ])("%s", (_what, text) => {
    expect(lines(text)).toHaveLength(1);
  });
});

describe("not told", () => {
  test.each([
    ["a type by its name", "export type A = ReturnType<typeof parseInt>;\nexport const a: A = 1;"],
    ["what is unknown", "export const a = (text: string): unknown => JSON.parse(text);"],
    [
      "what is asked before it is given",
      "export function a(text: string): number { const size = JSON.parse(text); if (typeof size !== 'number') throw new Error(); return size; }",
    ],
    [
      "what is asked by whom it is handed to",
      "export const a = (text: string) => twice(JSON.parse(text));\nfunction twice(size: number) { if (!Number.isInteger(size)) throw new Error(); return 2 * size; }",
    ],
    ["an object with nothing in it", "export const a: Record<string, number> = Object.create(null);"],
    ["a copy", "export const a = (grid: number[][]): number[][] => JSON.parse(JSON.stringify(grid));"],
    [
      "a list of anything that is filled",
      "export const a = (size: number): number[] => new Array(size).fill(0);",
    ],
    [
      "what is looked up after a question",
      "const known = new Map();\nexport const a = (key: string): number => (known.has(key) ? known.get(key) : 0);",
    ],
    [
      "what was caught",
      "export function a(f: () => void): string { try { f(); } catch (error) { return String(error); } return ''; }",
    ],
  ])("%s", (_what, text) => {
    expect(lines(text)).toEqual([]);
  });
});

test("what does not compile is a matter of the build", () => {
  expect(lines("export const a: Nowhere = 1;")).toEqual([]);
});
