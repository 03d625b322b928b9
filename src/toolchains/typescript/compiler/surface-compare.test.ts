import { describe, expect, test } from "vitest";
import type { EntryPoint } from "../../../domain/contract/contract.ts";
import { entry, viewOf } from "./samples.suite.ts";
import { compareSurface } from "./surface-compare.ts";

function point(name: string, signature: string, errors: string[] = []): EntryPoint {
  return { name, signature, inputs: [], outputs: [], errors, effects: [] };
}

function differences(text: string, ...points: EntryPoint[]) {
  const { compared, differences: found } = compareSurface(viewOf(entry(text)), points);
  expect(compared).toBe(points.length);
  return found.map(({ entry: name, what }) => `${name}: ${what}`);
}

describe("the same", () => {
  test.each<[string, string, string]>([
    ["as written", "export function f(a: string): string { return a; }", "(a: string) => string"],
    [
      "other names of parameters",
      "export function f(a: string): string { return a; }",
      "(title: string) => string",
    ],
    [
      "another order of a union",
      "export function f(a: 'x' | 'y' | null) { return a; }",
      "(a: null | 'y' | 'x') => 'y' | null | 'x'",
    ],
    [
      "a structure for an internal name",
      "interface In { a: string; b?: number } export const f = (x: In) => x.a;",
      "(x: { b?: number; a: string }) => string",
    ],
    [
      "a type that the module exports",
      "export interface Point { x: number } export const f = (p: Point): Point[] => [p];",
      "(p: Point) => Array<Point>",
    ],
    [
      "generics under other names",
      "export const f = <T extends string>(x: T[]): T | undefined => x[0];",
      "<U extends string>(x: U[]) => U | undefined",
    ],
    [
      "overloads",
      "export function f(a: string): string; export function f(a: number): number; export function f(a: unknown): unknown { return a; }",
      "((a: string) => string) & ((a: number) => number)",
    ],
    [
      "optional and rest",
      "export const f = (a?: string, ...b: number[]): void => {};",
      "(a?: string, ...b: number[]) => void",
    ],
    ["a default", "export const f = (a = 1): number => a;", "(a?: number) => number"],
    ["asynchronous", "export const f = async (): Promise<string> => 'x';", "() => Promise<string>"],
    [
      "a guard",
      "export const f = (x: unknown): x is string => typeof x === 'string';",
      "(x: unknown) => x is string",
    ],
    ["a constant", "export const f = { low: 1, high: 2 };", "{ high: number; low: number }"],
    [
      "a class",
      "export class f { constructor(readonly size: number) {} grow(): f { return this; } }",
      "new (size: number) => f",
    ],
    [
      "a class whose constructor has defaults",
      "export class f { constructor(readonly size: number = 1, private names = ['a']) {} }",
      "new (size?: number, names?: string[]) => f",
    ],
    [
      "a class that is made of nothing or of a text",
      "export class f { constructor(readonly name: string | null = null) {} }",
      "new (name?: string | null) => f",
    ],
    [
      "a class whose constructor says no type for what has a default",
      "export class f { #size: number; constructor(size = 1) { this.#size = size; } get size() { return this.#size; } }",
      "new (size?: number) => f",
    ],
    [
      "a class of anything",
      "export class f<T> { #all: T[] = []; constructor(readonly size: number, first?: T) { if (first) this.#all.push(first); } *[Symbol.iterator](): Iterator<T> { yield* this.#all; } }",
      "new <T>(size: number, first?: T) => f<T>",
    ],
    [
      "a class of something with a name",
      "export class f<K extends string, V = number> { get(key: K): V | undefined { return undefined; } }",
      "new <K extends string, V = number>() => f<K, V>",
    ],
    [
      "any where the contract says any",
      "export const f = (x: any): string => String(x);",
      "(x: any) => string",
    ],
    [
      "a signature on several lines",
      "export const f = (x: string): string => x;",
      "(\n  x: string, // text\n) => string",
    ],
  ])("%s", (_, text, signature) => {
    expect(differences(text, point("f", signature))).toEqual([]);
  });
});

