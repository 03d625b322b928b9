// The layers gate believes what tests were seen to do: each pretended layer is refused, and its honest twin accepted.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { MicroModuleContract } from "../src/domain/contract/contract.ts";
import { gatesOn } from "./gate-samples.ts";
import type { Tried } from "./gate-samples.ts";
import { CLAMP, CLAMP_CONTRACT } from "./module-samples.ts";

const TIMEOUT = { timeout: 120_000 };
const CODE = CLAMP["src/index.ts"] ?? "";

const HEAD = `import fc from "fast-check";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { clamp, RangeError_ } from "../src/index.ts";
`;
const UNIT = `test("within", () => expect(clamp(15, 0, 10)).toBe(10));
test("refuses", () => expect(() => clamp(1, 2, 1)).toThrow(RangeError_));
`;
const inProperty = (body: string, more = "") =>
  `fc.assert(fc.property(fc.integer(), (value) => { ${body} })${more});`;
const PROPERTY = `test("stays within", () => { ${inProperty("expect(clamp(value, 0, 10)).toBeLessThan(11);")} });\n`;

const Evidence = z.object({
  tests: z.array(z.object({ name: z.string(), layers: z.record(z.string(), z.unknown()) })),
});

async function layersOf(tests: Readonly<Record<string, string>>, more: Partial<Tried> = {}) {
  const files = { "src/index.ts": CODE, ...tests };
  let seen: z.infer<typeof Evidence>["tests"] = [];
  const onEvidence = (evidence: unknown) => {
    seen = Evidence.parse(evidence).tests;
  };
  const [reported] = await gatesOn({
    files,
    contract: CLAMP_CONTRACT,
    only: ["layers"],
    onEvidence,
    ...more,
  });
  if (reported === undefined) throw new Error("no verdict");
  const { verdict, figures, blocks, summary } = reported;
  const found = verdict.findings.map(({ rule, message }) => `${rule}: ${message}`);
  return { verdict: verdict.verdict, figures, blocks, summary, found, findings: verdict.findings, seen };
}

const suite = (...parts: string[]) => ({ "test/it.test.ts": [HEAD, ...parts].join("\n") });

test("a suite with every layer passes, and what was counted is told", TIMEOUT, async () => {
  const { verdict, figures, summary } = await layersOf(suite(UNIT, PROPERTY));
  expect({ verdict, figures }).toEqual({
    verdict: "PASS",
    figures: { unit: 2, property: 1, contract: 3, static: 2, integration: 0 },
  });
  expect(summary).toBe("unit 2, property 1, contract 3, static 2");
});

/** A file that has its result from somewhere else than its one test. */
function resultFrom(...lines: string[]): string {
  return [HEAD, ...lines, 'test("is ten", () => expect(result).toBe(10));\n'].join("\n");
}

/** Bodies of tests that pass, by their names. */
function testsOf(bodies: Readonly<Record<string, string>>): string {
  const text = Object.entries(bodies).map(
    ([name, body]) => `test(${JSON.stringify(name)}, async ({ task }) => { void task; ${body} });`,
  );
  return text.join("\n");
}

const HUNDRED = "{ runs: 100, discarded: 0, distinct: 100, reaching: 100, varied: true }";

const PRETENDED: Readonly<Record<string, string>> = {
  "no property": "expect(clamp(1, 0, 2)).toBe(1);",
  "never calls the module": inProperty("expect(value + 0).toBe(value);"),
  "calls the module outside": `clamp(1, 2, 3); ${inProperty("return value === value;")}`,
  "tries few inputs": inProperty("expect(clamp(value, 0, 10)).toBeLessThan(11);", ", { numRuns: 5 }"),
  "tries one input":
    "fc.assert(fc.property(fc.constant(3), (value) => { expect(clamp(value, 0, 10)).toBe(3); }));",
  "always asks the same": inProperty("expect(clamp(3, 0, 10)).toBe(3); return value === value;"),
  "asks for almost no input": inProperty(
    "if (value % 17 === 0) expect(clamp(value, 0, 10)).toBeLessThan(11);",
    ", { seed: 7 }",
  ),
  "writes it into the report": `clamp(1, 2, 3); Reflect.set(task.meta, "cupel", { properties: [${HUNDRED}] });`,
  "imitates fast-check":
    "for (let value = 0; value < 100; value++) expect(clamp(value, 0, 10)).toBeLessThan(11);",
  "only draws samples":
    "for (const value of fc.sample(fc.integer(), 100)) expect(clamp(value, 0, 10)).toBeLessThan(11);",
};

