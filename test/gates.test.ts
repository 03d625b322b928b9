// Every gate refuses what it is for and accepts what is good, on real runs.
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Claim } from "../src/domain/evidence/claim.ts";
import type { EntryPoint } from "../src/domain/contract/contract.ts";
import { GateName } from "../src/domain/evidence/gate.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { gateOn, gatesOn } from "./gate-samples.ts";
import type { Tried } from "./gate-samples.ts";
import { CLAMP, CLAMP_CONTRACT, CLAMP_EXAMPLES } from "./module-samples.ts";

const CODE = CLAMP["src/index.ts"] ?? "";
const TESTS = CLAMP["test/clamp.test.ts"] ?? "";

function code(from: string, to: string): Tried {
  if (!CODE.includes(from)) throw new Error(`no "${from}" in the code`);
  return { files: { ...CLAMP, "src/index.ts": CODE.replace(from, to) } };
}

function tests(from: string, to: string): Tried {
  if (!TESTS.includes(from)) throw new Error(`no "${from}" in the tests`);
  return { files: { ...CLAMP, "test/clamp.test.ts": TESTS.replace(from, to) } };
}

function added(text: string): Tried {
  return { files: { ...CLAMP, "src/index.ts": `${CODE}\n${text}` } };
}

function addedTest(body: string): Tried {
  return {
    files: {
      ...CLAMP,
      "test/more.test.ts": `import { expect, test } from "vitest";\nimport { clamp } from "../src/index.ts";\n${body}\n`,
    },
  };
}

function showing(from: string, to: string): Tried {
  if (!CLAMP_EXAMPLES.includes(from)) throw new Error(`no "${from}" in the examples`);
  return { files: CLAMP, contract: CLAMP_CONTRACT, examples: CLAMP_EXAMPLES.replace(from, to) };
}

const contract = CLAMP_CONTRACT;
const base = { "test/clamp.test.ts": TESTS };
const claim: Claim = { kind: "calls", test: "clamp > refuses a range that is none", targets: ["clamp"] };

function sampleEntry(): EntryPoint {
  const [entry] = contract.entry_points;
  if (entry === undefined) throw new Error("the sample has an entry point");
  return entry;
}

function promising(change: Partial<EntryPoint>): Tried {
  return {
    files: CLAMP,
    contract: { ...contract, entry_points: [{ ...sampleEntry(), ...change }] },
  };
}

function claiming(...claims: Claim[]): Tried {
  return { files: CLAMP, claims };
}

/** A module with one more function and a suite that knows it only as far as the case says. */
function half(text: string, suite: string): Tried {
  return {
    files: {
      "src/index.ts": text,
      "test/half.test.ts": `import { expect, test } from "vitest";\nimport { half } from "../src/index.ts";\n${suite}\n`,
    },
  };
}