describe("different", () => {
  test.each<[string, string, string, string[]]>([
    ["not there", "export const g = 1;", "() => void", ["f: missing", "g: extra"]],
    ["another parameter", "export const f = (a: number) => a;", "(a: string) => number", ["f: signature"]],
    [
      "a wider parameter",
      "export const f = (a: string | number) => 1;",
      "(a: string) => number",
      ["f: signature"],
    ],
    ["a narrower result", "export const f = (): 'a' => 'a';", "() => string", ["f: signature"]],
    [
      "one parameter more",
      "export const f = (a: string, b?: number) => a;",
      "(a: string) => string",
      ["f: signature"],
    ],
    ["one parameter less", "export const f = () => 'x';", "(a: string) => string", ["f: signature"]],
    [
      "optional instead of required",
      "export const f = (a?: string): string => a ?? '';",
      "(a: string) => string",
      ["f: signature"],
    ],
    [
      "any for a parameter",
      "export const f = (a: any): string => String(a);",
      "(a: string) => string",
      ["f: signature"],
    ],
    [
      "any for a result",
      "export const f = (a: string): any => a;",
      "(a: string) => string",
      ["f: signature"],
    ],
    [
      "any deep inside",
      "export const f = (a: { list: any[] }) => 1;",
      "(a: { list: string[] }) => number",
      ["f: signature"],
    ],
    ["all any", "export const f: any = 1;", "(a: string) => string", ["f: signature"]],
    [
      "never for a result",
      "export const f = (a: string): never => { for (;;); };",
      "(a: string) => string",
      ["f: signature"],
    ],
    [
      "a mutable list",
      "export const f = (a: string[]) => 1;",
      "(a: readonly string[]) => number",
      ["f: signature"],
    ],
    ["asynchronous", "export const f = async () => 1;", "() => number", ["f: mode"]],
    ["not asynchronous", "export const f = () => 1;", "() => Promise<number>", ["f: mode"]],
    ["less generic", "export const f = (x: string) => x;", "<T extends string>(x: T) => T", ["f: signature"]],
    [
      "overloads missing",
      "export function f(a: string): string { return a; }",
      "((a: string) => string) & ((a: number) => number)",
      ["f: signature"],
    ],
    [
      "another constructor",
      "export class f { constructor(readonly size: string) {} }",
      "new (size: number) => f",
      ["f: signature"],
    ],
    [
      "a constructor that takes more",
      "export class f { constructor(readonly size: string | number) {} }",
      "new (size: number) => f",
      ["f: signature"],
    ],
    [
      "a constructor with a default of another type",
      "export class f { constructor(readonly size = 'x') {} }",
      "new (size?: number) => f",
      ["f: signature"],
    ],
    [
      "a constructor that also takes null",
      "export class f { constructor(readonly size: number | null = 1) {} }",
      "new (size?: number) => f",
      ["f: signature"],
    ],
    [
      "a class of anything that is made of something else",
      "export class f<T> { constructor(readonly first: T[]) {} }",
      "new <T>(first: T) => f<T>",
      ["f: signature"],
    ],
    [
      "a class of anything where only texts are promised",
      "export class f<T> { constructor(readonly first: T) {} }",
      "new <T extends string>(first: T) => f<T>",
      ["f: signature"],
    ],
    ["a constant of another type", "export const f = { low: 1 };", "{ low: string }", ["f: signature"]],
    [
      "a type that nobody exports",
      "interface P { x: 1 } export const f = (p: P) => 1;",
      "(p: P) => number",
      ["f: signature"],
    ],
    ["no type at all", "export const f = () => 1;", "() => ;", ["f: signature"]],
    [
      "code in the signature",
      "export const f = () => 1;",
      "() => number;\nimport '/etc/passwd'",
      ["f: signature"],
    ],
    [
      "an end that is smuggled in",
      "export const f = (): string => '';",
      "any; export type Expected1 = string",
      ["f: signature"],
    ],
    [
      "an undeclared error",
      "export const f = (): number => { throw new RangeError(); };",
      "() => number",
      ["f: errors"],
    ],
  ])("%s", (_, text, signature, expected) => {
    expect(differences(text, point("f", signature))).toEqual(expected);
  });

  test("says what was expected and found, and where", () => {
    const view = viewOf(entry("// first\nexport const f = (a: number): number => a;"));
    expect(compareSurface(view, [point("f", "(a: string) => number")]).differences).toEqual([
      {
        entry: "f",
        what: "signature",
        expected: "(a: string) => number",
        found: "(a: number) => number",
        file: "src/index.ts",
        line: 2,
      },
    ]);
  });
});

describe("errors", () => {
  const text =
    "export class Bad extends Error {}\nexport const f = (a: string): string => { if (a === '') throw new Bad(); return a; };";
  const signature = "(a: string) => string";

  test.each<[string, string, string[], string[]]>([
    ["declared and thrown", text, ["Bad"], []],
    ["thrown and not declared", text, [], ["f: errors", "Bad: extra"]],
    ["declared and not thrown", text.replace("throw new Bad()", "return a"), ["Bad"], ["f: errors"]],
    [
      "declared, told by a code",
      "export const f = (a: string): string => (a === '' ? 'Bad' : a);",
      ["Bad"],
      [],
    ],
    [
      "declared, and what a promise is rejected with",
      "export class Bad extends Error {}\nexport const f = (a: string): string => { void new Promise((_, no) => { no(new Bad()); }); return a; };",
      ["Bad"],
      [],
    ],
    ["one of two", text, ["Bad", "Worse"], ["f: errors"]],
    ["of unknown class", text.replace("throw new Bad()", "throw a as unknown"), ["Bad"], ["f: errors"]],
  ])("%s", (_, code, errors, expected) => {
    expect(differences(code, point("f", signature, errors))).toEqual(expected);
  });
});

