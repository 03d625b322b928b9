// Small modules of many kinds, which every reader of code is tried on.
import { CLAMP, moduleFolder } from "../../../../test/module-samples.ts";
import { detectLayout } from "../layout.ts";
import type { ModuleView } from "./module-view.ts";

export type SampleFiles = Readonly<Record<string, string>>;

export function viewOf(files: SampleFiles): ModuleView {
  const directory = moduleFolder(files);
  const found = detectLayout(directory);
  if (found.kind === "no-module") throw new Error(found.why);
  return { layout: found.layout, directory };
}

export function entry(text: string, more: SampleFiles = {}): SampleFiles {
  return { "src/index.ts": text, ...more };
}

export const SAMPLES: Readonly<Record<string, SampleFiles>> = {
  clamp: CLAMP,
  "a class with private state": entry(`
export class Empty extends Error {
  constructor(readonly size: number) {
    super(\`empty: \${size}\`);
    this.name = "Empty";
  }
}
export class Stack<T> {
  #items: T[] = [];
  static of<U>(...items: U[]): Stack<U> { const made = new Stack<U>(); for (const item of items) made.push(item); return made; }
  push(item: T): this { this.#items.push(item); return this; }
  pop() { const item = this.#items.pop(); if (item === undefined) throw new Empty(0); return item; }
  get size() { return this.#count(); }
  set limit(value: number) { if (value < 0) throw new RangeError("negative"); }
  #count() { return this.#items.length; }
  protected hook(): void {}
}`),
  overloads: entry(`
export function parse(text: string): string;
export function parse(value: number): number;
export function parse(given: string | number): string | number { return given; }`),
  "asynchronous functions": entry(`
export class Missing extends Error {}
export async function load(name: string) { if (name === "") throw new Missing(name); return { name, size: name.length }; }
export const later = async <T>(value: T) => value;
export const rejected = (name: string) => Promise.reject<string>(new Missing(name));`),
  generators: entry(`
export function* count(to: number) { for (let at = 0; at < to; at++) yield at; }
export async function* slowly(items: readonly string[]) { for (const item of items) yield item; }`),
  "arrow functions in every form": entry(
    `
export const double = (x: number) => x * 2;
export const identity = <T>(x: T) => x;
export const text: (x: number) => string = x => String(x);
export const curried = (a: number) => (b: number) => a + b;
const internal = x => x;
export const use = (value: string) => internal(value) as string;`,
    { "tsconfig.json": '{ "compilerOptions": { "strict": true, "noImplicitAny": false } }' },
  ),
  "a default export": entry(`export default function greet(name: string) { return "hello " + name; }`),
  "a default arrow": entry(`export default (name: string) => "hello " + name;`),
  "several files": {
    "src/index.ts": `export { area } from "./area.ts";\nexport * as units from "./units.ts";\nexport type { Shape } from "./shape.ts";`,
    "src/area.ts": `import type { Shape } from "./shape.ts";\nimport { square } from "./units.ts";\nexport function area(shape: Shape) { return shape.kind === "circle" ? Math.PI * square(shape.radius) : square(shape.side); }`,
    "src/shape.ts": `export type Shape = { kind: "circle"; radius: number } | { kind: "square"; side: number };`,
    "src/units.ts": `export function square(x: number) { return x * x; }\nexport const LIMIT = 10;`,
  },
  "code that runs at import": entry(`
const table = buildTable();
function buildTable() { const made = new Map<string, number>(); for (const letter of "abc") made.set(letter, letter.charCodeAt(0)); return made; }
export function codeOf(letter: string) { return table.get(letter); }
export const sorted = [3, 1, 2].sort(byValue);
function byValue(a: number, b: number) { return a - b; }
export const { first, second } = pair();
function pair() { return { first: 1, second: { deep: "x" } }; }
class Registry { names: string[] = []; constructor() { this.names.push("x"); } add(name: string) { this.names.push(name); return this; } }
export const registry = new Registry();
registry.add("one");
codeOf("a");
export const WORDS = ["a", "b"] as const;
export const LOOKUP: ReadonlyMap<string, number> = new Map([["a", 1]]);`),
  "static members": entry(`
export class Config {
  static #shared: Config | undefined;
  static readonly defaults = { depth: 3 };
  static made = Config.make(2);
  static { Config.#shared = Config.make(1); }
  readonly handler = (name: string) => name + this.depth;
  constructor(private readonly depth: number) { if (depth < 0) throw new RangeError("depth"); }
  static make(depth: number) { return new Config(depth); }
  static get shared() { return Config.#shared; }
}`),
  inheritance: entry(`
export abstract class Animal { constructor(protected readonly name: string) {} abstract sound(): string; speak() { return this.name + this.sound(); } }
export class Dog extends Animal { readonly #tricks: string[]; constructor(name: string) { const loud = name.toUpperCase(); super(loud); this.#tricks = []; } sound() { return "woof"; } tricks() { return [...this.#tricks]; } }`),
  "type guards and assertions": entry(`
export function isText(value: unknown) { return typeof value === "string"; }
export function isList(value: unknown): value is string[] { return Array.isArray(value); }
export function check(value: unknown): asserts value is number { if (typeof value !== "number") throw new TypeError("no number"); }`),
  "objects of functions": entry(`
export const codec = { encode(text: string) { return [...text].reverse().join(""); }, decode: (text: string) => codec.encode(text), level: 3 };
export function createCounter(start = 0) { let at = start; return { next: () => ++at, reset() { at = start; } }; }`),
  "generics with constraints": entry(`
export type Key<T> = Extract<keyof T, string>;
export function pick<T extends object, K extends Key<T>>(from: T, ...keys: K[]): Pick<T, K> { const made: Partial<T> = {}; for (const key of keys) made[key] = from[key]; return made as Pick<T, K>; }
export type Deep<T> = { readonly [K in keyof T]: T[K] extends object ? Deep<T[K]> : T[K] };
export function freeze<T>(value: T) { return Object.freeze(value) as Deep<T>; }`),
  "enums and namespaces": entry(`
export enum Level { Low = 1, High = 2 }
export const enum Flag { On = "on" }
export namespace tools { export function levelOf(n: number) { return n > 1 ? Level.High : Level.Low; } }`),
  "a package of others": entry(`
import fc from "fast-check";
export const letters = fc.string({ maxLength: 3 });
export function sample(count: number) { return fc.sample(letters, count); }`),
  "nothing but constants": entry(
    `export const VERSION = "1.0";\nexport interface Options { depth?: number; readonly name: string }\nexport function nothing(): void {}`,
  ),
  "emoji and tabs": entry(
    `/* 😀 */ export const 🙂 = 1;`.replace("🙂", "smile") +
      `\n\texport function face(text: string) { /* 😀😀 */ return "😀" + text; }`,
  ),
};
