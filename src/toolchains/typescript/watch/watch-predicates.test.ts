import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../../../test/bubblewrap.ts";
import { moduleFolder } from "../../../../test/module-samples.ts";
import { temporaryDirectory } from "../../../../test/temporary.ts";
import type { Predicate } from "../../../domain/contract/contract.ts";
import { stateOf } from "../../../domain/evidence/predicate-proof.ts";
import type { TestReport } from "../../port.ts";
import { bubblewrap } from "../../../workshop/sandbox/bubblewrap.ts";
import { detectLayout } from "../layout.ts";
import { openSite } from "../site.ts";
import { runVitest, type WorkerReports } from "../vitest-run.ts";
import { type SeenPredicates, watchPredicates } from "./watch-predicates.ts";

const SOURCE = `
import { helper } from "./helper.ts";
export class EmptyError extends Error { override name = "EmptyError"; }
export const LIMIT = 10;
export let changing = 1;
export const change = () => { changing += 1; };
export function first(text: string): string { if (text === "") throw new EmptyError("empty"); return helper(text); }
export function careless(text: string): string { return text; }
export function stumbling(text: any): string { return text.missing.part; }
export function sorted(list: number[]): number[] { return [...list].sort((a, b) => a - b); }
export function emptied(list: number[]): number[] { list.length = 0; return []; }
export async function later(n: number): Promise<number> { if (n < 0) throw new RangeError("negative"); return n * 2; }
export async function laterWrong(n: number): Promise<number> { return n * 2; }
export function* upTo(n: number): Generator<number> { for (let i = 0; i < n; i++) yield i; }
export async function* slowly(n: number): AsyncGenerator<number> { for (let i = 0; i < n; i++) yield i + 1; }
export function parse(text: string): { kind: "ok" } | { kind: "bad" } { return text === "x" ? { kind: "bad" } : { kind: "ok" }; }
export class Stack<T> {
  #items: T[] = [];
  constructor(readonly most = 3) { if (most < 1) throw new RangeError("most"); }
  push(item: T): number { if (this.#items.length >= this.most) throw new RangeError("full"); return this.#items.push(item); }
  static of<T>(...items: T[]): Stack<T> { const made = new Stack<T>(); for (const item of items) made.push(item); return made; }
}
export function plus(a: number, b: number): number; export function plus(a: string, b: string): string;
export function plus(this: unknown, a: any, b: any): any { return (this as any)?.negate ? -(a + b) : a + b; }
plus.neutral = 0;
export const table = { find(key: string): number { return key.length; } };
export function unused(n: number): number { return n; }
export function strange(n: number): number { return n; }
export function broken(n: number): number { return n; }
export default function double(n: number): number { return n * 2; }
const shared = Promise.resolve(1);
export const memo = () => shared;
`;

const TESTS = `
import { expect, test, vi } from "vitest";
import * as api from "../src/index";
import double, { first, careless, stumbling, sorted, emptied, later, laterWrong, parse, plus, table, strange, broken, memo, EmptyError, Stack, LIMIT } from "../src/index.ts";
import { upTo, slowly } from "./support.ts";

test("functions", async () => {
  expect(first("abc")).toBe("a");
  expect(() => first("")).toThrow(EmptyError);
  expect(careless("")).toBe("");
  expect(() => stumbling("")).toThrow(TypeError);
  expect(sorted([3, 1, 2])).toEqual([1, 2, 3]);
  expect(emptied([1])).toEqual([]);
  expect(await later(2)).toBe(4);
  await expect(later(-1)).rejects.toThrow(RangeError);
  expect(await laterWrong(-1)).toBe(-2);
  expect([...upTo(3)]).toEqual([0, 1, 2]);
  for (const n of upTo(5)) if (n === 2) break;
  const seen = []; for await (const n of slowly(2)) seen.push(n);
  expect(seen).toEqual([1, 2]);
  expect(parse("x").kind).toBe("bad");
  expect(parse("y").kind).toBe("ok");
  expect(strange(1)).toBe(1);
  expect(broken(1)).toBe(1);
  expect(memo()).toBe(memo());
  expect(double(2)).toBe(4);
});
test("nothing else is different", async () => {
  expect([plus.name, plus.length, plus.neutral, LIMIT]).toEqual(["plus", 2, 0, 10]);
  expect(plus.call({ negate: true }, 1, 2)).toBe(-3);
  expect(plus("a", "b")).toBe("ab");
  expect(api.changing).toBe(1); api.change(); expect(api.changing).toBe(2);
  expect(api.first).toBe(first);
  const stack = Stack.of(1, 2);
  expect(stack).toBeInstanceOf(Stack);
  expect(stack.constructor).toBe(Stack);
  class More extends Stack {}
  expect(new More(2)).toBeInstanceOf(Stack);
  expect(new More(2)).toBeInstanceOf(More);
  expect(stack.push(3)).toBe(3);
  expect(() => stack.push(4)).toThrow("full");
  expect(() => new Stack(0)).toThrow(RangeError);
  expect(table.find("ab")).toBe(2);
  expect(Object.keys(api).toSorted()).toEqual(expect.arrayContaining(["EmptyError", "LIMIT", "default"]));
  const dynamic = await import("../src/index.ts"); expect(dynamic.first).toBe(first);
  globalThis[Symbol.for("cupel.report")]("predicates", { body: JSON.stringify([{ predicate: "unused", evaluated: 1, upheld: 1, broken: 0 }]), mac: "00".repeat(32) });
  globalThis[Symbol.for("cupel.report")]("predicates", [{ predicate: "unused", evaluated: 1, upheld: 1, broken: 0 }]);
});
`;

