// Turns what vitest knows at the end of a run into the report for the harness.
//
// How reports travel. Foreign code runs in workers, which are processes of their own; the main process evaluates none
// (the module's configuration comes to it as data). In a worker, worker-runner.ts puts what it and the setup files
// know into the `meta` of files: `meta.cupel = { body, mac }`, set when the file is over: which tests it really ran, how
// each of them ended, what it did with the module, and what was reported, signed with a key that the runner in the
// worker took away before foreign code was loaded. vitest carries `meta` to the main process
// with the results. There it is read as data of unknown shape. The main process writes one line to its stdout, which nothing else is written to:
// `cupel-report <hmac> <gzipped JSON in base64>`. The key of the hmac came on stdin before anything was loaded and is
// neither in the environment nor in arguments nor reachable from a worker by the module's means, so imitations of the
// line do not count, and a run that ends without it has no report. What a worker says about tests in its own process
// cannot be better than the code in that process: that a module's code leaves the runner alone is for the gates that
// read it, plant defects in it and replace it by stubs.
//
// What setup files reported under a key arrives in the harness as `reports[key]`, one list for each test file.
import { createHmac } from "node:crypto";
import type { TestCase, TestModule, TestSuite } from "vitest/node";
import type { WireContact, WireError, WireFile, WireProperty, WireTest } from "../wire-report.ts";
import { text } from "./error-text.ts";

const FOCUS_ERROR = "Unexpected .only modifier";

/** `modules` are those that vitest heard of; a file that it never heard of is reported as not collected. */
export function wireFiles(
  tests: readonly string[],
  root: string,
  modules: readonly TestModule[],
  key: string,
): WireFile[] {
  const byPath = new Map(modules.map((module) => [module.moduleId, module]));
  return tests.map((file) => wireFile(file, byPath.get(`${root}/${file}`), key));
}

function wireFile(file: string, module: TestModule | undefined, key: string): WireFile {
  const empty: WireFile = { file, collected: false, errors: [], tests: [], focused: [], reports: {} };
  if (module === undefined) return empty;
  const { ran, reports, tries, contacts } = reportsOf(module, key);
  const suites = [...module.children.allSuites()];
  const suiteErrors = suites.flatMap((suite) => suite.errors().filter((error) => !isFocus(error)));
  const state = module.state();
  const errors = [...module.errors(), ...suiteErrors].map(wireError);
  const touched = fieldsOf(contacts["tests"]);
  const tests = [...module.children.allTests()].map((test) =>
    checked(test, wireTest(test, contactOf(touched[test.id])), tries),
  );
  // The last word of a file that came to its end is always there, unless somebody else has spoken after it.
  const isUnsigned =
    tries === undefined && errors.length === 0 && tests.every(({ state: said }) => said === "passed");
  return {
    file,
    collected: state !== "queued" && state !== "pending" ? true : module.children.size > 0,
    errors: isUnsigned ? [UNSIGNED] : errors,
    tests,
    focused: suites.filter((suite) => suite.errors().some(isFocus)).map(nameOf),
    ...(ran === undefined ? {} : { ran }),
    reports,
    loading: contactOf(contacts["loading"]),
    ...(contacts["idle"] === undefined ? {} : { idle: contactOf(contacts["idle"]) }),
  };
}

const UNSIGNED: WireError = {
  name: "",
  message: "the runner's own word about this file did not come, so nobody knows how its tests ended",
  causes: [],
};

function wireTest(test: TestCase, contact: WireContact): WireTest {
  const result = test.result();
  const diagnostic = test.diagnostic();
  const errors = result.errors ?? [];
  return {
    name: nameOf(test),
    state: stateOf(test),
    focused: errors.some(isFocus),
    durationMs: positive(diagnostic?.duration),
    retries: Math.floor(positive(diagnostic?.retryCount)),
    errors: errors.map(wireError),
    contact,
  };
}

/** A worker cannot say that a test passed whose last try threw, or that never ran. */
function checked(
  test: TestCase,
  wire: WireTest,
  tries: Readonly<Record<string, unknown>> | undefined,
): WireTest {
  if (wire.state !== "passed" || tries === undefined) return wire;
  const last = tries[test.id];
  if (last === (test.options.fails === true ? "threw" : "passed")) return wire;
  const how =
    last === undefined ? "was never run" : `${last === "threw" ? "threw" : "did not throw"} when it was run`;
  const message = `the test is said to have passed, but it ${how}`;
  return { ...wire, state: "failed", errors: [{ name: "", message, causes: [] }] };
}

function stateOf(test: TestCase): WireTest["state"] {
  const { state } = test.result();
  if (state === "skipped") return test.options.mode === "todo" ? "todo" : "skipped";
  return state === "pending" ? "unfinished" : state;
}

function nameOf(entity: TestCase | TestSuite): string {
  const name = text(entity.fullName).trim();
  return name === "" ? "(a test without a name)" : name;
}

function isFocus(error: { message?: unknown }): boolean {
  return text(error.message).includes(FOCUS_ERROR);
}

export function wireError(error: unknown): WireError {
  const at = (key: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, key) : undefined;
  const [expected, actual] = [at("expected"), at("actual")];
  return {
    name: text(at("name")),
    message: text(typeof error === "object" ? at("message") : error),
    causes: causesOf(at("cause")),
    ...(expected === undefined ? {} : { expected: text(expected) }),
    ...(actual === undefined ? {} : { actual: text(actual) }),
  };
}

function causesOf(cause: unknown, depth = 0): string[] {
  if (typeof cause !== "object" || cause === null || depth > 5) return [];
  return [text(Reflect.get(cause, "message")), ...causesOf(Reflect.get(cause, "cause"), depth + 1)];
}

function positive(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

interface LastWord {
  ran: number | undefined;
  reports: Record<string, unknown[]>;
  tries: Record<string, unknown> | undefined;
  contacts: Record<string, unknown>;
}

/** What is not signed was not said. */
function reportsOf(module: TestModule, key: string): LastWord {
  const { body, mac } = fieldsOf(Reflect.get(module.meta(), "cupel"));
  const nothing = { ran: undefined, reports: {}, tries: undefined, contacts: {} };
  if (typeof body !== "string" || mac !== createHmac("sha256", key).update(body).digest("hex"))
    return nothing;
  const said = fieldsOf(JSON.parse(body));
  const ran = said["ran"];
  if (said["file"] !== module.id || typeof ran !== "number") return nothing;
  const lists = Object.entries(fieldsOf(said["reports"])).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  );
  return {
    ran,
    reports: Object.fromEntries(lists),
    tries: fieldsOf(said["tries"]),
    contacts: fieldsOf(said["contacts"]),
  };
}

function contactOf(value: unknown): WireContact {
  const { entries, upheld, properties, failed } = fieldsOf(value);
  return {
    entries: Array.isArray(entries) ? entries.filter((each) => typeof each === "string") : [],
    upheld: count(upheld),
    properties: Array.isArray(properties) ? properties.map(propertyOf) : [],
    failed: Array.isArray(failed) ? failed.filter((each) => typeof each === "string") : [],
  };
}

function propertyOf(value: unknown): WireProperty {
  const { runs, discarded, distinct, reaching, varied } = fieldsOf(value);
  return {
    runs: count(runs),
    discarded: count(discarded),
    distinct: count(distinct),
    reaching: count(reaching),
    varied: varied === true,
  };
}

function count(value: unknown): number {
  return Math.floor(positive(value));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