const DEFECTS: Partial<Record<GateName, readonly [what: string, Tried][]>> = {
  build: [
    ["a wrong type", code("return low;", 'return "low";')],
    ["an unknown name", code("return low;", "return lowest;")],
    ["a missing import", code("export class", 'import { nothing } from "./nowhere.ts";\nexport class')],
    ["a wrong type in a test", tests('toThrow("low is above high")', 'toThrow("x", 1, 2)')],
    ["text that is no code", added("export function (")],
  ],
  static: [
    ["a forbidden import", added('import "node:child_process";')],
    ["a dynamic import of it", added('export const later = () => import("child_process");')],
    ["eval", added("export const run = (text: string) => eval(text) as unknown;")],
    ["an endless loop", added("export function spin() { while (true) { } }")],
    [
      "a function that is too complex",
      {
        ...added(
          `export function maze(n: number) {\n${Array.from({ length: 14 }, (_, i) => `  if (n === ${i}) return ${i};`).join("\n")}\n  return -1;\n}`,
        ),
        contract,
      },
    ],
    ["a suppression", code("if (value < low)", "// @ts-ignore\n  if (value < low)")],
  ],
  green: [
    ["a failing test", code("return low;", "return high;")],
    ["a skipped test", tests('test("refuses', 'test.skip("refuses')],
    ["a focused test", tests('test("refuses', 'test.only("refuses')],
    ["a todo", tests('test("refuses', 'test.todo("later");\n  test("refuses')],
    [
      "an error that no test caught",
      addedTest(
        'test("x", () => { void Promise.reject(new Error("stray")); expect(clamp(1, 0, 2)).toBe(1); });',
      ),
    ],
    ["a file that cannot be loaded", addedTest('throw new Error("at load");')],
    [
      "a file without tests",
      addedTest(
        "export const x = clamp(1, 0, 2) + Number(expect === undefined) + Number(test === undefined);",
      ),
    ],
    ["a property that tries nothing", tests("      }),\n    );", "      }),\n      { numRuns: 1 },\n    );")],
  ],
  "red-on-skeleton": [
    ["a test that asserts nothing", addedTest('test("nothing", () => { expect(clamp).toBeDefined(); });')],
    [
      "any error will do",
      { ...addedTest('test("throws", () => { expect(() => clamp(1, 2, 1)).toThrow(); });'), contract },
    ],
    [
      "a test in a file named like a planted one",
      {
        files: {
          ...CLAMP,
          "test/cupel-planted1.test.ts": 'import { test } from "vitest";\ntest("planted", () => {});\n',
        },
      },
    ],
    ["a test of something else", addedTest('test("sum", () => { expect(1 + 1).toBe(2); });')],
    [
      "a swallowed error",
      addedTest('test("quiet", () => { try { expect(clamp(1, 0, 2)).toBe(1); } catch { /* fine */ } });'),
    ],
    ["red for another reason", addedTest('test("wrong", () => { throw new Error("unrelated"); });')],
  ],
  coverage: [
    [
      "a function that no test runs",
      added(
        "export function other(a: number) {\n  const b = a + 1;\n  const c = b + 1;\n  const d = c + 1;\n  return d;\n}",
      ),
    ],
    [
      "a file that no test loads",
      {
        files: {
          ...CLAMP,
          "src/unused.ts":
            "export const a = 1;\nexport const b = 2;\nexport const c = 3;\nexport const d = 4;\n",
        },
      },
    ],
    [
      "branches that no test takes",
      half(
        "export function half(n: number) {\n  if (n > 100) return 50;\n  if (n < -100) return -50;\n  if (n === 7) return 3;\n  return n / 2;\n}\n",
        'test("one", () => { expect(half(4)).toBe(2); });',
      ),
    ],
    [
      "tests that only import",
      half(
        "export function half(n: number) {\n  const m = n;\n  const o = m;\n  return o / 2;\n}\n",
        'test("one", () => { expect(half).toBeTypeOf("function"); });',
      ),
    ],
    [
      "an error path",
      half(
        'export function half(n: number) {\n  if (n % 2 !== 0) {\n    const why = "odd";\n    throw new Error(why);\n  }\n  return n / 2;\n}\n',
        'test("one", () => { expect(half(4)).toBe(2); });',
      ),
    ],
  ],
  mutation: [
    ["a suite that fails anyhow", code("return low;", "return high;")],
    [
      "a suite that checks nothing",
      half(
        "export function half(n: number) {\n  return n / 2;\n}\n",
        'test("one", () => { half(4); expect(1).toBe(1); });',
      ),
    ],
    [
      "a boundary that nobody tries",
      half(
        'export function half(n: number) {\n  if (n < 0) throw new Error("below");\n  return n / 2;\n}\n',
        'test("one", () => { expect(half(4)).toBe(2); });',
      ),
    ],
    [
      "a condition that nobody tries",
      half(
        "export function half(n: number, round = false) {\n  return round ? Math.floor(n / 2) : n / 2;\n}\n",
        'test("one", () => { expect(half(4)).toBe(2); });',
      ),
    ],
    [
      "an equality that nobody tries",
      half(
        'export function half(n: number) {\n  return n === 0 ? "nothing" : n / 2;\n}\n',
        'test("one", () => { expect(half(4)).toBe(2); });',
      ),
    ],
    [
      "a function that nobody calls",
      half(
        'export function half(n: number) {\n  return n / 2;\n}\nexport function third(n: number) {\n  if (n < 0) throw new Error("x");\n  return n / 3;\n}\n',
        'test("one", () => { expect(half(4)).toBe(2); });',
      ),
    ],
  ],
  surface: [
    ["another parameter", promising({ signature: "(value: string, low: number, high: number) => number" })],
    ["another result", promising({ signature: "(value: number, low: number, high: number) => string" })],
    [
      "a promise instead of a value",
      promising({ signature: "(value: number, low: number, high: number) => Promise<number>" }),
    ],
    ["a missing entry point", promising({ name: "clip" })],
    ["an entry point that nobody promised", { ...added("export function extra() { return 1; }"), contract }],
    ["an error that nobody promised", promising({ errors: [] })],
  ],
  "tests-untouched": [
    ["a changed assertion", { ...tests("toBe(expected)", "toBeDefined()"), base }],
    ["a test that is gone", { ...tests('test("refuses', 'test.skip("refuses'), base }],
    ["a new test file", { ...addedTest('test("x", () => { expect(clamp(1, 0, 2)).toBe(1); });'), base }],
    ["a missing test file", { files: CLAMP, base: { ...base, "test/gone.test.ts": "" } }],
    ["a new runner configuration", { files: { ...CLAMP, "vitest.config.ts": "export default {};\n" }, base }],
  ],
  claims: [
    ["a call that is not made", claiming({ ...claim, targets: ["clip"] })],
    ["a test that is not there", claiming({ ...claim, test: "no such test" })],
    ["a function that is not there", claiming({ kind: "exists", function: "clip" })],
    ["a stub that has a body", claiming({ kind: "stub", function: "clamp" })],
    [
      "a list that is not complete",
      {
        ...added("export function extra() { return 1; }"),
        claims: [{ kind: "complete", functions: ["clamp"] }],
      },
    ],
  ],
  "contract-coverage": [
    [
      "a constraint that no test violates",
      {
        ...tests(
          'expect(() => clamp(1, 2, 1)).toThrow(RangeError_);\n    expect(() => clamp(1, 2, 1)).toThrow("low is above high");',
          "expect(clamp(1, 1, 1)).toBe(1);",
        ),
        contract,
      },
    ],
    ["an invariant that does not hold", { ...code("return low;", "return low - 1;"), contract }],
    [
      "a constraint without a predicate",
      { files: CLAMP, contract: { ...contract, predicates: contract.predicates.slice(1) } },
    ],
    [
      "an error that never comes",
      { ...code('throw new RangeError_("low is above high")', "return low"), contract },
    ],
    [
      "another error than the declared one",
      { ...code('new RangeError_("low is above high")', 'new Error("other")'), contract },
    ],
  ],
  examples: [
    ["another value than the one that comes", showing("\n10\n", "\n11\n")],
    ["another message than the one that comes", showing("low is above high", "high is below low")],
    ["code that never calls the module", showing("clamp(15, 0, 10);", "10;")],
    ["an entry point that is none", showing("## clamp: a value", "## clip: a value")],
    [
      "an error that is not shown",
      showing(
        "clamp(1, 2, 1);\n```\n\n```error\nRangeError_: low is above high",
        "clamp(1, 0, 2);\n```\n\n```json\n1",
      ),
    ],
    ["a placeholder", showing("clamp(15, 0, 10)", "clamp(some_value, 0, 10)")],
    ["no output", showing("```json\n10\n```\n", "")],
    ["code that does not compile", showing("clamp(15, 0, 10)", 'clamp("15", 0, 10)')],
    [
      "a module that was changed since",
      {
        ...showing("", ""),
        ...code("return value > high ? high : value;", "return value > high ? value : value;"),
      },
    ],
    ["nothing to read", { files: CLAMP, contract: CLAMP_CONTRACT, examples: "" }],
  ],
  effects: [
    ["the clock", { ...added("export function now() { return Date.now(); }"), contract }],
    ["chance", { ...added("export const roll = () => Math.random();"), contract }],
    [
      "a file",
      {
        ...added(
          'import { writeFileSync } from "node:fs";\nexport const save = () => writeFileSync("x", "");',
        ),
        contract,
      },
    ],
    ["the network", { ...added('export const load = () => fetch("http://127.0.0.1:1/");'), contract }],
    [
      "a clock behind another name",
      { ...added("const { now } = Date;\nexport const later = () => now();"), contract },
    ],
    ["the environment", { ...added('export const home = () => process.env["HOME"];'), contract }],
  ],
  tidy: [
    ["an export that no test reaches", added("export function extra(a: number): number {\n  return a;\n}")],
    ["an orphaned note", code("if (value < low)", "// TODO later\n  if (value < low)")],
    ["something printed", code("if (value < low)", "console.log(value);\n  if (value < low)")],
    ["trailing space", code("return low;", "return low;   ")],
    ["no end of line", { files: { ...CLAMP, "src/index.ts": CODE.trimEnd() } }],
  ],
};

