// The verdict of record, on modules that are what they seem; test/hostile-modules.test.ts has the others.
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "../../../test/bubblewrap.ts";
import { CLAMP, moduleFolder } from "../../../test/module-samples.ts";
import { reportedRun, runModule } from "../../../test/run-module.ts";
import { isGreen } from "../../domain/evidence/test-result.ts";
import { none } from "../../workshop/sandbox/none.ts";
import type { RunExtras, WorkerReports } from "./vitest-run.ts";

const KINDS = `import fc from "fast-check";
import { describe, expect, test } from "vitest";
let tries = 0;
describe("a block", () => {
  test("passes", () => expect(1).toBe(1));
  test("fails", () => expect([1]).toEqual([2]));
  test("meets a stub", () => { throw new Error("cupel:stub f"); });
  test("asserts about a stub", () => expect(() => { throw new Error("cupel:stub f"); }).toThrow(TypeError));
  test("is a false property", () => fc.assert(fc.property(fc.nat(), (n) => n < 10)));
  test("is a property of a stub", () => fc.assert(fc.property(fc.nat(), () => { throw new Error("cupel:stub f"); })));
  test("is an async property", async () => fc.assert(fc.asyncProperty(fc.integer({ min: 0, max: 3 }), async (n) => { fc.pre(n > 0); })));
  test("throws no error", () => { throw "a text"; });
  test("throws nothing", () => { throw undefined; });
  test("takes too long", () => new Promise(() => {}), 50);
  test("needs two tries", { retry: 1 }, () => expect(++tries).toBe(2));
  test.skip("is skipped", () => {});
  test.todo("is to be done");
  test("", () => {});
});
`;

describe.skipIf(!bubblewrapWorks)("the tests of a module (needs bubblewrap)", () => {
  test("are told with what became of each", async () => {
    const { run, properties } = await reportedRun({ ...CLAMP, "test/clamp.test.ts": KINDS });
    const told = run.results.map(({ name, outcome, layer, retries, failure }) =>
      [
        name.replace("a block > ", ""),
        outcome,
        layer,
        retries,
        failure?.failureType,
        failure?.counterexample,
      ].join(" "),
    );
    expect(told).toEqual([
      "passes passed unit 0  ",
      "fails failed unit 0 ExceptionThrown ",
      "meets a stub failed unit 0 StubHit ",
      "asserts about a stub failed unit 0 StubHit ",
      "is a false property failed property 0 PropertyFailed [10]",
      "is a property of a stub failed property 0 StubHit [0]",
      "is an async property passed property 0  ",
      "throws no error failed unit 0 ExceptionThrown ",
      "throws nothing failed unit 0 ExceptionThrown ",
      "takes too long timeout unit 0 Timeout ",
      "needs two tries passed unit 1  ",
      "is skipped skipped unit 0  ",
      "is to be done todo unit 0  ",
      "a block > passed unit 0  ",
    ]);
    const tried = properties.find(({ test: name }) => name === "a block > is an async property");
    expect(tried).toMatchObject({ runs: 100, distinctInputs: 3 });
    expect(tried?.discarded).toBeGreaterThan(5);
    expect(run.results[1]?.failure).toMatchObject({
      expected: expect.stringContaining("2"),
      actual: expect.stringContaining("1"),
    });
  });

  test("are measured: lines, branches, functions, also of files that no test loads", async () => {
    const { coverage } = await reportedRun(
      {
        ...CLAMP,
        "src/unused.ts": "export function unused(a: number): number {\n  return a > 1 ? 2 : 3;\n}\n",
        "src/hidden.ts":
          "/* v8 ignore file -- @preserve */\nexport function hidden(): number {\n  return 1;\n}\n",
        "src/types.ts": "export type Nothing = never;\n",
        "src/broken.ts": "export const = ;\n",
      },
      { coverage: true },
    );
    const found = coverage?.files.map(({ file, lines, branches, uncoveredFunctions }) => [
      file,
      `${lines.covered}/${lines.total}`,
      `${branches.covered}/${branches.total}`,
      uncoveredFunctions,
    ]);
    expect(found).toEqual([
      ["src/index.ts", "3/3", "6/6", []],
      ["src/broken.ts", "0/1", "0/0", ["the whole file"]],
      ["src/hidden.ts", "0/1", "0/0", ["hidden"]],
      ["src/types.ts", "0/0", "0/0", []],
      ["src/unused.ts", "0/1", "0/2", ["unused"]],
    ]);
  });

  test("see the built packages of other modules", async () => {
    const built = moduleFolder({
      "package.json": '{"type":"module","exports":"./main.js"}',
      "main.js": "export const two = 2;",
    });
    const report = await reportedRun(
      {
        "src/index.ts": 'export { two } from "#modules/pair";',
        "test/a.test.ts":
          'import { expect, test } from "vitest"; import { two } from "../src/index.ts"; test("two", () => expect(two).toBe(2));',
      },
      { request: { dependencies: [{ name: "pair", directory: built }] } },
    );
    expect(isGreen(report.run).kind).toBe("green");
  });

  test("let other parts of the toolchain take part", async () => {
    const seen: WorkerReports[] = [];
    const extras: RunExtras = {
      tools: {
        "watch.mjs": `let calls = 0; globalThis.count = () => calls++;
          const report = globalThis[Symbol.for("cupel.report")]; report("loaded", "once"); report("calls", () => calls);`,
        "plugin.mjs": `export const plugin = { name: "count", transform: (code, id) =>
          id.endsWith("src/index.ts") ? code.replace("if (value < low)", "globalThis.count(); if (value < low)") : undefined };`,
      },
      setupFiles: ["watch.mjs"],
      vitePlugins: ["plugin.mjs"],
      collect: (reports) => seen.push(reports),
    };
    const report = await reportedRun(CLAMP, { extras });
    expect(isGreen(report.run).kind).toBe("green");
    expect(seen).toEqual([{ "test/clamp.test.ts": { loaded: ["once"], calls: [104] } }]);
  });
});

test("without a sandbox the verdict is the same", async () => {
  const report = await reportedRun(CLAMP, { sandbox: none() });
  expect(isGreen(report.run)).toEqual({ kind: "green", passed: 6 });
  expect(report.properties).toMatchObject([{ runs: 100 }]);
});

test("without a sandbox a run that changes the module has no verdict", async () => {
  const test = `import { writeFileSync } from "node:fs"; import { test } from "vitest";
    test("edits", () => writeFileSync(new URL("../src/index.ts", import.meta.url), ""));`;
  const report = await runModule({ ...CLAMP, "test/clamp.test.ts": test }, { sandbox: none() });
  expect(report).toMatchObject({ kind: "no-report", why: expect.stringContaining("src/index.ts") });
});

test("a run that is called off has no verdict", async () => {
  const report = await runModule(CLAMP, { sandbox: none(), signal: AbortSignal.abort() });
  expect(report).toEqual({ kind: "no-report", why: "the run was cancelled", timedOut: false });
});

test("a module without tests has a run without tests, which is not green", async () => {
  const report = await reportedRun({ "src/index.ts": "export {};" }, { sandbox: none() });
  expect(isGreen(report.run).kind).toBe("notGreen");
});
