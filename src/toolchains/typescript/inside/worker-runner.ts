// The test runner inside each worker: vitest's own, which also counts what properties tried, holds tests to their
// time, and carries what setup files report to the main process.
//
// A setup file or a transformed module calls `globalThis[Symbol.for("cupel.report")](key, value)`. The value must be
// plain data; a function instead of a value is called when the test file is over. reporter.ts describes the way on.
import { AsyncLocalStorage } from "node:async_hooks";
import * as vitest from "vitest";
import type { RunnerTask, RunnerTestCase, RunnerTestFile, RunnerTestSuite } from "vitest";
import { type Property, watchProperties } from "./properties.ts";

/** Before vitest 4.1 the runner and its way to a test's function had other addresses. */
const TestRunner: typeof vitest.TestRunner =
  Reflect.get(vitest, "TestRunner") ?? (await import("vitest/runners")).VitestTestRunner;
const functionOf: (test: RunnerTestCase) => () => unknown =
  Reflect.get(TestRunner, "getTestFn") ?? (await import("vitest/suite")).getFn;

/** Taken before any test can put fake ones in their place. */
const { setTimeout, clearTimeout } = globalThis;

const LIMIT_MS = Number(process.env["CUPEL_TEST_MS"] ?? 30_000);

const running = new AsyncLocalStorage<RunnerTestCase>();
let latest: RunnerTestCase | undefined;
const properties = new WeakMap<object, Property[]>();
let reports = new Map<string, unknown[]>();

Object.defineProperty(globalThis, Symbol.for("cupel.report"), {
  value: (key: string, value: unknown) => {
    const known = reports.get(key);
    if (known === undefined) reports.set(key, [value]);
    else known.push(value);
  },
});

await watchProperties((property) => {
  const test = running.getStore() ?? latest;
  if (test === undefined) return;
  const known = properties.get(test);
  if (known === undefined) properties.set(test, [property]);
  else if (!known.includes(property)) known.push(property);
});

export class CountingRunner extends TestRunner {
  #ran = 0;

  override onCollectStart(file: RunnerTestFile): void {
    this.#ran = 0;
    reports = new Map();
    super.onCollectStart(file);
  }

  /** Time-outs written into a test itself are longer than what the harness allows, or shorter and kept. */
  async runTask(test: RunnerTestCase): Promise<void> {
    this.#ran += 1;
    latest = test;
    properties.delete(test);
    const run = functionOf(test);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`Test timed out in ${LIMIT_MS}ms.`)), LIMIT_MS);
    });
    try {
      await Promise.race([running.run(test, async () => run()), late]);
    } finally {
      clearTimeout(timer);
      const seen = properties.get(test)?.map(({ runs, discarded, inputs }) => ({
        runs,
        discarded,
        distinct: inputs.size,
      }));
      if (seen !== undefined) Reflect.set(test.meta, "cupel", { properties: seen });
    }
  }

  /** Told at once and not with the next batch, which is never sent when the next test is an endless loop. */
  override async onAfterRunTask(test: RunnerTask): Promise<void> {
    super.onAfterRunTask(test);
    const tell: unknown = Reflect.get(this, "onTaskUpdate");
    if (typeof tell === "function")
      await Reflect.apply(tell, this, [[[test.id, test.result, test.meta]], []]);
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (isFile(suite)) Reflect.set(suite.meta, "cupel", { ran: this.#ran, reports: dataOf(reports) });
  }
}

function isFile(suite: RunnerTask): boolean {
  return "filepath" in suite;
}

/** What cannot be sent would take the whole message with it. */
function dataOf(all: ReadonlyMap<string, unknown[]>): Record<string, unknown[]> {
  const data: Record<string, unknown[]> = {};
  for (const [key, values] of all) {
    data[key] = values.map((value): unknown => {
      const given: unknown = typeof value === "function" ? Reflect.apply(value, undefined, []) : value;
      return JSON.parse(JSON.stringify(given ?? null));
    });
  }
  return data;
}
