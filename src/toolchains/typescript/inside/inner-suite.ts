// Runs test files once, with vitest's own collector and rules for hooks, modes and time-outs, without vitest's loader.
import { getState, setState } from "@vitest/expect";
import { getFn, startTests } from "@vitest/runner";
import type { File, Suite, Task, Test, VitestRunner } from "@vitest/runner";
import { getTestName, getTests } from "@vitest/runner/utils";
import { text } from "./error-text.ts";
import { runningTests, useRealTimers } from "./fake-clock.ts";
import type { InnerFailure, InnerResult, InnerRun } from "./inner-job.ts";
import { createExpect, expect, FRESH_STATE } from "./vitest-shim.ts";

export interface SuiteRequest {
  root: string;
  files: readonly { path: string; tests?: readonly string[] }[];
  load(path: string): unknown;
  testTimeoutMs: number;
  stopAtFirstFailure: boolean;
  before?(test: Test): void;
  after?(test: Test): void;
}

export async function runSuite(request: SuiteRequest): Promise<InnerRun> {
  const start = performance.now();
  const focused: string[] = [];
  const specifications = request.files.map(({ path, tests }) => ({
    filepath: `${request.root}/${path}`,
    ...(tests === undefined ? {} : { testIds: [...tests] }),
  }));
  const usual = Error.stackTraceLimit;
  // Each test is registered with a stack that nobody reads here, and registering is most of a short run.
  Error.stackTraceLimit = 0;
  runningTests(false);
  const files = await startTests(specifications, {
    ...makeRunner(request, focused),
    onCollected: () => {
      Error.stackTraceLimit = usual;
      runningTests(true);
    },
  }).finally(() => {
    Error.stackTraceLimit = usual;
  });
  const pathOf = (file: File) => file.filepath.slice(request.root.length + 1);
  return {
    results: files.flatMap((file) => getTests(file).map((test) => resultOf(test, pathOf(file)))),
    // Also of hooks around a whole block, whose tests were not run.
    collectionErrors: files.flatMap((file) =>
      suiteErrors(file).map((message) => ({ file: pathOf(file), message })),
    ),
    strayErrors: [],
    focused,
    durationMs: performance.now() - start,
  };
}

function makeRunner(request: SuiteRequest, focused: string[]): VitestRunner {
  let stopped = false;
  let collecting: File | undefined;
  return {
    config: {
      root: request.root,
      setupFiles: [],
      name: undefined,
      passWithNoTests: false,
      // Read right before the marks "only" are turned into skips of all others: the last moment to see them.
      get testNamePattern() {
        if (collecting !== undefined) focused.push(...focusedIn(collecting));
        collecting = undefined;
        return undefined;
      },
      allowOnly: false,
      sequence: { seed: 1, hooks: "stack", setupFiles: "parallel" },
      chaiConfig: undefined,
      // A test that never ends would keep its place for ever.
      maxConcurrency: Number.MAX_SAFE_INTEGER,
      testTimeout: request.testTimeoutMs,
      hookTimeout: Math.max(request.testTimeoutMs, 10_000),
      retry: 0,
      includeTaskLocation: false,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
    importFile: (path) => request.load(path.slice(request.root.length + 1)),
    onCollectStart: (file) => {
      collecting = file;
    },
    onBeforeRunSuite: (suite) => {
      if (stopped) suite.mode = "skip";
    },
    onAfterRunSuite: (suite) => {
      // Under vitest the next file is in a world of its own.
      if ("filepath" in suite) useRealTimers();
    },
    onBeforeRunTask: (test) => {
      if (stopped) test.mode = "skip";
      else if (test.mode === "run" || test.mode === "queued") request.before?.(test);
    },
    onAfterRunTask: (test) => {
      request.after?.(test);
      if (request.stopAtFirstFailure && test.result?.state === "fail") stopped = true;
    },
    runTask: (test) => withinLimit(test, request.testTimeoutMs),
    onBeforeTryTask: (test) => setState({ ...FRESH_STATE, currentTestName: getTestName(test) }, expect),
    onAfterTryTask: (test) => checkAssertionCount(test),
    extendTaskContext: (context) => {
      let own: typeof expect | undefined;
      Object.defineProperty(context, "expect", { get: () => (own ??= createExpect(context.task)) });
      Object.defineProperty(context, "_local", { get: () => own !== undefined });
      return context;
    },
  };
}

/** As in the run of record, no test gets more time by asking for it. */
async function withinLimit(test: Test, usualMs: number): Promise<void> {
  const run = getFn(test);
  const limitMs = Math.max(usualMs, LONGEST_MS);
  if (test.timeout <= limitMs) return run();
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      run(),
      new Promise<never>((_, reject) => {
        timer = later(() => reject(new Error(`Test timed out in ${limitMs}ms.`)), limitMs);
      }),
    ]);
  } finally {
    cancel(timer);
  }
}

