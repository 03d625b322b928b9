import { describe, expect, test } from "vitest";
import { CLAMP } from "../../../../test/module-samples.ts";
import { PACKAGES, siteOf } from "../../../../test/typescript-site.ts";
import type { TestRun } from "../../../domain/evidence/test-result.ts";
import type { TestReport } from "../../port.ts";
import { runVitest } from "../vitest-run.ts";
import { type QuickReport, testQuickly } from "./test-quickly.ts";

const GROUND = { packages: PACKAGES };
const OPTIONS = { secondsPerTest: 1, timeoutMs: 30_000 };
const SOURCE = "export const one: number = 1;\nexport const log: string[] = [];\n";
const HEAD =
  'import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, expectTypeOf, it, test, vi } from "vitest";\n' +
  'import { log, one } from "../src/index.ts";\n';

/** Suites in which small runners go wrong. */
const SUITES: Readonly<Record<string, string>> = {
  each: `describe.each([[1, 2], [3, 4]])("%d and %d", (a, b) => { test("add", () => expect(a + b).toBe(3)); });
    test.each([{ name: "x", n: 1 }, { name: "y", n: 2 }])("$name is $n", ({ n }) => expect(n).toBe(1));
    test.each\`a | b\n\${1} | \${1}\n\${1} | \${2}\`("$a equals $b", ({ a, b }) => expect(a).toBe(b));
    test.for([1, 2])("for %d", (n, { expect }) => expect(n).toBe(1));`,
  hooks: `const seen: string[] = [];
    beforeAll(() => void seen.push("all")); beforeEach(() => void seen.push("each"));
    afterEach(() => void seen.push("after")); afterAll(() => void seen.push("end"));
    test("first", () => expect(seen).toEqual(["all", "each"]));
    describe("inner", () => { beforeEach(() => void seen.push("inner"));
      test("second", () => expect(seen).toEqual(["all", "each", "after", "each", "inner"])); });
    beforeEach(() => () => void seen.push("cleaned"));`,
  brokenHook: `describe("broken", () => { beforeAll(() => { throw new Error("no"); }); test("never", () => undefined); });
    describe("each", () => { beforeEach(() => { throw new Error("no"); }); test("fails", () => undefined); });`,
  modes: `test.skip("skipped", () => { throw new Error(); }); test.todo("later"); test("passes", () => undefined);
    test.skipIf(true)("if", () => undefined); test.runIf(true)("run", () => undefined);
    test.fails("fails", () => { throw new Error(); }); test.fails("should have", () => undefined);
    describe.skip("block", () => { test("in it", () => undefined); });
    test("says so itself", (context) => { context.skip(); throw new Error(); });`,
  only: `test("hidden", () => { throw new Error(); }); test.only("alone", () => undefined);
    describe("block", () => { it.only("deep", () => undefined); });`,
  async: `test("resolves", async () => { await expect(Promise.resolve(1)).resolves.toBe(1); });
    test("rejects", async () => { await expect(Promise.reject(new Error("x"))).rejects.toThrow("x"); });
    test("fails late", async () => { await new Promise((r) => setTimeout(r, 5)); expect(1).toBe(2); });
    test("waits too long", () => new Promise(() => undefined), 50);
    test.concurrent("beside", async ({ expect }) => { expect(1).toBe(1); });
    test("retried", { retry: 2 }, () => { log.push("try"); expect(log.length).toBe(2); });
    test("repeated", { repeats: 2 }, () => expect(one).toBe(1));`,
  counts: `test("counts", () => { expect.assertions(2); expect(1).toBe(1); });
    test("needs one", () => { expect.hasAssertions(); });
    test("soft", () => { expect.soft(1).toBe(2); expect.soft(1).toBe(3); });
    test("local", ({ expect }) => { expect.assertions(1); expect(1).toBe(1); });
    test("unreachable", () => { expect.unreachable(); });`,
  matchers: `expect.extend({ toBeOdd: (n: number) => ({ pass: n % 2 === 1, message: () => "even" }) });
    test("own", () => { (expect(1) as never as { toBeOdd(): void }).toBeOdd(); });
    test("own fails", () => { (expect(2) as never as { toBeOdd(): void }).toBeOdd(); });
    test("asymmetric", () => expect({ a: 1, b: [2, 3], c: "xyz" }).toEqual(
      { a: expect.any(Number), b: expect.arrayContaining([3]), c: expect.stringMatching(/y/) }));
    test("throws", () => expect(() => { throw new TypeError("bad"); }).toThrow(TypeError));
    test("types", () => { expectTypeOf(one).toEqualTypeOf<number>(); });
    test("chai", () => { expect([1]).to.have.lengthOf(1); });`,
  caught: `test("is of another class", () => { expect(new Error("cupel:stub")).toBeInstanceOf(RangeError); });
    test("is of its class", () => { expect(new RangeError("far")).toBeInstanceOf(RangeError); });
    test("has nothing to be shown by", () => { expect(Object.assign(Object.create(null), { toString: 1 })).toBeInstanceOf(Map); });`,
  spies: `test("fn", () => { const f = vi.fn((n: number) => n + 1); f(1); expect(f).toHaveBeenCalledWith(1); expect(f).toHaveReturnedWith(2); });
    test("spyOn", () => { const spy = vi.spyOn(Math, "max").mockReturnValue(9); expect(Math.max(1)).toBe(9); spy.mockRestore(); expect(Math.max(1)).toBe(1); });
    test("stubbed", () => { vi.stubEnv("X_Y", "1"); expect(process.env["X_Y"]).toBe("1"); vi.unstubAllEnvs(); expect(process.env["X_Y"]).toBeUndefined(); });`,
  fixtures: `const own = test.extend<{ n: number }>({ n: async ({}, use) => { await use(4); } });
    own("given", ({ n }) => expect(n).toBe(4)); own("given wrongly", ({ n }) => expect(n).toBe(5));`,
  clock: `afterEach(() => void vi.useRealTimers());
    test("stands still", () => { vi.useFakeTimers({ now: 1_000 }); expect([Date.now(), new Date().toISOString()]).toEqual([1000, "1970-01-01T00:00:01.000Z"]); });
    test("is real again", () => { expect(Date.now()).toBeGreaterThan(1_700_000_000_000); expect(vi.isFakeTimers()).toBe(false); });
    test("moves", () => { vi.useFakeTimers({ now: 0 }); const f = vi.fn(); setTimeout(f, 50); setInterval(f, 20);
      expect(vi.getTimerCount()).toBe(2); vi.advanceTimersByTime(49); expect(f).toHaveBeenCalledTimes(2);
      vi.advanceTimersByTime(1); expect(f).toHaveBeenCalledTimes(3); expect(performance.now()).toBe(50);
      vi.advanceTimersToNextTimer(); expect(Date.now()).toBe(60); vi.clearAllTimers(); expect(vi.getTimerCount()).toBe(0); });
    test("is waited for", async () => { vi.useFakeTimers(); const seen: string[] = [];
      const work = (async () => { await new Promise((r) => setTimeout(r, 60_000)); seen.push("later"); })();
      expect(await vi.advanceTimersByTimeAsync(60_000)).toBe(vi); await work; expect(seen).toEqual(["later"]); });
    test("to the end", () => { vi.useFakeTimers(); const f = vi.fn(); setTimeout(() => setTimeout(f, 5), 5); vi.runOnlyPendingTimers(); expect(f).not.toHaveBeenCalled(); vi.runAllTimers(); expect(f).toHaveBeenCalled(); });
    test("set", () => { vi.useFakeTimers({ now: 5 }).setSystemTime("2020-02-02"); expect(new Date().getFullYear()).toBe(2020); expect(vi.getMockedSystemTime()).toEqual(new Date("2020-02-02")); });
    test("twice", () => { vi.useFakeTimers({ now: 5 }); vi.useFakeTimers(); expect(Date.now()).toBe(5); });
    test("only the date", async () => { vi.useFakeTimers({ toFake: ["Date"], now: 7 }); await new Promise((r) => setTimeout(r, 1)); expect(Date.now()).toBe(7); });
    test("is not there", () => { vi.advanceTimersByTime(1); });
    test("never comes", async () => { vi.useFakeTimers(); await new Promise((r) => setTimeout(r, 1)); }, 100);
    test("does not count for others", ({ onTestFinished }) => { vi.useFakeTimers(); onTestFinished(() => { vi.advanceTimersByTime(100_000); }); });
    test("wrong", () => { vi.useFakeTimers({ now: 1 }); expect(Date.now()).toBe(2); });`,
  snapshots: `test("as it stands", () => { expect({ b: [1, "two"], a: { c: undefined } }).toMatchInlineSnapshot(\`
      {
        "a": {
          "c": undefined,
        },
        "b": [
          1,
          "two",
        ],
      }
    \`); });
    test("on one line", () => expect("a \\"quoted\\" text").toMatchInlineSnapshot(\`"a "quoted" text"\`));
    test("of an error", () => expect(new TypeError("no")).toMatchInlineSnapshot(\`[TypeError: no]\`));
    test("of a function", () => expect([() => 1, /x/u, new Map([[1, 2]])]).toMatchInlineSnapshot(\`
      [
        [Function],
        /x/u,
        Map {
          1 => 2,
        },
      ]
    \`));
    test("promised", async () => { await expect(Promise.resolve(3)).resolves.toMatchInlineSnapshot("3"); });
    test("of something else", () => expect(4).toMatchInlineSnapshot("5"));
    test("of the wrong text", () => expect("a\\nb").toMatchInlineSnapshot(\`
      "a
      c"
    \`));`,
  isolated: `test("no other file was here", () => expect(log).toEqual([]));`,
  broken: `throw new Error("cannot be loaded");`,
  empty: "",
  strange: `test("throws a text", () => { throw "text"; }); test("throws nothing", () => { throw undefined; });
    test("exits", () => { process.exit(0); }); test("after it", () => undefined);`,
};

