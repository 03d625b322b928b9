import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entry, SAMPLES, type SampleFiles, viewOf } from "./samples.suite.ts";
import { surface } from "./surface.ts";

const of = (files: SampleFiles | string) => surface(viewOf(typeof files === "string" ? entry(files) : files));
const only = (text: string) => of(text).entries[0];

describe("the spelling of what is exported", () => {
  test.each([
    [
      "a function",
      "export function f(a: string, b?: number, ...c: boolean[]): void {}",
      "(a: string, b?: number, ...c: boolean[]) => void",
    ],
    ["a default is optional", "export function f(a = 1) { return [a]; }", "(a?: number) => number[]"],
    [
      "an inferred guard",
      "export const f = (x: unknown) => typeof x === 'string';",
      "(x: unknown) => x is string",
    ],
    [
      "overloads",
      "export function f(a: 1): 1; export function f(a: 2): 2; export function f(a: any): any { return a; }",
      "((a: 1) => 1) & ((a: 2) => 2)",
    ],
    [
      "generics",
      "export const f = <T extends { a: string }>(x: readonly T[]): T | undefined => x[0];",
      "<T extends { a: string }>(x: readonly T[]) => T | undefined",
    ],
    [
      "an internal type is spelled out",
      "interface In { b?: string; readonly a: number } export const f = (x: In) => x.a;",
      "(x: { b?: string; readonly a: number }) => number",
    ],
    [
      "a recursive internal type",
      "interface Tree { next?: Tree } export const f = (x: Tree) => 1;",
      "(x: { next?: up 1 }) => number",
    ],
    [
      "a tuple",
      "export const f = (x: readonly [a: string, b?: number]) => x;",
      "(x: readonly [string, number?]) => readonly [string, number?]",
    ],
    ["a union is sorted", "export let f: 'b' | 'a' | null = null;", '"a" | "b" | null'],
    ["booleans stay together", "export let f: boolean | undefined;", "boolean | undefined"],
    ["an enum", "export enum f { B = 2, A = 1 }", "enum { A = 1; B = 2 }"],
    [
      "a class",
      "export class f<T> { private x = 1; #y = 2; static s = 's'; constructor(readonly a: T) {} get b() { return this.#y; } m(z: T): this { return this; } }",
      "class<T> { new (a: T): f<T>; static s: string; m: (z: T) => f<T>; readonly a: T; readonly b: number }",
    ],
    [
      "an interface",
      "export interface f<T = string> { (x: T): void; [key: string]: unknown }",
      "type<T = string> ((x: T) => void) & { [key: string]: unknown }",
    ],
    [
      "a mapping",
      "export type f<T> = { [K in keyof T]?: T[K] };",
      "type<T> { [K in keyof T]?: T[K] | undefined; }",
    ],
    ["a conditional", "export type f<T> = T extends string ? 1 : 2;", "type<T> T extends string ? 1 : 2"],
  ])("%s", (_, text, signature) => {
    expect(only(text)?.signature).toBe(signature);
  });

  test("kinds, modes and places", () => {
    const { entries } = of({
      "src/index.ts":
        'export * from "./more.ts";\nexport const A = 1;\nexport type T = 1;\nexport class C {}',
      "src/more.ts": "// first\nexport const later = async () => 1;",
    });
    expect(entries.map(({ name, kind, async, file, line }) => [name, kind, async, file, line])).toEqual([
      ["A", "constant", false, "src/index.ts", 2],
      ["C", "class", false, "src/index.ts", 4],
      ["T", "type", false, "src/index.ts", 3],
      ["later", "function", true, "src/more.ts", 2],
    ]);
  });
});

const BASE = `export class Bad extends Error {}
export type Mode = "on" | "off" | { level: number; name: string };
interface Options { depth: number; label?: string }
export function run(input: string, options: Options, mode: Mode = "on"): string | number {
  const local = input.length;
  if (local > options.depth) throw new Bad("deep");
  return mode === "on" ? input : local;
}
export async function later<T extends object>(value: T, ...rest: string[]): Promise<T> { rest.pop(); return value; }
export class Box<T> { #value: T; constructor(value: T) { this.#value = value; } get(): T { return this.#value; } static of<U>(x: U) { return new Box(x); } }
export const LIMITS = { low: 1, high: 2 };
`;
const base = () => of(BASE).fingerprint;