test("what a member of a class throws may be said of the member alone", () => {
  const text =
    "export class Closed extends Error {}\nexport class Door { constructor(n: number) { if (n < 0) throw new RangeError(); } open(): void { throw new Closed(); } }";
  const made = (errors: string[]) => point("Door", "new (n: number) => Door", errors);
  expect(differences(text, made(["RangeError"]), point("Door.open", "() => void", ["Closed"]))).toEqual([]);
  expect(differences(text, made(["RangeError", "Closed"]))).toEqual([]);
  expect(differences(text, made([]), point("Door.open", "() => void", ["Closed"]))).toEqual(["Door: errors"]);
  expect(differences(text, made(["RangeError"]), point("Door.open", "() => void"))).toContain("Door: errors");
});

test("members of a class can be entry points, and several are compared", () => {
  const text =
    "export class Stack { push(x: string): number { return x.length; } static of(): Stack { return new Stack(); } }\nexport type Name = string;\nexport const extra: number = 1;";
  expect(
    differences(text, point("Stack.push", "(x: string) => number"), point("Stack.of", "() => Stack")),
  ).toEqual(["extra: extra"]);
  expect(
    differences(
      text,
      point("Stack.push", "(x: number) => number"),
      point("Stack.pop", "() => string"),
      point("extra", "number"),
    ),
  ).toEqual(["Stack.push: signature", "Stack.pop: missing"]);
});

test("members of a generic class speak of what it is generic over, as its constructor names it", () => {
  const text = `export class Box<K extends string, V = number> {
  #values = new Map<K, V>();
  get(key: K): V | undefined { return this.#values.get(key); }
  set(key: K, value: V): this { this.#values.set(key, value); return this; }
  map<R>(change: (value: V) => R): R[] { return [...this.#values.values()].map(change); }
}`;
  const made = point("Box", "new <Key extends string, Value = number>() => Box<Key, Value>");
  const members = (get: string) => [
    made,
    point("Box.get", get),
    point("Box.set", "(key: Key, value: Value) => Box<Key, Value>"),
    point("Box.map", "<Out>(change: (value: Value) => Out) => Out[]"),
  ];
  expect(differences(text, ...members("(key: Key) => Value | undefined"))).toEqual([]);
  for (const other of [
    "(key: Key) => Value",
    "(key: Key) => Key | undefined",
    "(key: string) => Value | undefined",
    "(key: Key) => any",
    "(key: Key, other?: Key) => Value | undefined",
    "(key: K) => V | undefined",
    "(key: Key) => Value | undefined, never",
  ])
    expect(differences(text, ...members(other))).toContain("Box.get: signature");
});

test("a method that gives its own object gives one of its class", () => {
  const text =
    "export class Text { #text = ''; add(more: string): this { this.#text += more; return this; } }";
  expect(differences(text, point("Text.add", "(more: string) => Text"))).toEqual([]);
  expect(differences(text, point("Text.add", "(more: string) => string"))).toEqual(["Text.add: signature"]);
});

const withMember = (member: string) =>
  `export class Bad extends Error { ${member} }\nexport const f = (a: string): string => { if (a === '') throw new Bad(); return a; };`;
const foundIn = (code: string) => differences(code, point("f", "(a: string) => string", ["Bad"]));

describe("the class of a declared error", () => {
  test.each([
    ["a function of its own", "static left(a: number): number { return a; }", ["Bad.left: extra"]],
    ["a field that is one", "static left = (a: number): number => a;", ["Bad.left: extra"]],
    ["a way to make one", "static of(field: string): Bad { return new Bad(field); }", []],
    ["a way to know one", "static is(value: unknown): value is Bad { return value instanceof Bad; }", []],
    ["a constant and fields", "static readonly code = 'bad'; readonly field = 'a';", []],
    [
      "what nobody can reach",
      "static #left(a: number): number { return a; } static twice = String(Bad.#left(1));",
      [],
    ],
  ])("with %s", (_, member, expected) => {
    expect(foundIn(withMember(member))).toEqual(expected);
  });

  test("is a class", () => {
    const code =
      "export function Bad(a: number): number { return a; }\nexport const f = (a: string): string => (a === '' ? 'Bad' : a);";
    expect(foundIn(code)).toEqual(["Bad: extra"]);
  });
});
