// The fast engine must say what StrykerJS says: a small module always, all modules of the benchmark in the long form.
import { describe, expect, test } from "vitest";
import { compare, modules } from "../bench/mutation.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import { none } from "../src/workshop/sandbox/none.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { CLAMP, moduleFolder } from "./module-samples.ts";
import { PACKAGES, siteOf } from "./typescript-site.ts";
import { instrument } from "../src/toolchains/typescript/mutation/instrument.ts";
import { PROPERTY_SEED } from "../src/toolchains/typescript/mutation/judge.ts";
import { mutate } from "../src/toolchains/typescript/mutation/mutate.ts";
import { placeKey, runStryker, strykerMutants } from "../src/toolchains/typescript/mutation/stryker.ts";

const LONG = process.env["CUPEL_LONG"] === "1";

/** With a value that is made while the file loads, and a block that no test reaches. */
const MORE = `
const NAMES = ["low", "high"];
export function nameOf(index: number): string {
  return NAMES[index] ?? "none";
}
export function total(list: readonly number[]): number {
  let sum = 0;
  for (const each of list) {
    if (each > 0) sum += each;
  }
  return sum;
}
export function unused(flag: boolean): number {
  return flag ? 1 : 2;
}
`;
const MORE_TESTS = `
import { nameOf, total } from "../src/index.ts";
test("total", () => { expect(total([1, -2, 3])).toBe(4); });
test("names", () => { expect([nameOf(0), nameOf(1)]).toEqual(["low", "high"]); });
`;

test("a small module gets the same verdicts, mutant by mutant", async () => {
  const site = await siteOf({
    "src/index.ts": `${CLAMP["src/index.ts"]}${MORE}`,
    "test/clamp.test.ts": `${CLAMP["test/clamp.test.ts"]}${MORE_TESTS}`,
  });
  const instrumented = await instrument(site);
  if (instrumented.kind === "impossible") throw new Error(instrumented.why);
  const options = { timeoutMs: 5_000, equivalence: false };
  const ours = await mutate({ packages: PACKAGES }, site, options);
  const theirs = await runStryker(site, instrumented.mutants, options);
  if (ours.kind === "impossible" || theirs.kind === "impossible")
    throw new Error(JSON.stringify([ours, theirs]));
  const statuses = new Map(theirs.mutants.map((mutant) => [placeKey(mutant), mutant.status]));
  expect(ours.mutants.length).toBeGreaterThan(25);
  expect(ours.mutants.map(({ line, replacement, status }) => [line, replacement, status])).toEqual(
    instrumented.mutants.map((mutant) => [mutant.line, mutant.replacement, statuses.get(placeKey(mutant))]),
  );
  expect(new Set(statuses.values())).toEqual(new Set(["killed", "survived", "noCoverage"]));
}, 60_000);

test("a suite that mocks modules is judged by StrykerJS, which says why", async () => {
  const site = await siteOf({
    ...CLAMP,
    "test/mock.test.ts": `import { expect, test, vi } from "vitest";
import { clamp } from "../src/index.ts";
vi.mock("node:os", () => ({ cpus: () => [] }));
test("mocked", () => { expect(clamp(1, 0, 2)).toBe(1); });`,
  });
  const report = await mutate({ packages: PACKAGES }, site, { timeoutMs: 5_000 });
  expect(report).toMatchObject({ kind: "mutated", engine: { name: "stryker", because: "vi.mock" } });
  expect(report.kind === "mutated" && report.mutants.filter(({ status }) => status === "killed").length).toBe(
    12,
  );
}, 60_000);

/** A mock makes the fast runner step aside. */
const MOCKED_DEPENDENCY = {
  "src/index.ts": `import { two } from "#modules/pair";
export function more(n: number): number {
  return n > 10 ? n - two : n + two;
}
`,
  "test/more.test.ts": `import { expect, test, vi } from "vitest";
import { more } from "../src/index.ts";
vi.mock("node:os", () => ({ cpus: () => [] }));
test("more", () => expect([more(1), more(10), more(11)]).toEqual([3, 12, 9]));
`,
};

const SANDBOXES = bubblewrapWorks
  ? ([
      ["none", none],
      ["bubblewrap", bubblewrap],
    ] as const)
  : ([["none", none]] as const);

test.each(SANDBOXES)(
  "a module with a dependency is judged under StrykerJS, too (%s)",
  async (_, sandbox) => {
    const directory = moduleFolder({
      "package.json": '{"type":"module","exports":"./main.js"}',
      "main.js": "export const two = 2;",
    });
    const dependencies = [{ name: "pair", directory }];
    for (const own of [{}, { "vitest.config.ts": "export default { test: { testTimeout: 4000 } };\n" }]) {
      const site = await siteOf({ ...MOCKED_DEPENDENCY, ...own }, sandbox(), { dependencies });
      const report = await mutate({ packages: PACKAGES }, site, { timeoutMs: 5_000 });
      expect(report).toMatchObject({ kind: "mutated", engine: { name: "stryker" } });
      const alive =
        report.kind === "mutated" ? report.mutants.filter(({ status }) => status !== "killed") : [];
      expect(report.kind === "mutated" && report.mutants.length).toBeGreaterThan(3);
      expect(alive).toEqual([]);
    }
  },
  90_000,
);

test("a suite that cannot be loaded under StrykerJS is told with the reason", async () => {
  const lost = MOCKED_DEPENDENCY["test/more.test.ts"].replace("node:os", "#modules/lost");
  const files = { ...MOCKED_DEPENDENCY, "test/more.test.ts": `${lost}await import("#modules/lost");` };
  const site = await siteOf({ ...files, "src/index.ts": "export const more = (n: number) => n + 2;\n" });
  const report = await mutate({ packages: PACKAGES }, site, { timeoutMs: 5_000 });
  expect(report).toMatchObject({
    kind: "impossible",
    why: expect.stringMatching(/; and StrykerJS gave no report: test\/more\.test\.ts: .*lost/),
  });
}, 60_000);

test("property tests draw the same inputs under both engines", async () => {
  const seeded = `import fc from "fast-check";
import { expect, test } from "vitest";
test("seeded", () => { expect(fc.readConfigureGlobal()).toMatchObject({ seed: ${PROPERTY_SEED} }); });`;
  const site = await siteOf({ ...CLAMP, "test/seed.test.ts": seeded });
  const instrumented = await instrument(site);
  if (instrumented.kind === "impossible") throw new Error(instrumented.why);
  const options = { timeoutMs: 5_000, equivalence: false };
  expect(await mutate({ packages: PACKAGES }, site, options)).toMatchObject({ engine: { name: "inner" } });
  expect(await runStryker(site, instrumented.mutants, options)).toMatchObject({ kind: "ran" });
}, 60_000);

test("tests that fail before anything is mutated make mutation impossible", async () => {
  const site = await siteOf({
    ...CLAMP,
    "test/red.test.ts": 'import { test } from "vitest"; test("red", () => { throw new Error("red"); });',
  });
  const report = await strykerMutants(site, [], "red fails", { timeoutMs: 5_000 });
  expect(report).toMatchObject({
    kind: "impossible",
    why: expect.stringContaining("red fails; and StrykerJS"),
  });
}, 60_000);

describe.runIf(LONG)("modules of the benchmark", () => {
  test.each(modules())(
    "%s",
    async (module) => {
      const row = await compare(module);
      expect(row.mutants).toBeGreaterThan(40);
      expect(row.disagreements).toEqual([]);
    },
    300_000,
  );
});
