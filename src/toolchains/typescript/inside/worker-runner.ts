// The test runner inside each worker: vitest's own, which also counts what properties tried, holds tests to their
// time, and carries what setup files report to the main process.
//
// A setup file or a transformed module calls `globalThis[Symbol.for("cupel.report")](key, value)`. The value must be
// plain data; a function instead of a value is called when the test file is over. reporter.ts describes the way on.
// Tools of ours are started here, before any foreign code, and report by a way of their own under their names. What they
// see of calls is told here, where it is known which test and which property made them.
import { AsyncLocalStorage } from "node:async_hooks";
import * as vitest from "vitest";
import type { RunnerTask, RunnerTestCase, RunnerTestFile, RunnerTestSuite } from "vitest";
import { Contacts, type Noticed } from "./contacts.ts";
import { encode } from "./plain-json.ts";
import { pinRunner } from "./pinned.ts";
import { watchFailures } from "./failed-assertions.ts";
import { callInProperty, tryIdleProperty, watchProperties } from "./properties.ts";
import { StrayAssertions } from "./stray-assertions.ts";
import { takeOrder } from "./worker-order.ts";

/** Before vitest 4.1 the runner and its way to a test's function had other addresses. */
const TestRunner: typeof vitest.TestRunner =
  Reflect.get(vitest, "TestRunner") ?? (await import("vitest/runners")).VitestTestRunner;
const functionOf: (test: RunnerTestCase) => () => unknown =
  Reflect.get(TestRunner, "getTestFn") ?? (await import("vitest/suite")).getFn;

/** Taken before any test can put fake ones in their place. */
const { setTimeout, clearTimeout, Promise } = globalThis;
const { apply } = Reflect;
const runIn: (store: { id: string }, work: () => unknown) => unknown = Reflect.get(
  AsyncLocalStorage.prototype,
  "run",
);
const storeOf: () => { id: string } | undefined = Reflect.get(AsyncLocalStorage.prototype, "getStore");

const LIMIT_MS = Number(process.env["CUPEL_TEST_MS"] ?? 30_000);

const running = new AsyncLocalStorage<{ id: string }>();
/** The one that began last and has not ended: what is done before each test belongs to it. */
let latest: { id: string } | undefined;
const contacts = new Contacts();
const testNow = (): string | undefined => (apply(storeOf, running, []) ?? latest)?.id;

type Reports = Record<string, unknown[]>;
/** Without a prototype, so that nothing is found there that was not put there. */
let reports: Reports = Object.create(null);
const reserved: Record<string, true> = Object.create(null);
const empty = Object.create;

function keep(key: string, value: unknown): void {
  const known = (reports[key] ??= []);
  known[known.length] = value;
}

Object.defineProperty(globalThis, Symbol.for("cupel.report"), {
  value: (key: string, value: unknown) => {
    if (reserved[key] !== true) keep(key, value);
  },
});

const noticed: Noticed = (entry, args) => {
  const test = testNow();
  contacts.called(test, entry);
  const settled = callInProperty(entry, args);
  return (result, upheld) => {
    settled(result);
    contacts.upheld(test, upheld);
  };
};

const { sign, tools } = takeOrder();
for (const path of tools) {
  const tool: { name: string; start(report: (value: unknown) => void, noticed: Noticed): void } =
    await import(/* @vite-ignore */ path);
  const { name } = tool;
  reserved[name] = true;
  tool.start((value) => keep(name, value), noticed);
}
watchFailures(vitest, (message) => contacts.failed(testNow(), message));
pinRunner(vitest);
const strays = new StrayAssertions();
strays.watch();

await watchProperties((property) => contacts.tried(testNow(), property));

/** Rides along in each file and does nothing with the module, which has to be seen. */
const IDLE = { id: "cupel idle test" };

export class CountingRunner extends TestRunner {
  #ran = 0;
  /** What became of the last try of each test, by its id. */
  #tries: Record<string, "passed" | "threw"> = empty(null);

  override onCollectStart(file: RunnerTestFile): void {
    // Where workers are used again, the next file brings the order again.
    takeOrder();
    this.#ran = 0;
    this.#tries = empty(null);
    reports = empty(null);
    latest = undefined;
    contacts.forgetAll();
    strays.begin();
    super.onCollectStart(file);
  }

  override onBeforeTryTask(test: RunnerTask): void {
    latest = test;
    contacts.forget(test.id);
    super.onBeforeTryTask(test);
  }

  /** Time-outs written into a test itself are longer than what the harness allows, or shorter and kept. */
  async runTask(test: RunnerTestCase): Promise<void> {
    this.#ran += 1;
    const run = functionOf(test);
    const { id } = test;
    this.#tries[id] = "threw";
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`Test timed out in ${LIMIT_MS}ms.`)), LIMIT_MS);
        void settled(test, run, resolve, reject);
      });
      this.#tries[id] = "passed";
    } finally {
      clearTimeout(timer);
    }
  }

  /** Told at once and not with the next batch, which is never sent when the next test is an endless loop. */
  override async onAfterRunTask(test: RunnerTask): Promise<void> {
    super.onAfterRunTask(test);
    if (latest?.id === test.id) latest = undefined;
    const tell: unknown = Reflect.get(this, "onTaskUpdate");
    if (typeof tell === "function")
      await Reflect.apply(tell, this, [[[test.id, test.result, test.meta]], []]);
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (!isFile(suite)) return;
    const seen = contacts.toldOfAll();
    apply(runIn, running, [IDLE, tryIdleProperty]);
    const body = encode({
      file: suite.id,
      ran: this.#ran,
      tries: this.#tries,
      reports: dataOf(reports),
      contacts: { ...seen, idle: contacts.told(IDLE.id) },
    });
    Reflect.set(suite.meta, "cupel", { body, mac: sign(body) });
  }
}

async function settled(
  test: RunnerTestCase,
  run: () => unknown,
  resolve: () => void,
  reject: (error: unknown) => void,
): Promise<void> {
  try {
    await apply(runIn, running, [test, run]);
    resolve();
  } catch (error) {
    reject(error);
  }
}

function isFile(suite: RunnerTask): boolean {
  return "filepath" in suite;
}

/** A function is asked for what it has to tell. */
function dataOf(all: Readonly<Reports>): Reports {
  const data: Reports = empty(null);
  const keys = keysOf(all);
  for (let at = 0; at < keys.length; at++) {
    const values = all[keys[at] ?? ""] ?? [];
    const told: unknown[] = [];
    for (let index = 0; index < values.length; index++) {
      const value = values[index];
      told[index] = typeof value === "function" ? apply(value, undefined, []) : value;
    }
    data[keys[at] ?? ""] = told;
  }
  return data;
}

const keysOf = Object.keys;