test("the same outcomes as the runner of record on varied suites", async () => {
  const tests = Object.entries(SUITES).map(([name, text]) => [`test/${name}.test.ts`, HEAD + text]);
  const site = await siteOf({ "src/index.ts": SOURCE, ...Object.fromEntries(tests) });
  const quick = outcomes(await testQuickly(GROUND, site, OPTIONS));
  expect(quick).toEqual(outcomes(await runVitest(site, { ...OPTIONS, coverage: false })));
  expect(Object.keys(quick.tests).length).toBeGreaterThan(45);
}, 60_000);

function outcomes(report: QuickReport | TestReport) {
  if (report.kind !== "ran") throw new Error(JSON.stringify(report));
  const { results, collectionErrors, focused }: TestRun = report.run;
  return {
    tests: Object.fromEntries(results.map((result) => [`${result.file}: ${result.name}`, shown(result)])),
    broken: [...new Set(collectionErrors.map(({ file }) => file))].toSorted(),
    focused: focused.toSorted(),
  };
}

function shown({ outcome, retries, failure }: TestRun["results"][number]): string {
  return `${outcome} ${retries} ${failure?.failureType ?? ""}`;
}

describe("what only vitest can do is named", () => {
  test.each([
    ['vi.mock("../src/index.ts");', "vi.mock"],
    ["vi.useFakeTimers();", "vi.useFakeTimers"],
    ['test.concurrent("x", () => { vi.useFakeTimers(); });', "vi.useFakeTimers"],
    ['test("x", () => { vi.useFakeTimers({ toFake: ["nextTick"] }); });', "nextTick"],
    ['test("x", () => { try { vi.setSystemTime(0); } catch {} });', "vi.setSystemTime"],
    ['test("x", async () => { await vi.importActual("../src/index.ts"); });', "vi.importActual"],
    ["vi.hoisted(() => 1);", "vi.hoisted"],
    ['test("x", () => { expect(1).toMatchSnapshot(); });', "toMatchSnapshot"],
    ['test("x", () => { expect(1).toMatchInlineSnapshot(); });', "toMatchInlineSnapshot"],
    ['test("x", async () => { await expect.poll(() => 1).toBe(1); });', "expect.poll"],
    ['test("x", () => { console.log(import.meta.env); });', "import.meta in test/a.test.ts"],
    ["await Promise.resolve();", "Top-level await"],
  ])("%s", async (text, what) => {
    const site = await siteOf({ "src/index.ts": SOURCE, "test/a.test.ts": HEAD + text });
    const report = await testQuickly(GROUND, site, OPTIONS);
    expect(report).toEqual({ kind: "unsupported", why: expect.stringContaining(what) });
  });
});

describe("no report is a pass", () => {
  const cases: [string, string, RegExp][] = [
    ["a loop without an end", "for (;;) {}", /ended after 1500 ms/],
    [
      "a process that ends itself",
      'process.kill(process.pid, "SIGKILL");',
      /ended by SIGKILL|exited with 137/,
    ],
    [
      "a forged answer",
      'require("node:fs").writeSync(1, "\\n0 {\\"kind\\":\\"ran\\"}\\n"); for (;;) {}',
      /ended after 1500 ms/,
    ],
  ];
  test.each(cases)("%s", async (_, text, why) => {
    const body = `test("x", () => { ${text} });`;
    const site = await siteOf({ "src/index.ts": SOURCE, "test/a.test.ts": HEAD + body });
    const report = await testQuickly(GROUND, site, { ...OPTIONS, timeoutMs: 1_500 });
    expect(report).toMatchObject({ kind: "no-report", why: expect.stringMatching(why) });
  });
});

test("a module that every gate accepts passes in well under a second of its own", async () => {
  const report = await testQuickly(GROUND, await siteOf(CLAMP), OPTIONS);
  expect(report).toMatchObject({ kind: "ran", run: { collectionErrors: [], strayErrors: [], focused: [] } });
});
