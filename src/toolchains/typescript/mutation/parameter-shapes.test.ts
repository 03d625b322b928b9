import { describe, expect, test } from "vitest";
import { siteOf } from "../../../../test/typescript-site.ts";
import { callablesOf } from "./parameter-shapes.ts";

const read = async (text: string) => callablesOf(await siteOf({ "src/index.ts": text }));
const tells = async (text: string) => (await read(text)).holders.map(({ name, tells: how }) => [name, how]);

describe("a class can be called", () => {
  test("by its constructor, methods, accessors and fields that are not private", async () => {
    const { functions, uncallable } = await read(`export class K {
      #hidden = 1; private own = 2; readonly seen = "a"; width = 3;
      constructor(n: number, public readonly label: string, private secret: string) {}
      add(by: number): this { return this; }
      equals(other: K): boolean { return other === this; }
      twice = (n: number): number => n * 2;
      get size(): number { return 1; }
      set size(to: number) {}
      private inner(): void {}
      #more(): void {}
      static of(n: number): K { return new K(n, "", ""); }
    }`);
    const [number, string] = [{ kind: "number" }, { kind: "string" }];
    expect({ functions, uncallable }).toEqual({
      uncallable: [],
      functions: [
        {
          name: "K",
          parameters: [number, string, string],
          isOpaque: true,
          methods: [
            { name: "label", access: "get", parameters: [] },
            { name: "seen", access: "get", parameters: [] },
            { name: "width", access: "get", parameters: [] },
            { name: "width", access: "set", parameters: [number] },
            { name: "add", access: "call", parameters: [number] },
            { name: "equals", access: "call", parameters: [{ kind: "instance", of: "K" }] },
            { name: "twice", access: "call", parameters: [number] },
            { name: "size", access: "get", parameters: [] },
            { name: "size", access: "set", parameters: [number] },
          ],
        },
        { name: "K.of", path: ["K", "of"], parameters: [number] },
      ],
    });
  });

  test.each([
    ["default", "export default class K { a(): void {} }"],
    ["L", "class K { a(): void {} }\nexport { K as L };"],
    ["default", "class K { a(): void {} }\nexport default K;"],
  ])("under the name that callers know: %s", async (key, text) => {
    expect((await read(text)).functions).toMatchObject([{ name: "K", path: [key] }]);
  });

  test.each([
    "class K extends Base {} class Base {}",
    "abstract class K { abstract a(): void; }",
    "class K { *a(): Generator<number> { yield 1; } }",
    "class K { [Symbol.iterator](): Iterator<number> { return [1].values(); } }",
    "class K { a(from: ReadableStream): void {} }",
    "class K { constructor(from: ReadableStream) {} }",
    "class K { private constructor() {} }",
    "class K { protected n = 1; }",
    "class K { constructor(protected n: number) {} }",
    "class K { static count = 0; }",
    "class K { static readonly one = new K(); }",
    "class K { static get one(): number { return 1; } }",
    "class K { a(other: Other): void {} } class Other {}",
    "class K { a(other: L): void {} }\nexport class L { b(from: ReadableStream): void {} }",
    "class K implements KError { a(from: ReadableStream): void {} } interface KError {}",
  ])("not where callers could do more: %s", async (text) => {
    const { functions, uncallable } = await read(`export ${text}`);
    expect(functions).toEqual([]);
    expect(uncallable).toContain("K");
  });
});

test("a mutant is judged by its holder alone only where that tells all", async () => {
  expect(await tells("export class K { a(): void {} }")).toEqual([["K", "all"]]);
  expect(await tells("export class K { a(): void {} } class L extends K {}")).toEqual([["K", "with-others"]]);
  expect(await tells("let n = 0; export class K { a(): void { n++; } }")).toEqual([["K", "with-others"]]);
  expect(await tells("export class KError extends Error {}")).toEqual([["KError", "no"]]);
});

test("classes that callers never hold are told by their fields unless they hide some", async () => {
  const { innerClasses } = await read(
    "export class K { a(): void {} } class Node { next?: Node } class Hidden { #n = 1 } class Heir extends Node {}",
  );
  expect(innerClasses).toEqual(["Node"]);
});