const HONEST: Readonly<Record<string, string>> = {
  asynchronous:
    "await fc.assert(fc.asyncProperty(fc.integer(), async (value) => { await Promise.resolve(); expect(clamp(value, 0, 10)).toBeLessThan(11); }));",
  "with preconditions": inProperty("fc.pre(value > 0); expect(clamp(value, 0, 10)).toBeGreaterThan(0);"),
  "for half of its inputs": inProperty(
    "if (value > 0) expect(clamp(value, 0, 10)).toBeGreaterThan(0);",
    ", { seed: 7 }",
  ),
  "behind a helper":
    "const holds = (value: number) => clamp(value, 0, 10) <= 10; fc.assert(fc.property(fc.integer(), holds));",
};

test("what only looks like a property is none, and its twin is one", TIMEOUT, async () => {
  const pretended = await layersOf(suite(UNIT, testsOf(PRETENDED)));
  expect(pretended.found).toEqual([expect.stringMatching(/^lacks-layer: there is no property test/)]);
  const reasons = pretended.seen
    .filter(({ name }) => name in PRETENDED)
    .map(({ layers }) => layers["property"]);
  expect(reasons).toEqual([
    { not: "it has no property that fast-check tried" },
    { not: "it never calls the module within its property" },
    { not: "it never calls the module within its property" },
    { not: "it tried only 5 inputs, fewer than 50" },
    { not: "it tried only 1 different inputs" },
    { not: "it calls the module with the same arguments for every input" },
    { not: expect.stringMatching(/^it calls the module for only \d+ of 100 inputs$/) },
    { not: "it has no property that fast-check tried" },
    { not: "it has no property that fast-check tried" },
    { not: "it has no property that fast-check tried" },
  ]);
  const honest = await layersOf(suite(UNIT, testsOf(HONEST)));
  expect(honest.found).toEqual([]);
  expect(honest.figures).toMatchObject({ property: Object.keys(HONEST).length });
});

test("what is made up can come by way of a callback, when it makes a difference", TIMEOUT, async () => {
  const code = "export function ask(read: () => number): number {\n  return read();\n}\n";
  const head = HEAD.replace("clamp, RangeError_", "ask");
  const [entry] = CLAMP_CONTRACT.entry_points;
  if (entry === undefined) throw new Error("the sample has an entry point");
  const read = { name: "read", type: "() => number", constraints: [] };
  const asked = {
    ...entry,
    name: "ask",
    signature: "(read: () => number) => number",
    inputs: ["read"],
    errors: [],
  };
  const contract = {
    ...CLAMP_CONTRACT,
    inputs: [read],
    error_surfaces: [],
    entry_points: [asked],
    predicates: [],
  };
  const found = async (body: string) => {
    const tests = { "test/it.test.ts": `${head}test("asks", () => { ${inProperty(body)} });\n` };
    return (await layersOf({ "src/index.ts": code, ...tests }, { contract })).found;
  };
  const lacking = /^lacks-layer: there is no property test/;
  expect(await found("expect(ask(() => value)).toBe(value);")).not.toContainEqual(
    expect.stringMatching(lacking),
  );
  expect(await found("expect(ask(() => 1)).toBe(1); return value === value;")).toContainEqual(
    expect.stringMatching(lacking),
  );
});