describe("the fingerprint stays when nothing changes for callers", () => {
  test.each<[string, SampleFiles | string]>([
    ["comments and blank lines", BASE.replaceAll("{", "{ /* note */\n\n")],
    ["another layout", BASE.replaceAll(/\s+/g, " ").replaceAll(/ (export|interface) /g, "\n$1 ")],
    [
      "the order of declarations",
      BASE.split(/\n(?=export|interface)/)
        .toReversed()
        .join("\n"),
    ],
    [
      "the order of unions",
      BASE.replace('"on" | "off" | {', '"off" | { ')
        .replace("name: string };", 'name: string } | "on";')
        .replace("string | number {", "number | string {"),
    ],
    [
      "the order of members",
      BASE.replace("level: number; name: string", "name: string; level: number").replace(
        "low: 1, high: 2",
        "high: 2, low: 1",
      ),
    ],
    [
      "names of locals and parameters",
      BASE.replaceAll("local", "size").replaceAll("input", "text").replaceAll("rest", "others"),
    ],
    ["names of type parameters", BASE.replaceAll(/\bT\b/g, "Thing").replaceAll(/\bU\b/g, "Unit")],
    ["names of internal types", BASE.replaceAll("Options", "Settings")],
    [
      "an alias instead of an interface",
      BASE.replace(
        "interface Options { depth: number; label?: string }",
        "type Options = { label?: string } & { depth: number };",
      ).replace("{ label?: string } & { depth: number }", "{ label?: string; depth: number }"),
    ],
    ["code in another file", { "src/index.ts": 'export * from "./inner/all.ts";', "src/inner/all.ts": BASE }],
    [
      "another body with the same errors",
      BASE.replace("return mode", "check(options.depth); return mode") +
        "\nfunction check(n: number) { if (n < 0) throw new Bad(); }",
    ],
    [
      "an arrow function",
      BASE.replace(
        "export async function later<T extends object>(value: T, ...rest: string[]): Promise<T> {",
        "export const later = async <T extends object>(value: T, ...rest: string[]): Promise<T> => {",
      ),
    ],
  ])("%s", (_, files) => {
    expect(of(files).fingerprint).toBe(base());
  });

  test("any order of any declarations in any files", () => {
    const parts = BASE.trim().split(/\n(?=export|interface)/);
    const orders = fc.shuffledSubarray(parts, { minLength: parts.length, maxLength: parts.length });
    fc.assert(
      fc.property(orders, fc.nat(2), (order, blanks) => {
        expect(of(order.join("\n".repeat(blanks + 1))).fingerprint).toBe(base());
      }),
      { numRuns: 8 },
    );
  });
});

describe("the fingerprint changes with", () => {
  test.each<[string, string, string]>([
    ["a new export", "export const LIMITS", "export const MORE = 1;\nexport const LIMITS"],
    ["a lost export", "export const LIMITS", "const LIMITS"],
    ["a renamed export", "LIMITS", "BOUNDS"],
    ["another type of parameter", "input: string", "input: string | Uint8Array"],
    ["a new parameter", "input: string,", "input: string, extra: number,"],
    ["a new optional parameter", 'mode: Mode = "on")', 'mode: Mode = "on", extra?: number)'],
    ["a parameter that must be given", 'mode: Mode = "on")', "mode: Mode)"],
    ["a lost parameter", "input: string, options: Options,", "input: string, options: Options, _gone: 1,"],
    ["the order of parameters", "input: string, options: Options", "options: Options, input: string"],
    ["another result", "): string | number {", "): string | number | boolean {"],
    [
      "a result that is not promised any more",
      "export async function later<T extends object>(value: T, ...rest: string[]): Promise<T>",
      "export function later<T extends object>(value: T, ...rest: string[]): T",
    ],
    ["another constraint", "T extends object", "T extends { a: 1 }"],
    ["no rest", "...rest: string[]", "rest: string[]"],
    ["a member of an internal type", "depth: number;", "depth: bigint | number;"],
    ["an optional member that must be given", "label?: string", "label: string"],
    ["a readonly member", "label?: string", "readonly label?: string"],
    ["a member of a union", '"on" | "off"', '"on" | "off" | "auto"'],
    ["another error", "throw new Bad", "throw new RangeError"],
    ["an error more", "return mode", 'if (local === 3) throw new TypeError("x"); return mode'],
    ["an error less", 'throw new Bad("deep")', "return 0"],
    ["another base of an error", "extends Error", "extends TypeError"],
    ["a new method", "get(): T {", "peek(): T { return this.#value; } get(): T {"],
    ["a lost static", "static of", "private static of"],
    ["another constructor", "constructor(value: T)", "constructor(value: T, _more: number)"],
    ["a private constructor", "constructor(value: T)", "private constructor(value: T)"],
    ["a method that becomes a getter", "get(): T {", "get get(): T {"],
    ["another constant", "high: 2", 'high: "2"'],
    ["a class that is abstract", "export class Box", "export abstract class Box"],
  ])("%s", (_, from, to) => {
    expect(BASE).toContain(from);
    expect(of(BASE.replace(from, to)).fingerprint).not.toBe(base());
  });
});

test("every sample has a surface that is the same when asked again", () => {
  for (const files of Object.values(SAMPLES)) {
    const first = of(files);
    expect(first.entries.length).toBeGreaterThan(0);
    expect(of(files)).toEqual(first);
  }
});
