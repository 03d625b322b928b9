import fc from "fast-check";
import { expect, test } from "vitest";
import { contracts, slugifyContract } from "../../../../test/arbitraries/contract.ts";
import type { MicroModuleContract } from "../../../domain/contract/contract.ts";
import { build } from "./build.ts";
import { groundTruth } from "./ground-truth.ts";
import { viewOf } from "./samples.suite.ts";
import { scaffold } from "./scaffold.ts";
import { isStubbed } from "./stubs.ts";
import { compareSurface } from "./surface-compare.ts";

/** What is wrong with the scaffold of a contract. */
function faultsOf(contract: MicroModuleContract): unknown[] {
  const files = scaffold(contract);
  const view = viewOf(files);
  const report = build(view);
  const { tests } = groundTruth(view);
  const titles = contract.entry_points.map(
    ({ name }) => `${contract.name} > ${name} does what its contract says`,
  );
  return [
    ...(report.kind === "built" && report.files === 2 ? [] : [report, files]),
    ...(isStubbed(view) ? [] : ["not all are stubs"]),
    ...compareSurface(view, contract.entry_points).differences,
    ...(tests.map(({ name }) => name).join() === titles.join() ? [] : [tests]),
    ...tests.filter(({ calls }) => calls.length === 0),
  ];
}

test("any contract gives a module that compiles, is all stubs and has the contract's surface", () => {
  fc.assert(
    fc.property(contracts(), (contract) => {
      expect(faultsOf(contract)).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

test("a person's contract reads as a module", () => {
  expect(faultsOf(slugifyContract())).toEqual([]);
  expect(scaffold(slugifyContract())).toMatchInlineSnapshot(`
    {
      "src/index.ts": "// Turns a title into a URL-safe slug.

    /** Thrown when title is empty. */
    export class EmptyTitle extends Error {}

    /**
     * Turns a title into a URL-safe slug.
     * @param title is not empty; is at most 200 characters
     * @returns slug: matches [a-z0-9-]+
     * @throws {EmptyTitle} when title is empty
     */
    export function slugify(title: string): string {
      // throws: EmptyTitle
      throw new Error("cupel:stub slugify");
    }
    ",
      "test/slugify.test.ts": "import { describe, expect, test } from "vitest";
    import { slugify } from "../src/index.ts";

    describe("slugify", () => {
      test("slugify does what its contract says", () => {
        (slugify as (...given: never[]) => unknown)();
        expect.fail("no real inputs and outputs are tried yet");
      });
    });
    ",
    }
  `);
});

test("what can be read of a class's instances is declared", () => {
  const [entry] = slugifyContract().entry_points;
  if (entry === undefined) throw new Error("the contract has an entry point");
  const signature =
    'new (text: string) => Slug & { readonly parts: { at: number; of: "a;b" }[]; size?: number; cut(): void }';
  const contract = {
    ...slugifyContract(),
    entry_points: [{ ...entry, name: "Slug", signature }],
    predicates: [],
  };
  const text = scaffold(contract)["src/index.ts"] ?? "";
  expect(text).toContain(
    '  declare readonly parts: { at: number; of: "a;b" }[];\n\n  declare size?: number;\n\n',
  );
  const view = viewOf(scaffold(contract));
  expect(build(view)).toMatchObject({ kind: "built" });
  const own = [{ ...entry, name: "Slug", signature: signature.replace("; cut(): void", "") }];
  expect(compareSurface(view, own).differences).toEqual([]);
});

test.each<[string, string]>([
  ["overloads", "((a: string) => string) & ((a: number) => number)"],
  [
    "generics",
    "<T extends { id: string }, K extends keyof T>(items: readonly T[], key: K) => Map<T[K], T[]>",
  ],
  ["a promise", "(url: string, init?: { retries: number }) => Promise<Uint8Array>"],
  ["callbacks", "(items: string[], by: (a: string, b: string) => number) => string[]"],
  ["a guard", "(value: unknown) => value is string"],
  ["an assertion", "(value: unknown) => asserts value is string"],
  ["types of its own", "(order: Order, at: Date) => Receipt | undefined"],
  ["texts with brackets", "(kind: '(' | \"<\", rest: `${string}>`) => ')'"],
  ["a class", "new (size: number) => run"],
  ["no parameters", "() => void"],
])("%s in a signature", (_, signature) => {
  const contract = slugifyContract();
  const [entry] = contract.entry_points;
  if (entry === undefined) throw new Error("no entry point");
  expect(faultsOf({ ...contract, entry_points: [{ ...entry, name: "run", signature }] })).toEqual([]);
});

function point(name: string, signature: string) {
  return { name, signature, inputs: [], outputs: [], errors: [], effects: [] };
}

test("members of a class, a default and a constant", () => {
  const contract = slugifyContract();
  expect(
    faultsOf({
      ...contract,
      entry_points: [
        point("Stack", "new (size: number) => Stack"),
        point("Stack.push", "(item: string) => number"),
        point("default", "(x: number) => number"),
      ],
    }),
  ).toEqual([]);
});

test("members of a class that is generic", () => {
  const contract = {
    ...slugifyContract(),
    entry_points: [
      point("Cache", "new <K extends string, V>(size: number) => Cache<K, V>"),
      point("Cache.get", "(key: K) => V | undefined"),
      point("Cache.map", "<R>(change: (value: V) => R) => R[]"),
    ],
  };
  expect(faultsOf(contract)).toEqual([]);
  expect(scaffold(contract)["src/index.ts"]).not.toContain("export type");
});

test("an error that the language has is not declared again", () => {
  const contract = slugifyContract();
  const [entry] = contract.entry_points;
  if (entry === undefined) throw new Error("no entry point");
  const named = {
    ...contract,
    error_surfaces: [{ name: "RangeError", when: "it is too long", surface: "exception" as const }],
    entry_points: [{ ...entry, errors: ["RangeError"] }],
    predicates: [],
  };
  expect(faultsOf(named)).toEqual([]);
  expect(scaffold(named)["src/index.ts"]).not.toContain("class RangeError");
});

test("nothing in a contract can leave its comment", () => {
  const contract = slugifyContract();
  expect(
    faultsOf({
      ...contract,
      purpose: "x */ import '/etc/passwd'; /*\n// y",
      inputs: [{ name: "title", type: "string", constraints: ["*/ throw 1; /*"] }],
      predicates: [],
    }),
  ).toEqual([]);
});
