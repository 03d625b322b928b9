import { expect, test } from "vitest";
import { PACKAGES, siteOf } from "../../../../test/typescript-site.ts";
import { LEAST_INPUTS } from "./equivalence.ts";
import { mutate } from "./mutate.ts";

/** A function, the mutant in question, and whether it may be called equivalent. */
const CASES: Readonly<Record<string, [text: string, replacement: string, equivalent: boolean]>> = {
  larger: ["(a: string, b: string): string => { return a < b ? b : a; }", "a <= b", true],
  hidden: ["(n: number): number => { return n > 4_000_000 ? 1 : 0; }", "n >= 4_000_000", false],
  sorted: ["(list: readonly number[]): number => { return [...list].length > 0 ? 1 : 0; }", "[]", false],
  unreached: [
    "(n: string): number => { if (n === `${n}!`) return n.length + 1; return 0; }",
    "n.length - 1",
    false,
  ],
  random: [
    "(n: number): number => { const r = Math.random(); return n > 0 && n > 1 ? r : r; }",
    "true",
    false,
  ],
  opaque: ["(n: number): (() => number) => { return () => (n > 0 || n > 1 ? 1 : 0); }", "false", false],
  changesArgument: ["(list: number[]): void => { if (list.length > 2) list.push(1); }", "true", false],
  prints: ["(n: number): void => { if (n > 2) console.log(n); }", "true", false],
  calls: ["(n: number, each: (n: number) => void): void => { if (n > 2) each(n); }", "true", false],
  later: [
    "async (a: string, b: string): Promise<string> => { await null; return a < b ? b : a; }",
    "a <= b",
    true,
  ],
  laterOther: [
    "async (a: string, b: string): Promise<string> => { await null; return a < b ? b : a; }",
    "a >= b",
    false,
  ],
  records: [
    "(o: { a: number; b?: string }): string => { return `${o.a > 1 || o.a > 2 ? 1 : 0}${o.b ?? ''}`; }",
    "o.a > 1 && o.a > 2",
    false,
  ],
};

test("a survivor is equivalent only when inputs that reach it make no difference", async () => {
  const names = Object.keys(CASES);
  const source = Object.entries(CASES).map(([name, [text]]) => `export const ${name} = ${text};`);
  const calls = names.map((name) => `void all.${name};`);
  const site = await siteOf({
    "src/index.ts": source.join("\n"),
    // Tests that reach everything and notice nothing.
    "test/weak.test.ts": `import { test } from "vitest";
import * as all from "../src/index.ts";
test("weak", async () => {
  ${calls.join(" ")}
  for (const each of Object.values(all) as ((...args: never[]) => unknown)[])
    for (const value of ["a", 1, [1, 2, 3], { a: 1 }])
      try { await each(...([value, () => undefined] as never[])); } catch {}
});`,
  });
  const only = Object.keys(CASES).map((_, index) => ({ file: "src/index.ts", line: index + 1 }));
  const report = await mutate({ packages: PACKAGES }, site, { timeoutMs: 2_000, only });
  if (report.kind !== "mutated") throw new Error(report.why);
  const found = names.map((name, index) => {
    const [, replacement] = CASES[name] ?? ["", ""];
    const mutant = report.mutants.find((each) => each.line === index + 1 && each.replacement === replacement);
    if (mutant?.status === "equivalent")
      expect(mutant.equivalence?.inputsTried).toBeGreaterThanOrEqual(LEAST_INPUTS);
    return [name, mutant === undefined ? "no such mutant" : mutant.status === "equivalent"];
  });
  const expected = Object.entries(CASES).map(([name, [, , equivalent]]) => [name, equivalent]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
}, 60_000);
