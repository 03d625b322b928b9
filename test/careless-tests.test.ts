// A test that asks for nothing of the results is refused, however it hides that; one that asks for little is not.
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { gateOn } from "./gate-samples.ts";
import { medianWith } from "./median-samples.ts";

const LONG = { timeout: 120_000 };

function withTests(...bodies: string[]): Promise<string[]> {
  return withCode(...bodies.map((body, index) => `  test("more ${index}", () => {\n    ${body}\n  });\n`));
}

function one(title: string): string {
  return `test("${title}", () => expect(median([1])).toBe(1));\n`;
}

async function withCode(...more: string[]): Promise<string[]> {
  const last = '  test("refuses nothing"';
  const verdict = await gateOn(
    "red-on-skeleton",
    medianWith({}, { [last]: `${more.join("")}${last}`, "{ describe,": "{ afterAll, beforeAll, describe," }),
  );
  if (verdict.verdict === "ERROR") return [verdict.message];
  return verdict.findings.map(({ rule, message }) => `${rule}: ${message}`);
}

/** A group whose preparation calls the module. */
const prepared = (body: string) =>
  `  describe("prepared", () => {
    let first = 0;
    const log: number[] = [];
    beforeAll(() => { first = median([1, 2, 3]); });
    afterAll(() => { expect(log).toEqual([2]); });
    test("uses it", () => { log.push(first); ${body} });
  });\n`;

describe.skipIf(!bubblewrapWorks)("a test among good ones (needs bubblewrap)", () => {
  test("that passes whatever comes back is refused", LONG, async () => {
    const careless = [
      "[].forEach(() => expect(median([1])).toBe(1)); median([1]);",
      "median([1]); for (const each of [] as number[][]) expect(median(each)).toBe(1);",
      "expect(median([1])).toBeDefined();",
      "expect(median([1])).toEqual(expect.anything());",
      'expect(typeof median([1])).toBe("number");',
      "const found = median([1]); if (found === 2) expect(found).toBe(1);",
      "try { expect(median([1])).toBe(1); } catch (error) { if (String(error).includes('stub')) throw error; }",
      "const pending = Promise.resolve(median([1])); void pending.then((found) => expect([found]).toHaveLength(1));",
    ];
    const refused = await withTests(...careless);
    expect(refused).toEqual(
      careless.map(
        (_, index) => `green-on-lies: median > more ${index} passes whatever the entry points give back`,
      ),
    );
  });

  test("that the runner never hears of is refused", LONG, async () => {
    const found = await withCode(
      `  if (process.env["CI"] === undefined) ${one("elsewhere")}`,
      `  const declare = () => ${one("on demand")}`,
      `  test.each([] as number[])("%d%% of nothing", (each) => expect(median([each])).toBe(each));\n`,
      `  test.each([1, 2])("%d of $100", (each) => expect(median([each])).toBe(each));\n`,
      "  for (const each of [1, 2]) test(`alone: ${each}`, () => expect(median([each])).toBe(each));\n",
      `  describe("at once", () => ([1] as const).forEach(() => ${one("in there").trim().replace(/;$/, "")}));\n`,
    );
    expect(found).toEqual([
      'never-declared: "elsewhere" stands there and is never declared, so it never runs',
      'never-declared: "on demand" stands there and is never declared, so it never runs',
      'never-declared: "%d%s of nothing" stands there and is never declared, so it never runs',
    ]);
  });

  test("that catches what is thrown is accepted", LONG, async () => {
    const found = await withCode(
      `  const nameOf = (work: () => unknown) => {
    try { work(); return "none"; } catch (error) { return error instanceof Error ? error.name : "none"; }
  };
  test("by its name", () => expect(nameOf(() => median([]))).toBe("EmptyError"));\n`,
      `  test("by its class", () => {
    let seen = 0;
    try { median([]); } catch (error) { if (error instanceof EmptyError) seen += 1; }
    expect(seen).toBe(1);
  });\n`,
    );
    expect(found).toEqual([]);
  });

  test("that is prepared by the module is judged like any other", LONG, async () => {
    const asks = "expect(median([first])).toBe(2);";
    expect(await withCode(prepared(asks))).toEqual([]);
    const careless = "median([first]);";
    expect(await withCode(prepared(careless).replace(/.*afterAll.*/, ""))).toEqual([
      "green-on-lies: median > prepared > uses it passes whatever the entry points give back",
    ]);
  });

  test(
    "that stands in a file which calls the module while it is loaded is judged like any other",
    LONG,
    async () => {
      const found = await withCode(
        "  const first = median([1]);\n",
        '  test("asks for nothing", () => { expect(typeof median([first])).toBe("number"); });\n',
      );
      expect(found).toEqual([
        "green-on-lies: median > asks for nothing passes whatever the entry points give back",
      ]);
    },
  );

  test("that asks for something is accepted", LONG, async () => {
    const found = await withTests(
      "const given = [2, 1]; median(given); expect(given).toEqual([2, 1]);",
      "expect(() => median([1, 2])).not.toThrow();",
      "expect(median([1, 2, 3])).toBe(median([3, 2, 1]));",
      "expect(median([5])).not.toBe(0);",
      "expect(Number.isFinite(median([1]))).toBe(true);",
      "expect(median([1, 2, 3])).toBeGreaterThan(1);",
      "for (const each of [[1], [1, 1]]) expect(median(each)).toBe(1);",
    );
    expect(found).toEqual([]);
  });
});
