// Ordinary modules in ordinary shapes are accepted, and their cheating cousins are not.
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../../test/bubblewrap.ts";
import { gateOn } from "../../../test/gate-samples.ts";
import { CLAMP_CONTRACT } from "../../../test/module-samples.ts";

const HEAD = 'import { describe, expect, test } from "vitest";\n';
const BOX = `export class Box {
  readonly size: number;

  constructor(size: number) {
    if (size < 0) throw new RangeError("negative");
    this.size = size;
  }

  double(): number {
    return this.size * 2;
  }
}
`;
const tested = (suite: string) => ({
  files: {
    "src/index.ts": BOX,
    "test/box.test.ts": `${HEAD}import { Box } from "../src/index.ts";\n${suite}\n`,
  },
});
const IN_THE_BLOCK = `describe("a box", () => {
  const box = new Box(2);
  test("has a size", () => expect(box.size).toBe(2));
  test("doubles", () => expect(box.double()).toBe(4));
`;

describe.concurrent(`red-on-skeleton${bubblewrapWorks ? "" : " without a sandbox"}`, () => {
  test("accepts tests whose file already makes an object of the module", async () => {
    const verdict = await gateOn("red-on-skeleton", tested(`${IN_THE_BLOCK}});`));
    expect(verdict).toMatchObject({ verdict: "PASS", denominator: 3 });
  });

  test("refuses one among them that uses nothing of the module", async () => {
    const suite = `${IN_THE_BLOCK}  test("is nothing", () => expect(true).toBe(true));\n});`;
    const verdict = await gateOn("red-on-skeleton", tested(suite));
    expect(verdict.findings).toMatchObject([{ rule: "green-on-stubs", file: "test/box.test.ts", line: 7 }]);
  });

  test("accepts that something throws, without saying what", async () => {
    const suite = 'test("refuses", () => expect(() => new Box(-1)).toThrow());';
    expect(await gateOn("red-on-skeleton", tested(suite))).toMatchObject({ verdict: "PASS" });
    const promised = await gateOn("red-on-skeleton", { ...tested(suite), contract: CLAMP_CONTRACT });
    expect(promised.findings).toMatchObject([{ rule: "green-on-stubs" }]);
  });

  test("refuses what holds whether or not anything throws", async () => {
    const suite = 'test("tries", () => {\n  try { new Box(1); } catch {}\n  expect(Box).toBeDefined();\n});';
    const verdict = await gateOn("red-on-skeleton", tested(suite));
    expect(verdict.findings).toMatchObject([{ rule: "green-on-stubs", line: 3 }]);
  });

  test("accepts a test of a constant beside functions, unless it asks nothing of it", async () => {
    const source = `${BOX}\nexport const SIZES: readonly number[] = [1, 2];\n`;
    const suite = (body: string) => ({
      files: {
        "src/index.ts": source,
        "test/a.test.ts": `${HEAD}import { Box, SIZES } from "../src/index.ts";\ntest("doubles", () => expect(new Box(2).double()).toBe(4));\ntest("sizes", () => ${body});\n`,
      },
    });
    const good = await gateOn("red-on-skeleton", suite("expect(SIZES).toEqual([1, 2])"));
    expect(good).toMatchObject({ verdict: "PASS", denominator: 2 });
    const empty = await gateOn("red-on-skeleton", suite("expect([SIZES]).toHaveLength(1)"));
    expect(empty.findings).toMatchObject([{ rule: "green-on-stubs", line: 4 }]);
  });

  test("accepts functions that take apart what they are given", async () => {
    const signature = "({ low, high }: { low: number; high: number }, [first]: number[]) => number";
    const [entry] = CLAMP_CONTRACT.entry_points;
    const apart = {
      files: {
        "src/index.ts":
          "export function clamp({ low, high }: { low: number; high: number }, [first = 0]: number[]): number {\n  return Math.min(Math.max(first, low), high);\n}\n",
        "test/clamp.test.ts": `${HEAD}import { clamp } from "../src/index.ts";\ntest("keeps", () => expect(clamp({ low: 1, high: 3 }, [5])).toBe(3));\n`,
      },
      contract: { ...CLAMP_CONTRACT, entry_points: entry === undefined ? [] : [{ ...entry, signature }] },
    };
    expect(await gateOn("red-on-skeleton", apart)).toMatchObject({ verdict: "PASS", denominator: 1 });
  });

  test("accepts methods of which one gives back an object of its class", async () => {
    const source = BOX.replace(
      "  double()",
      "  twin(): Box {\n    return new Box(this.size);\n  }\n\n  double()",
    );
    const suite =
      'test("doubles", () => expect(new Box(2).double()).toBe(4));\ntest("is alike", () => expect(new Box(2).twin().size).toBe(2));';
    const [entry] = CLAMP_CONTRACT.entry_points;
    if (entry === undefined) throw new Error("the sample has an entry point");
    const entries = Object.entries({
      Box: "new (size: number) => Box",
      "Box.twin": "() => Box",
      "Box.double": "() => number",
    }).map(([name, signature]) => ({ ...entry, name, signature, inputs: [], errors: [] }));
    const { files } = tested(suite);
    const verdict = await gateOn("red-on-skeleton", {
      files: { ...files, "src/index.ts": source },
      contract: { ...CLAMP_CONTRACT, entry_points: entries, predicates: [] },
    });
    expect(verdict).toMatchObject({ verdict: "PASS", denominator: 2 });
  });

  test("accepts a skeleton whose stubs throw what they like", async () => {
    const skeleton = {
      "src/index.ts":
        'export class Box {\n  constructor(_: number) {\n    throw new Error("to do");\n  }\n}\n',
    };
    const suite = 'test("doubles", () => expect(new Box(2).double()).toBe(4));';
    expect(await gateOn("red-on-skeleton", { ...tested(suite), skeleton })).toMatchObject({
      verdict: "PASS",
    });
    const broken = `${suite}\ntest("is wrong anyway", () => expect(nothing).toBe(1));`;
    const verdict = await gateOn("red-on-skeleton", { ...tested(broken), skeleton });
    expect(verdict.findings).toMatchObject([{ rule: "wrong-reason", line: 4 }]);
  });

  test("names a test that is left out", async () => {
    const suite = 'test.skip("later", () => expect(new Box(2).double()).toBe(4));';
    const verdict = await gateOn("red-on-skeleton", tested(suite));
    expect(verdict.findings).toMatchObject([{ rule: "skipped", file: "test/box.test.ts", line: 3 }]);
  });
});