describe("a unit test is one that calls an entry point", () => {
  test("mentioning it is not calling it", TIMEOUT, async () => {
    const text = `test("is there", () => { expect(typeof clamp).toBe("function"); if (Math.max() > 0) clamp(1, 2, 3); });`;
    const { found } = await layersOf(suite(text));
    expect(found).toEqual([
      expect.stringMatching(/^lacks-layer: there is no unit test/),
      expect.stringMatching(/^lacks-layer: there is no property test/),
      expect.stringMatching(/^lacks-layer: there is no contract test/),
      "uncalled-entry: no test that passes calls clamp",
    ]);
  });

  test("also before each or all tests, or while the file is loaded", TIMEOUT, async () => {
    const { found, figures } = await layersOf(
      {
        "test/each.test.ts": resultFrom(
          "let result = 0;",
          "beforeEach(() => { result = clamp(15, 0, 10); });",
        ),
        "test/all.test.ts": resultFrom("let result = 0;", "beforeAll(() => { result = clamp(15, 0, 10); });"),
        "test/load.test.ts": resultFrom("const result = clamp(15, 0, 10);"),
      },
      { rigor: "lite" },
    );
    expect(found).toEqual([]);
    expect(figures).toMatchObject({ unit: 3 });
  });

  test("every entry point is called by a test that passes", TIMEOUT, async () => {
    const code = `${CODE}\nexport function half(value: number): number {\n  return value / 2;\n}\n`;
    const [entry] = CLAMP_CONTRACT.entry_points;
    if (entry === undefined) throw new Error("the sample has an entry point");
    const second = {
      ...entry,
      name: "half",
      signature: "(value: number) => number",
      inputs: ["value"],
      errors: [],
    };
    const contract: MicroModuleContract = { ...CLAMP_CONTRACT, entry_points: [entry, second] };
    const imported = 'import { half } from "../src/index.ts";\n';
    const mentioned = `${imported}test("half", () => { expect(half).toBeDefined(); if (Math.max() > 0) half(2); });`;
    const files = { "src/index.ts": code };
    const shirked = await layersOf({ ...files, ...suite(mentioned, UNIT, PROPERTY) }, { contract });
    expect(shirked.found).toEqual(["uncalled-entry: no test that passes calls half"]);
    expect(shirked.findings[0]).toMatchObject({ file: "src/index.ts", line: 10 });
    const called = `${imported}test("half", () => expect(half(4)).toBe(2));`;
    expect((await layersOf({ ...files, ...suite(called, UNIT, PROPERTY) }, { contract })).found).toEqual([]);
  });
});

describe("a file name is a claim", () => {
  test("tests that are not what their file says are named with it", TIMEOUT, async () => {
    const idle = "expect(1 + 1).toBe(2)";
    const calling = "expect(clamp(1, 0, 2)).toBe(1)";
    const claims = [
      ["unit", idle, "it calls no entry point of the module"],
      ["property", calling, "it has no property that fast-check tried"],
      ["contract", idle, "no promise of the contract was put to the test in it"],
      ["integration", calling, "the module has no dependency"],
      ["e2e", calling, "it runs with one module and not with the product"],
    ] as const;
    const files = claims.map(([layer, body]) => [
      `test/more.${layer}.test.ts`,
      `${HEAD}test("so-called", () => ${body});\n`,
    ]);
    const { findings } = await layersOf({ ...suite(UNIT, PROPERTY), ...Object.fromEntries(files) });
    const expected = claims.map(([layer, , why]) => ({
      rule: "claimed-layer",
      file: `test/more.${layer}.test.ts`,
      line: 4,
      message: `so-called stands among ${layer} tests, but ${why}`,
    }));
    expect(new Set(findings)).toEqual(new Set(expected));
  });

  test("true claims are accepted", TIMEOUT, async () => {
    const { found } = await layersOf({
      "test/it.unit.test.ts": `${HEAD}${UNIT}`,
      "test/it.property.test.ts": `${HEAD}${PROPERTY}`,
      "test/it.contract.test.ts": `${HEAD}${UNIT}`,
    });
    expect(found).toEqual([]);
  });
});

test("the contract is put to the test only when its requirement is broken, too", TIMEOUT, async () => {
  const kept = `test("within", () => expect(clamp(15, 0, 10)).toBe(10));`;
  const { found } = await layersOf(suite(kept, PROPERTY));
  expect(found).toEqual([expect.stringMatching(/^lacks-layer: there is no contract test/)]);
});

test("lite asks for unit tests only", TIMEOUT, async () => {
  expect((await layersOf(suite(UNIT), { rigor: "lite" })).verdict).toBe("PASS");
});

async function without(tests: string, rigor: Tried["rigor"] = "standard") {
  const files = { "src/index.ts": CODE, ...suite(tests) };
  const [reported] = await gatesOn({ files, only: ["layers"], rigor });
  return { verdict: reported?.verdict.verdict, blocks: reported?.blocks, figures: reported?.figures };
}

describe("code without a contract", () => {
  test("what it lacks is told and blocks nothing", TIMEOUT, async () => {
    const told = { verdict: "FAIL", blocks: false, figures: { unit: 2, property: 0 } };
    expect(await without(UNIT)).toMatchObject(told);
  });

  test("unless somebody asked for it by name", TIMEOUT, async () => {
    const rigor: Tried["rigor"] = { base: "standard", layers: ["unit", "property"] };
    expect(await without(UNIT, rigor)).toMatchObject({ verdict: "FAIL", blocks: true });
    expect(await without(`${UNIT}${PROPERTY}`, rigor)).toMatchObject({ verdict: "PASS", blocks: false });
  });
});
