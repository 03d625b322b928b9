// A check that only the compiler needs is no critical survivor; one that nobody would miss stays one.
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { gateOn } from "./gate-samples.ts";

const TIMEOUT = { timeout: 120_000 };

const HEAD = 'import { expect, test } from "vitest";\nimport { last } from "../src/index.ts";\n\n';

const TESTS = `${HEAD}test.each([[[3], 3], [[1, 2, 9], 9], [[0, -4], -4]])("of %j", (values, expected) => {
  expect(last(values)).toBe(expected);
});

test("of none", () => {
  expect(() => last([])).toThrow("nothing is last");
});
`;

const ASKS_OF_NONE = /\ntest\("of none"[^]*/;

/** `guard` says when the list has no last value. */
const withGuard = (guard: string) => `/** The last value of a list that has one. */
export function last(values: readonly number[]): number {
  const found = values.at(-1);
  if (${guard}) throw new RangeError("nothing is last");
  return found;
}
`;

async function mutationOf(code: string, tests = TESTS) {
  const verdict = await gateOn("mutation", {
    files: { "src/index.ts": code, "test/last.test.ts": tests },
    rigor: { base: "standard", mutation: { minKilled: 0.1 } },
  });
  return verdict.findings.map(({ rule }) => rule);
}

/** `last` says what is done with a unit that the switch leaves over. */
const withSwitch = (units: string, last: string) => `export type Unit = ${units};

function unheardOf(unit: never): never {
  throw new TypeError("no unit: " + JSON.stringify(unit));
}

/** How many grams a unit is. */
export function last(unit: Unit): number {
  switch (unit) {
    case "g":
      return 1;
    case "kg":
      return 1000;
    default:
      ${last}
  }
}
`;

const OF_UNITS = `${HEAD}test("of units", () => {
  expect([last("g"), last("kg")]).toEqual([1, 1000]);
});
`;

async function coverageOf(units: string): Promise<string[]> {
  const code = withSwitch(units, "throw new TypeError(`no unit: ${String(unit)}`);");
  const files = { "src/index.ts": code, "test/last.test.ts": OF_UNITS };
  return (await gateOn("coverage", { files })).findings.map(({ message }) => message);
}

describe.skipIf(!bubblewrapWorks)("what a switch leaves over (needs bubblewrap)", () => {
  test.each(["return unheardOf(unit);", "throw new TypeError(`no unit: ${String(unit)}`);"])(
    "asks for no test where nothing is left: %s",
    TIMEOUT,
    async (last) => {
      expect(await mutationOf(withSwitch('"g" | "kg"', last), OF_UNITS)).toEqual([]);
    },
  );

  test("is no part of what tests must run, unless something is left", TIMEOUT, async () => {
    expect(await coverageOf('"g" | "kg"')).toEqual([]);
    expect(await coverageOf('"g" | "kg" | "t"')).toContain(
      "branches: 66.6 % covered, 80 % asked; no test takes the way to line 14",
    );
  });

  test("is none where conditions leave nothing, either", TIMEOUT, async () => {
    const code = `export function last(unit: "g" | "kg"): number {
  if (unit === "g") return 1;
  if (unit === "kg") return 1000;

  const nothing: never = unit;
  throw new TypeError(\`no unit: \${String(nothing)}\`);
}
`;
    const files = { "src/index.ts": code, "test/last.test.ts": OF_UNITS };
    expect((await gateOn("coverage", { files })).findings).toEqual([]);
  });

  test.each([
    [
      "a value that changes behind its back",
      "let odd = false;\n  [unit.length].forEach((size) => { odd = size > 2; });",
      "odd",
    ],
    [
      "a question that lies",
      "const usual = (of: Unit): of is Unit => of.length < 3;\n  const odd = !usual(unit) && unit;",
      "odd !== false",
    ],
  ])("asks for one where a result would come of it: %s", TIMEOUT, async (_why, before, condition) => {
    const code = `export type Unit = "g" | "kg";

/** How many grams a unit is. */
export function last(unit: Unit): number {
  ${before}
  if (${condition}) return JSON.stringify(odd).length;
  return unit === "g" ? 1 : 1000;
}
`;
    expect(await mutationOf(code, OF_UNITS)).toContain("critical-survivor");
  });

  test("asks for one where something is", TIMEOUT, async () => {
    const thrown = "throw new TypeError(`no unit: ${unit}`);";
    const found = await mutationOf(withSwitch('"g" | "kg" | "t"', thrown), OF_UNITS);
    expect(found).toContain("critical-survivor");
  });
});

describe.skipIf(!bubblewrapWorks)("survivors (needs bubblewrap)", () => {
  test("that the compiler refuses are not critical", TIMEOUT, async () => {
    expect(await mutationOf(withGuard("values.length === 0 || found === undefined"))).toEqual([]);
  });

  test("that take a whole condition away are, for nobody asked what it decides", TIMEOUT, async () => {
    const found = await mutationOf(withGuard("found === undefined"), TESTS.replace(ASKS_OF_NONE, ""));
    expect(found).toContain("critical-survivor");
  });

  test("that it lets through are", TIMEOUT, async () => {
    const found = await mutationOf(withGuard("found === undefined || values.length > 4"));
    expect(found).toContain("critical-survivor");
  });
});