const CONSTANTS = {
  files: {
    "src/index.ts": "export const LIMIT = 10;\n",
    "test/a.test.ts": `${HEAD}import { LIMIT } from "../src/index.ts";\ntest("a", () => expect(LIMIT).toBe(10));\n`,
  },
};
const TYPES = {
  files: {
    "src/index.ts": "export type A = { a: number };\n",
    "test/a.test.ts": `${HEAD}import type { A } from "../src/index.ts";\ntest("a", () => {\n  const a: A = { a: 1 };\n  expect(a.a).toBe(1);\n});\n`,
  },
};

describe.concurrent("a module without functions", () => {
  test.each([
    ["red-on-skeleton", "NOT_APPLICABLE", "constants", CONSTANTS],
    ["green", "PASS", "constants", CONSTANTS],
    ["coverage", "PASS", "constants", CONSTANTS],
    ["coverage", "NOT_APPLICABLE", "types", TYPES],
  ] as const)("makes %s %s, where it has only %s", async (gate, verdict, _, tried) => {
    expect((await gateOn(gate, tried)).verdict).toBe(verdict);
  });
});

const branchy = Array.from({ length: 12 }, (_, at) => `  if (value === ${at}) return "${at * 3}";`).join(
  "\n",
);
const COMPLEX = {
  files: {
    "src/index.ts": `export function spell(value: number): string {\n${branchy}\n  return "";\n}\n`,
    "test/a.test.ts": `${HEAD}import { spell } from "../src/index.ts";\ntest("a", () => expect(spell(1)).toBe("3"));\n`,
  },
};

