// Every builtin task is true, on real runs: what is right passes everything, what is wrong is seen by the tests meant for it.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GateName } from "../src/domain/evidence/gate.ts";
import { workOf } from "../src/simulator/play-cheat.ts";
import { stopCompiler } from "../src/toolchains/typescript/compiler/program.ts";
import { caseOf } from "../src/trial/corpus/builtin-case.ts";
import { BUILTIN } from "../src/trial/corpus/builtin.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { blockersOf, verdictsOn } from "./case-gates.ts";
import { playVariants, type Variants } from "./corpus-variants.ts";

/** One with several errors, one with two entry points, one that waits, one that reads the clock. */
const USUAL = ["parse-csv-line", "pack-runs", "retry-work", "ago-label"];

/** Who was in whose workspace is known of a run only, and a product is more than one module. */
const GATES = GateName.options.filter((gate) => gate !== "blindness" && gate !== "e2e");

const isLong = process.env["CUPEL_LONG"] === "1";
const tasks = BUILTIN.tasks().filter(({ id }) => isLong || USUAL.includes(id));

const directory = realpathSync(mkdtempSync(join(tmpdir(), "cupel-test-")));
let variants: Variants;

beforeAll(async () => {
  variants = await playVariants(directory, tasks);
}, 600_000);

afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
  stopCompiler();
});

test("the usual ones are there", () => {
  expect(tasks.length).toBe(isLong ? BUILTIN.tasks().length : USUAL.length);
});

describe.each(tasks)("$id", (task) => {
  test("right and wrong solutions compile", () => {
    expect(variants.problems(task)).toEqual([]);
  });

  test("tests and oracle are green on the reference", () => {
    const titles = task.tests.map(({ title }) => title);
    expect(variants.played(task, "reference", "tests")).toEqual({ passed: titles, failed: [] });
    const oracle = variants.played(task, "reference", "oracle");
    expect(oracle?.failed).toEqual([]);
    expect(oracle?.passed).not.toEqual([]);
  });

  test("no test of the oracle is green on stubs", () => {
    const oracle = variants.played(task, "stub", "oracle");
    expect(oracle?.passed).toEqual([]);
    expect(oracle?.failed).not.toEqual([]);
  });

  test("wrong tests are red on the reference", () => {
    const titles = task.wrongTests.map(({ title }) => title);
    expect(variants.played(task, "reference", "wrong")).toEqual({ passed: [], failed: titles });
  });

  test.each(task.omissions.map((omission, index) => ({ ...omission, index })))(
    "$kind of $breaks ($index) is seen by the oracle and by a test of it",
    ({ breaks, index }) => {
      expect(variants.played(task, index, "oracle")?.failed).not.toEqual([]);
      const own = task.tests.filter(({ covers }) => covers === breaks).map(({ title }) => title);
      const failed = variants.played(task, index, "tests")?.failed ?? [];
      expect(failed.filter((title) => own.includes(title))).not.toEqual([]);
    },
  );

  test.skipIf(!bubblewrapWorks)(
    "every gate accepts the reference with its tests",
    { timeout: 120_000 },
    async () => {
      const about = caseOf(task);
      const reported = await verdictsOn(about, workOf(about), GATES);
      expect(blockersOf(reported)).toEqual([]);
      const passed = reported
        .filter(({ verdict }) => verdict.verdict === "PASS")
        .map(({ verdict }) => verdict.gate);
      expect(passed).toEqual(expect.arrayContaining(["green", "claims", "mutation", "surface", "effects"]));
    },
  );
});