for (const [gate, defects] of Object.entries(DEFECTS)) {
  // Without a sandbox effects are not watched at all.
  const needsSandbox = gate === "effects";
  describe.skipIf(needsSandbox && !bubblewrapWorks)(
    `${gate} refuses${needsSandbox ? " (needs bubblewrap)" : ""}`,
    () => {
      test.concurrent.each(defects)("%s", { timeout: 120_000 }, async (_what, tried) => {
        const verdict = await gateOn(GateName.parse(gate), tried);
        const message = "message" in verdict ? verdict.message : "";
        expect({ verdict: verdict.verdict, message }).toEqual({ verdict: "FAIL", message: "" });
      });
    },
  );
}

/** In the last one a part of a condition that only the compiler needs, so that no test can. */
const MODULES = ["calculator", "calendar", "duration", "rate-limiter", "text-layout", "csv", "lru"];

describe("every gate accepts, and has shown that it can say no", () => {
  test.each(MODULES)("the module %s", { timeout: 180_000 }, async (name) => {
    const folder = fileURLToPath(new URL(`../bench/modules/${name}`, import.meta.url));
    const decided = (await gatesOn({ folder })).filter(({ verdict }) => verdict.verdict !== "NOT_RUN");
    const refused = decided.filter(({ verdict }) => verdict.verdict !== "PASS");
    expect(refused.map(({ verdict }) => verdict.gate)).toEqual([]);
    expect(decided).toHaveLength(8);
  });

  test.skipIf(!bubblewrapWorks)(
    "the module clamp with its contract, its base and what was said of it (needs bubblewrap)",
    { timeout: 180_000 },
    async () => {
      const gates = await gatesOn({
        files: CLAMP,
        contract,
        base,
        claims: [claim],
        examples: CLAMP_EXAMPLES,
      });
      const passed = gates.flatMap(({ verdict }) => (verdict.verdict === "PASS" ? [verdict.gate] : []));
      const others = gates.filter(({ verdict }) => verdict.verdict !== "PASS");
      expect(others.map(({ verdict, summary }) => [verdict.gate, verdict.verdict, summary])).toEqual([
        ["budget", "NOT_APPLICABLE", "the contract sets no budget"],
        ["blindness", "NOT_RUN", "run"],
        ["integration", "NOT_APPLICABLE", "the contract names no dependency"],
        ["regression", "NOT_RUN", "earlier"],
        ["e2e", "NOT_RUN", "run"],
      ]);
      expect(passed).toHaveLength(14);
    },
  );
});