test("how complex code may be is asked only of code that was made for it", async () => {
  expect(await gateOn("static", COMPLEX)).toMatchObject({ verdict: "PASS" });
  const promised = await gateOn("static", { ...COMPLEX, contract: CLAMP_CONTRACT });
  expect(promised.findings).toMatchObject([{ rule: "complexity", file: "src/index.ts", line: 1 }]);
});

test.each([
  ["export default function twice(value: number): number {\n  return value * 2;\n}\n", "src/index.ts"],
  ["export default class {\n  twice = 2;\n}\n", "src/index.ts"],
])("a test reaches the default export of %j", async (text, path) => {
  const call = text.includes("class") ? "new it().twice" : "it(1)";
  const suite = `${HEAD}import it from "../${path}";\n\ntest("a", () => {\n  expect(${call}).toBe(2);\n});\n`;
  const files = { [path]: text, "test/a.test.ts": suite };
  expect(await gateOn("tidy", { files })).toMatchObject({ findings: [] });
});

test("a test reaches what CommonJS exports", async () => {
  const files = {
    "lib/index.cjs": "exports.twice = function (value) {\n  return value * 2;\n};\n",
    "test/a.test.mjs": `${HEAD}import { twice } from "../lib/index.cjs";\n\ntest("a", () => {\n  expect(twice(1)).toBe(2);\n});\n`,
  };
  expect(await gateOn("tidy", { files })).toMatchObject({ findings: [] });
});

test("an error that a promise is rejected with is reached when the contract declares it", async () => {
  const source = `export class RangeError_ extends Error {}

export function clamp(value: number): Promise<number> {
  return new Promise((resolve, reject) => {
    if (value < 0) reject(new RangeError_("below"));
    else resolve(value);
  });
}
`;
  const suite = `${HEAD}import { clamp } from "../src/index.ts";\n\ntest("a", async () => {\n  expect(await clamp(1)).toBe(1);\n});\n`;
  const files = { "src/index.ts": source, "test/a.test.ts": suite };
  expect(await gateOn("tidy", { files, contract: CLAMP_CONTRACT })).toMatchObject({ findings: [] });
  expect((await gateOn("tidy", { files })).findings).toMatchObject([{ rule: "untested-export" }]);
});

test("an environment that is not installed is named where the file is", async () => {
  const { files } = tested('test("doubles", () => expect(new Box(2).double()).toBe(4));');
  // Written in one piece it would be meant for this very file.
  const comment = ["// @vitest", "environment no-such-environment"].join("-");
  const suite = `${comment}\n${files["test/box.test.ts"]}`;
  const verdict = await gateOn("green", { files: { ...files, "test/box.test.ts": suite } });
  const [first] = verdict.findings;
  expect(first).toMatchObject({
    file: "test/box.test.ts",
    message: expect.stringContaining("no-such-environment"),
  });
});

test("a cache makes as many claims as there are pieces of code that only it needs, and they are named", async () => {
  const source = `const known = new Map<number, number>();

/** The digits of a whole number, added up. */
export function digitSum(value: number): number {
  const found = known.get(value);
  if (found !== undefined) return found;
  const sum = [...String(value)].reduce((total, digit) => total + Number(digit), 0);
  if (known.size >= 100) known.clear();
  known.set(value, sum);
  return sum;
}
`;
  const suite = `${HEAD}import { digitSum } from "../src/index.ts";
test("adds", () => {
  for (const [value, sum] of [[0, 0], [7, 7], [123, 6], [123, 6]] as const) expect(digitSum(value)).toBe(sum);
});
`;
  const files = { "src/index.ts": source, "test/a.test.ts": suite };
  const allowing = (maxEquivalentClaims: number) =>
    gateOn("mutation", { files, rigor: { base: "standard", mutation: { maxEquivalentClaims } } });
  expect((await allowing(2)).findings).toEqual([]);
  expect((await allowing(1)).findings).toMatchObject([
    { rule: "equivalent-claims", message: expect.stringContaining("at 2 places") },
    { rule: "survivor", file: "src/index.ts", line: 6, message: expect.stringContaining("no input tells") },
    ...Array.from({ length: 4 }, () => ({ rule: "survivor", line: 8 })),
  ]);
});