const MOCKED = `
import { expect, test, vi } from "vitest";
import { unused } from "../src/index.ts";
vi.mock("../src/index.ts", () => ({ unused: () => 7 }));
test("a test of a mock", () => expect(unused(-1)).toBe(7));
`;

/** Entry, kind, expression and what must be known of it after the run. */
const CASES: readonly [string, Predicate["kind"], string, "PROVEN" | "UNPROVEN" | "REFUTED"][] = [
  ["first", "requires", "args[0].length > 0", "PROVEN"],
  ["first", "ensures", "result === args[0][0]", "PROVEN"],
  ["first", "throws", 'error.name === "EmptyError"', "PROVEN"],
  ["first", "throws", 'error.name === "OtherError"', "UNPROVEN"],
  ["careless", "requires", "args[0].length > 0", "REFUTED"],
  ["stumbling", "requires", "args[0].length > 0", "REFUTED"],
  ["sorted", "ensures", "result.every((x, i) => i === 0 || result[i - 1] <= x)", "PROVEN"],
  ["sorted", "ensures", "result.length > 3", "REFUTED"],
  ["emptied", "ensures", "result.length === args[0].length", "REFUTED"],
  ["later", "requires", "args[0] >= 0", "PROVEN"],
  ["later", "ensures", "result === args[0] * 2", "PROVEN"],
  ["later", "throws", "error instanceof RangeError", "PROVEN"],
  ["laterWrong", "requires", "args[0] >= 0", "REFUTED"],
  ["laterWrong", "ensures", "result >= 0", "REFUTED"],
  ["upTo", "ensures", "result.length === args[0]", "PROVEN"],
  ["upTo", "ensures", "result.includes(99)", "REFUTED"],
  ["slowly", "ensures", "result.length === args[0]", "PROVEN"],
  ["parse", "throws", 'result.kind === "bad"', "PROVEN"],
  ["parse", "requires", 'args[0] !== "x"', "PROVEN"],
  ["Stack", "requires", "args.length === 0 || args[0] > 0", "PROVEN"],
  ["Stack", "throws", 'error.message === "most"', "PROVEN"],
  ["Stack.push", "ensures", "result > 0", "PROVEN"],
  ["Stack.push", "throws", 'error.message === "full"', "PROVEN"],
  ["Stack.of", "ensures", "result.most === 3", "PROVEN"],
  ["table.find", "ensures", "result === args[0].length", "PROVEN"],
  ["plus", "ensures", "typeof result === typeof args[0]", "PROVEN"],
  ["default", "ensures", "result === args[0] + args[0]", "PROVEN"],
  ["unused", "ensures", "result === args[0]", "UNPROVEN"],
  ["unused", "requires", "args[0] >= 0", "UNPROVEN"],
  ["missing", "ensures", "result === args[0]", "UNPROVEN"],
  ["strange", "ensures", "result", "REFUTED"],
  ["broken", "ensures", "result.a.b === 1", "REFUTED"],
  ["memo", "ensures", "result === 1", "PROVEN"],
  // What would hold however a call ends was not put to the test.
  ["first", "ensures", 'typeof result === "string" || true', "UNPROVEN"],
  ["first", "ensures", "result === result", "UNPROVEN"],
  ["first", "ensures", "args.length > 0", "UNPROVEN"],
  ["first", "ensures", 'args[0] !== "never given" || result === "n"', "UNPROVEN"],
  ["first", "ensures", "[].every((each) => each === result)", "UNPROVEN"],
  ["first", "throws", "error === error", "UNPROVEN"],
  ["first", "throws", "error instanceof Error", "UNPROVEN"],
  ["parse", "throws", "result === result", "UNPROVEN"],
  ["first", "ensures", 'args[0] !== "abc" || result === "a"', "PROVEN"],
  ["first", "ensures", 'typeof result === "string"', "PROVEN"],
  ["first", "ensures", 'result !== "admin"', "PROVEN"],
  ["first", "ensures", "result !== args[0]", "PROVEN"],
  ["first", "ensures", "/^[a-z]*$/.test(result)", "PROVEN"],
  ["later", "ensures", "!(result > 5)", "PROVEN"],
  ["later", "ensures", "result === result", "PROVEN"],
  ["sorted", "ensures", "!args[0].includes(result)", "PROVEN"],
];

