// Two implementations of one contract: what differs is found and made small, what cannot be told apart is not called the same
// without having looked, and neither can spoil the comparison.
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../../../test/bubblewrap.ts";
import { CLAMP, CLAMP_CONTRACT } from "../../../../test/module-samples.ts";
import { PACKAGES, siteOf } from "../../../../test/typescript-site.ts";
import { MicroModuleContract } from "../../../domain/contract/contract.ts";
import { bubblewrap } from "../../../workshop/sandbox/bubblewrap.ts";
import { none } from "../../../workshop/sandbox/none.ts";
import type { Difference } from "../../port.ts";
import { typescriptToolchain } from "../toolchain.ts";

const sandbox = bubblewrapWorks ? bubblewrap() : none();
const toolchain = typescriptToolchain({ sandbox, packages: PACKAGES });
const LONG = { timeout: 120_000 };

async function compared(
  contract: MicroModuleContract,
  left: string,
  right: string,
  signal = AbortSignal.timeout(100_000),
): Promise<Difference> {
  const [one, other] = await Promise.all(
    [left, right].map((text) => siteOf({ "src/index.ts": text }, sandbox)),
  );
  if (one === undefined || other === undefined) throw new Error("two sites");
  return toolchain.differ(one, other, contract, signal);
}

function contractOf(entries: Readonly<Record<string, string>>): MicroModuleContract {
  return MicroModuleContract.parse({
    ...CLAMP_CONTRACT,
    inputs: [{ name: "given", type: "string", constraints: [] }],
    outputs: [{ name: "result", type: "string", invariants: [] }],
    error_surfaces: [],
    predicates: [],
    entry_points: Object.entries(entries).map(([name, signature]) => ({
      name,
      signature,
      inputs: ["given"],
      outputs: ["result"],
      errors: [],
      effects: [],
    })),
  });
}

const clamp = CLAMP["src/index.ts"] ?? "";

describe("what differs", () => {
  test("is found and made small", LONG, async () => {
    const off = clamp.replace("value > high ? high : value", "value >= high ? high - 1 : value");
    expect(off).not.toBe(clamp);
    const found = await compared(CLAMP_CONTRACT, clamp, off);
    expect(found).toEqual({
      kind: "differ",
      entry: "clamp",
      args: "0, 0, 0",
      left: "returned 0",
      right: "returned -1",
      // Only the second one leaves the range that the contract promises.
      breaks: { left: [], right: ["P2"] },
    });
  });

  test("on one rare input only is found, too", LONG, async () => {
    const contract = contractOf({ grade: "(given: string) => string" });
    const body = "return given.toUpperCase();";
    const plain = `export function grade(given: string): string { ${body} }\n`;
    const rare = `export function grade(given: string): string { if (given === "zürich-7") return "?"; ${body} }\n`;
    expect(await compared(contract, plain, rare)).toEqual({
      kind: "differ",
      entry: "grade",
      args: '"zürich-7"',
      left: 'returned "ZÜRICH-7"',
      right: 'returned "?"',
      breaks: { left: [], right: [] },
    });
  });

  test("in the class of an error counts, in its words does not", LONG, async () => {
    const worded = clamp.replace("low is above high", "the range is none");
    expect(await compared(CLAMP_CONTRACT, clamp, worded)).toMatchObject({ kind: "same" });
    const other = clamp.replace('throw new RangeError_("low is above high")', "throw new TypeError()");
    expect(await compared(CLAMP_CONTRACT, clamp, other)).toMatchObject({
      kind: "differ",
      left: "threw <RangeError_>",
      right: "threw <TypeError>",
      breaks: { left: [], right: ["P1"] },
    });
  });

  test("in what is done to arguments counts", LONG, async () => {
    const contract = contractOf({ sorted: "(given: number[]) => number[]" });
    const pure =
      "export function sorted(given: number[]): number[] { return given.toSorted((a, b) => a - b); }\n";
    const careless = pure.replace("given.toSorted", "given.sort");
    const found = await compared(contract, pure, careless);
    expect(found).toMatchObject({ kind: "differ", entry: "sorted", args: "[0, -1]" });
  });

  test("only after several calls on an instance is found with the shortest way there", LONG, async () => {
    const contract = contractOf({
      "Stack.push": "(given: number) => number",
      "Stack.pop": "() => number | undefined",
    });
    const stack = `export class Stack {
  #items: number[] = [];
  push(given: number): number { this.#items.push(given); return this.#items.length; }
  pop(): number | undefined { return this.#items.pop(); }
}
`;
    const queue = stack.replace("this.#items.pop()", "this.#items.shift()");
    const found = await compared(contract, stack, queue);
    expect(found).toMatchObject({ kind: "differ", entry: "Stack.pop" });
    if (found.kind === "differ")
      expect(found.args).toMatch(/^new Stack\(\); push\(\S+\); push\(\S+\); pop\(\)$/);
  });

  test("also when it is that one of them never ends", LONG, async () => {
    const contract = contractOf({ twice: "(given: number) => number" });
    const good = "export function twice(given: number): number { return given * 2; }\n";
    const stuck =
      "export function twice(given: number): number { while (given === 7_919) {} return given * 2; }\n";
    expect(await compared(contract, good, stuck)).toMatchObject({
      kind: "differ",
      args: "7919",
      left: "returned 15838",
      right: "did not end in time",
    });
  });
});