/** What a rigor allows unless somebody has set it otherwise; then the slow engine has the last word. */
const LONGEST_MS = 30_000;

/** Taken before a test can put fake ones in their place. */
const later = setTimeout;
const cancel = clearTimeout;

function focusedIn(suite: Suite): string[] {
  return suite.tasks.flatMap((task) => {
    if (task.mode === "only") return [nameOf(task)];
    return task.type === "suite" ? focusedIn(task) : [];
  });
}

function nameOf(task: Task): string {
  return getTestName(task);
}

function checkAssertionCount(test: Test): void {
  const local: unknown = Reflect.get(test.context, "_local");
  const state = getState(local === true ? test.context.expect : expect);
  const { assertionCalls, expectedAssertionsNumber, expectedAssertionsNumberErrorGen } = state;
  if (typeof expectedAssertionsNumber === "number" && assertionCalls !== expectedAssertionsNumber)
    throw expectedAssertionsNumberErrorGen?.() ?? new Error("another number of assertions was expected");
  if (state.isExpectingAssertions && assertionCalls === 0)
    throw state.isExpectingAssertionsError ?? new Error("assertions were expected");
}

function resultOf(test: Test, file: string): InnerResult {
  const { result } = test;
  const failures = (result?.errors ?? []).map((error): InnerFailure => ({
    name: error.name ?? "Error",
    message: withCauses(error.message, error.cause),
    stack: error.stack ?? "",
    ...(error.expected === undefined ? {} : { expected: text(error.expected) }),
    ...(error.actual === undefined ? {} : { actual: text(error.actual) }),
  }));
  return {
    id: test.id,
    name: getTestName(test),
    file,
    outcome: outcomeOf(test, failures),
    durationMs: result?.duration ?? 0,
    retries: result?.retryCount ?? 0,
    failures,
  };
}

/** A property that failed says why only in what it was caused by. */
function withCauses(message: string, cause: unknown, depth = 3): string {
  if (depth === 0 || typeof cause !== "object" || cause === null || !("message" in cause)) return message;
  const next = "cause" in cause ? cause.cause : undefined;
  return `${message}\ncaused by: ${withCauses(String(cause.message), next, depth - 1)}`;
}

function outcomeOf(test: Test, failures: readonly InnerFailure[]): InnerResult["outcome"] {
  if (test.mode === "todo") return "todo";
  switch (test.result?.state) {
    case "pass":
      return "passed";
    case "fail":
      return failures.some(({ message }) => TIMED_OUT.test(message)) ? "timeout" : "failed";
    case "skip":
    case "todo":
    case "queued":
    case "run":
    case "only":
    case undefined:
      return "skipped";
  }
}

const TIMED_OUT = /^(?:Test|Hook) timed out in /;

function suiteErrors(suite: Suite): string[] {
  const own = (suite.result?.errors ?? []).map((error) => `${error.name}: ${error.message}`);
  return [...own, ...suite.tasks.flatMap((task) => (task.type === "suite" ? suiteErrors(task) : []))];
}