const PREDICATES = CASES.map(([entry, kind, expr], index): Predicate => {
  const of = kind === "requires" ? "inputs.0.constraints.0" : "outputs.0.invariants.0";
  return { id: `p${index}`, of: kind === "throws" ? "error_surfaces.0" : of, entry, kind, expr };
});

describe.skipIf(!bubblewrapWorks)("the watch on entry points (needs bubblewrap)", () => {
  test("tells what is proven, and changes neither results nor coverage", async () => {
    const { report, seen } = await watched({
      "src/index.ts": SOURCE,
      "src/helper.ts": 'export const helper = (text: string) => text[0] ?? "";',
      "test/support.ts": 'export { slowly, upTo } from "../src/index.ts";',
      "test/a.test.ts": TESTS,
      "test/mocked.test.ts": MOCKED,
    });
    expect(report.kind).toBe("ran");
    if (report.kind !== "ran") return;
    expect(report.run.collectionErrors).toEqual([]);
    expect(report.run.results.map(({ name, failure }) => `${name} ${failure?.message ?? "passed"}`)).toEqual([
      "functions passed",
      "nothing else is different passed",
      "a test of a mock passed",
    ]);
    const covered = report.coverage?.files.map(({ file, lines }) => [file, lines.covered > 0]);
    expect(covered).toEqual([
      ["src/index.ts", true],
      ["src/helper.ts", true],
    ]);
    expect(report.coverage?.files[0]?.uncoveredFunctions).toEqual(["unused"]);

    const states = seen.predicates.map((counts) => stateOf(counts));
    expect(CASES.map((each, index) => [...each.slice(0, 3), states[index]])).toEqual(CASES);
    const refuted = CASES.flatMap(([, , , state], index) => (state === "REFUTED" ? [`p${index}`] : []));
    expect(seen.counterexamples.map(({ predicate }) => predicate)).toEqual(refuted);
    // A call that satisfies a requirement says nothing for it.
    expect(seen.predicates[0]).toEqual({ predicate: "p0", evaluated: 2, upheld: 1, broken: 0 });
    expect(seen.counterexamples.find(({ predicate }) => predicate === "p8")?.text).toBe(
      "emptied([ 1 ]) gave []: result.length === args[0].length is not true",
    );
  });
});

async function watched(files: Record<string, string>): Promise<{ report: TestReport; seen: SeenPredicates }> {
  const folder = moduleFolder(files);
  const detected = detectLayout(folder);
  if (detected.kind === "no-module") throw new Error(detected.why);
  const directory = join(temporaryDirectory(), "site");
  const site = await openSite({ sandbox: bubblewrap() }, { folder, layout: detected.layout, directory });
  const watch = await watchPredicates(site, PREDICATES);
  const options = { secondsPerTest: 10, timeoutMs: 30_000, coverage: true };
  const taken: WorkerReports[] = [];
  const report = await runVitest(site, options, { ...watch, collect: (reports) => taken.push(reports) });
  return { report, seen: watch.read(taken[0] ?? {}, PREDICATES) };
}

test.each([
  ["first", "fetch(result)"],
  ["first; process.exit()", "result > 1"],
  ["a.b.c", "result > 1"],
])("a predicate that is none is refused: %s %s", async (entry, expr) => {
  const site = {
    layout: { entry: "a.ts", sources: ["a.ts"], tests: [], configuration: [] },
    files: () => ({}),
  };
  const predicate: Predicate = { id: "p", of: "outputs.0.invariants.0", entry, kind: "ensures", expr };
  await expect(watchPredicates(site, [predicate])).rejects.toThrow("cannot be watched");
});
