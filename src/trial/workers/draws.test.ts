// What workers make is drawn as often as the parameters say, from seed, task and attempt alone.
import { describe, expect, test } from "vitest";
import { USUAL_WORKERS, type WorkerParameters } from "../../domain/trial/trial-protocol.ts";
import { typescriptToolchain } from "../../toolchains/typescript/toolchain.ts";
import { bubblewrap } from "../../workshop/sandbox/bubblewrap.ts";
import type { Bench } from "../bench.ts";
import { BUILTIN } from "../corpus/builtin.ts";
import type { BuiltinTask } from "../corpus/builtin-task.ts";
import { type Draw, drawCode, isDefective } from "./draw-code.ts";
import { findsFault } from "./draw-review.ts";
import { type DrawnTest, drawTests, repaired, without } from "./draw-tests.ts";

const TASKS = BUILTIN.tasks();
const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);

function draws(parameters: WorkerParameters = USUAL_WORKERS): Draw[] {
  return TASKS.flatMap((task) => SEEDS.map((seed) => ({ task, seed, parameters })));
}

function share(of: readonly boolean[]): number {
  expect(of.length).toBeGreaterThan(500);
  return of.filter(Boolean).length / of.length;
}

function taskOf(id: string): BuiltinTask {
  const task = TASKS.find((each) => each.id === id);
  if (task === undefined) throw new Error(`there is no task ${id}`);
  return task;
}

describe("an implementer", () => {
  test.each([1, 2, 3])("has a defect at attempt %i as often as it is told", (attempt) => {
    expect(share(draws().map((draw) => isDefective(draw, attempt)))).toBeCloseTo(USUAL_WORKERS.defect, 1);
  });

  test("never has one, or always", () => {
    const never = draws({ ...USUAL_WORKERS, defect: 0 });
    const always = draws({ ...USUAL_WORKERS, defect: 1 });
    expect(never.some((draw) => isDefective(draw, 1))).toBe(false);
    expect(always.every((draw) => isDefective(draw, 1))).toBe(true);
  });

  test("hands in the reference or something else, and the same at every time", async () => {
    const bench = blindBench();
    for (const draw of draws().filter(({ seed }) => seed < 4)) {
      const drawn = await drawCode(draw, 1, bench);
      expect(drawn.defect === undefined).toBe(drawn.sources === draw.task.reference);
      expect(drawn.defect !== undefined).toBe(isDefective(draw, 1));
      expect(await drawCode(draw, 1, bench)).toEqual(drawn);
    }
  });
});

describe("a test author", () => {
  test("remembers each constraint as often as it is told", () => {
    const remembered = draws().flatMap((draw) => {
      const shown = constraintsOf(drawTests(draw, 1));
      return draw.task.constraints.map(({ id }) => shown.has(id));
    });
    expect(share(remembered)).toBeCloseTo(USUAL_WORKERS.coverage, 1);
  });

  test("writes wrong tests as often as it is told, each of them once", () => {
    const written = draws().map((draw) => drawTests(draw, 1));
    expect(share(written.flat().map(({ instead }) => instead !== undefined))).toBeCloseTo(
      USUAL_WORKERS.wrongTest,
      1,
    );
    for (const tests of written)
      expect(new Set(tests.map(({ block }) => block.title)).size).toBe(tests.length);
  });

  test("never hands in nothing", () => {
    const forgetful = draws({ ...USUAL_WORKERS, coverage: 0 });
    for (const draw of forgetful) expect(drawTests(draw, 1)).not.toEqual([]);
  });

  test("keeps what is there, and adds something as long as something is missing", () => {
    for (const draw of draws({ ...USUAL_WORKERS, coverage: 0 }).filter(({ seed }) => seed === 1)) {
      let tests = drawTests(draw, 1);
      for (let attempt = 2; rightIn(tests) < draw.task.tests.length; attempt += 1) {
        const more = drawTests(draw, attempt, tests);
        expect(more.length).toBeGreaterThan(tests.length);
        for (const each of tests) expect(more).toContain(each);
        tests = more;
      }
      expect(drawTests(draw, 99, tests)).toEqual(tests);
    }
  });

  test("puts right what was wrong, and drops what it is told to drop", () => {
    const draw = { task: taskOf("parse-duration"), seed: 1, parameters: { ...USUAL_WORKERS, wrongTest: 1 } };
    const tests = drawTests(draw, 1);
    const titles = tests.map(({ block }) => block.title);
    const mended = repaired(tests, titles);
    expect(mended.every(({ instead }) => instead === undefined)).toBe(true);
    expect(mended.map(({ block }) => block)).toEqual(tests.map(({ block, instead }) => instead ?? block));
    const wrong = tests.find(({ instead }) => instead !== undefined);
    if (wrong?.instead === undefined) throw new Error("no test is wrong");
    const beside = [...tests, { block: wrong.instead, instead: undefined }];
    expect(repaired(beside, titles)).toHaveLength(tests.length);
    expect(without(tests, titles.slice(1))).toEqual(tests.slice(0, 1));
  });
});

describe("a reviewer", () => {
  test("sees what is wrong and lets pass what is right as often as it is told", () => {
    const { sensitivity, specificity } = USUAL_WORKERS;
    expect(share(draws().map((draw) => findsFault(draw, "code 1", true)))).toBeCloseTo(sensitivity, 1);
    expect(share(draws().map((draw) => !findsFault(draw, "code 1", false)))).toBeCloseTo(specificity, 1);
  });
});

function rightIn(tests: readonly DrawnTest[]): number {
  return tests.filter(({ instead }) => instead === undefined).length;
}

function constraintsOf(tests: readonly DrawnTest[]): Set<string> {
  return new Set(tests.map(({ block, instead }) => (instead ?? block).covers));
}

const nobody = () => Promise.reject(new Error("nothing is run"));
const variants = () => Promise.resolve([]);

/** On which no mutant can be tried, so that every defect is something that was forgotten. */
function blindBench(): Bench {
  const toolchain = typescriptToolchain({ sandbox: bubblewrap() });
  return { toolchain, test: nobody, builds: nobody, variants, stubbed: nobody };
}
