import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../../test/bubblewrap.ts";
import { moduleFolder } from "../../../test/module-samples.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { bubblewrap } from "../../workshop/sandbox/bubblewrap.ts";
import { detectLayout } from "./layout.ts";
import { measure } from "./measure.ts";
import { openSite } from "./site.ts";

const long = process.env["CUPEL_LONG"] === "1";

const LINEAR: [string, string, string][] = [
  ["sum", "(list: number[]) => number", "let s = 0; for (const x of list) s += x; return s;"],
  [
    "sorted",
    "(list: readonly number[]) => number[]",
    "return [...list].sort((a: number, b: number) => a - b);",
  ],
  ["unique", "(list: string[]) => string[]", "return [...new Set(list)];"],
  ["count", "(list: string) => number", 'let n = 0; for (const c of list) if (c === "a") n++; return n;'],
  ["head", "(list: number[]) => number", "return list[0] ?? 0;"],
  [
    "index",
    "(list: Map<string, number>) => number",
    "let n = 0; for (const [k, v] of list) n += k.length + v; return n;",
  ],
];

const QUADRATIC: [string, string, string][] = [
  [
    "pairs",
    "(list: number[]) => number",
    "let n = 0; for (const a of list) for (const b of list) if (a === b) n++; return n;",
  ],
  [
    "unique",
    "(list: string[]) => string[]",
    "return list.filter((x: string, i: number) => list.indexOf(x) === i);",
  ],
  [
    "bubble",
    "(list: number[]) => number[]",
    "const a = [...list]; for (let i = 0; i < a.length; i++) for (let j = i + 1; j < a.length; j++) if (a[i]! > a[j]!) [a[i], a[j]] = [a[j]!, a[i]!]; return a;",
  ],
  [
    "trimmed",
    "(list: string) => number",
    "let n = 0; for (let i = 0; i < list.length; i++) for (let j = i; j < list.length && list[j] === 'a'; j++) n++; return n;",
  ],
  [
    "spread",
    "(list: number[]) => number[]",
    "return list.reduce((all: number[], x: number) => [...all, x], []);",
  ],
];

function pick<T>(all: readonly T[], some: readonly number[]): readonly T[] {
  return long ? all : all.filter((_, index) => some.includes(index));
}

describe.skipIf(!bubblewrapWorks)("measuring (needs bubblewrap)", () => {
  test.each(pick(LINEAR, [1]))("%s grows with the input at most", async (name, signature, body) => {
    const report = await measured(name, signature, body);
    expect(report).toMatchObject({ growth: {} });
    expect("growth" in report && report.growth?.exponent).toBeLessThan(1.5);
  });

  test.each(pick(QUADRATIC, [1]))("%s grows with its square", async (name, signature, body) => {
    const report = await measured(name, signature, body);
    expect("growth" in report && report.growth?.exponent).toBeGreaterThan(1.5);
  });

  test("gives numbers for an entry without sizes, and obeys what it requires", async () => {
    const body =
      'if (n < 50) throw new Error("small"); const all = new Array(200_000).fill(n); return all.length;';
    const report = await measured("big", "(n: number) => number", body, "args[0] >= 50");
    expect(report).toMatchObject({ calls: expect.any(Number), latencyMsP95: expect.any(Number) });
    expect("growth" in report).toBe(false);
    expect("memoryMbMax" in report && report.memoryMbMax).toBeGreaterThan(1);
  });

  test.each([
    ["f", "(socket: Socket) => void", "", undefined, "the type Socket is not known"],
    ["f", "(n: number) => void", "", "args[0] < 0", "meet what it requires"],
    ["f", "(n: number) => void", "process.exit(0);", undefined, "without a report"],
  ])("says why it cannot: %s %s %s", async (name, signature, body, requires, why) => {
    const report = await measured(name, signature, body, requires);
    expect("kind" in report && report.why).toContain(why);
  });

  test.runIf(long)(
    "tells n, n log n and n² apart, twenty times in a row (long form)",
    { timeout: 900_000 },
    async () => {
      const exponents: number[][] = [];
      for (let round = 0; round < 20; round++) {
        const reports = [];
        for (const [name, signature, body] of [LINEAR[0], LINEAR[1], QUADRATIC[0]].flatMap((each) =>
          each ? [each] : [],
        ))
          reports.push(await measured(name, signature, body));
        exponents.push(reports.map((report) => ("growth" in report ? (report.growth?.exponent ?? -1) : -1)));
      }
      expect(
        exponents.filter(([one = 9, two = 9, three = 0]) => one > 1.4 || two > 1.5 || three < 1.7),
      ).toEqual([]);
    },
  );
});

async function measured(name: string, signature: string, body: string, requires?: string) {
  const [, parameters = ""] = /^\((.*)\) =>/.exec(signature) ?? [];
  const untyped = parameters.replace(/:.*$/, ": any");
  const folder = moduleFolder({ "src/index.ts": `export function ${name}(${untyped}): any { ${body} }\n` });
  const detected = detectLayout(folder);
  if (detected.kind === "no-module") throw new Error(detected.why);
  const directory = join(temporaryDirectory(), "site");
  const site = await openSite({ sandbox: bubblewrap() }, { folder, layout: detected.layout, directory });
  return measure(site, {
    entry_points: [{ name, signature, inputs: [], outputs: [], errors: [], effects: [] }],
    inputs: [],
    predicates:
      requires === undefined
        ? []
        : [{ id: "p", of: "inputs.0.constraints.0", entry: name, kind: "requires", expr: requires }],
  });
}