describe("what is not told apart", () => {
  test("is the same only where everything was looked at", LONG, async () => {
    const other = `export class RangeError_ extends Error {}
export function clamp(value: number, low: number, high: number): number {
  if (low > high) throw new RangeError_("no range");
  return value < low ? low : [value, high][value > high ? 1 : 0] ?? high;
}
`;
    const found = await compared(CLAMP_CONTRACT, clamp, other);
    expect(found.kind === "same" ? found.tried : JSON.stringify(found)).toBeGreaterThan(500);
  });

  test.each([
    [
      "with inputs that nobody can make",
      { use: "(given: WebSocket) => string" },
      "export function use(given: unknown): string { return typeof given; }",
      /WebSocket is not known/,
    ],
    [
      "that depends on chance",
      { roll: "(given: number) => number" },
      "export function roll(given: number): number { return given + Math.random(); }",
      /roll does not always do the same/,
    ],
    [
      "that does nothing but throw, like a stub",
      { fail: "(given: number) => never" },
      'export function fail(given: number): never { throw new Error("no"); }',
      /no input told fail from a stub/,
    ],
    [
      "that cannot be loaded",
      { gone: "(given: number) => number" },
      'import { far } from "./far.ts"; export function gone(given: number): number { return far(given); }',
      /cannot be made into one script/,
    ],
  ])("is not called the same: %s", LONG, async (_what, entries, code, why) => {
    const found = await compared(contractOf(entries), code, code);
    expect(found.kind === "impossible" ? found.why : JSON.stringify(found)).toMatch(why);
  });
});

test("an implementation that lies about itself spoils only its own answers", LONG, async () => {
  const contract = contractOf({ twice: "(given: number) => number" });
  const good = "export function twice(given: number): number { return given * 2; }\n";
  const liar = `import fs from "node:fs";
JSON.stringify = () => '"returned 0"';
fs.writeSync(1, "0 \\"returned 0\\"\\n");
process.stdout.write("returned 0\\n");
${good.replace("given * 2", "given === 3 ? process.exit(0) : given * 3")}`;
  expect(await compared(contract, good, liar)).toMatchObject({ kind: "differ", entry: "twice" });
});

test("whoever is told to stop, stops", LONG, async () => {
  await expect(compared(CLAMP_CONTRACT, clamp, clamp, AbortSignal.abort())).rejects.toThrow(/abort/i);
});
