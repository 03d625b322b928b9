// Makes the records of the domain from the runner's report, and finds what in it does not fit together.
import type { StructuredFailure } from "../../domain/evidence/structured-failure.ts";
import { claimedLayer, type TestLayer } from "../../domain/evidence/test-layer.ts";
import { type TestResult, TestRun } from "../../domain/evidence/test-result.ts";
import { parse, renderProblems } from "../../domain/parse.ts";
import type { Contacts, Files, ModuleLayout, PropertyRun, TestContact, TestReport } from "../port.ts";
import { coverageOf } from "./coverage.ts";
import { STUB_MARK } from "./stub-mark.ts";
import type { WireContact, WireError, WireFile, WireReport, WireTest } from "./wire-report.ts";

export function testReport(layout: ModuleLayout, files: Files, report: WireReport): TestReport {
  const missing = layout.tests.find((file) => !report.files.some((entry) => entry.file === file));
  if (missing !== undefined || report.files.length !== layout.tests.length)
    return noReport(`the runner's report does not tell about exactly the ordered files: ${missing ?? ""}`);
  const run = {
    files: [...layout.tests],
    results: report.files.flatMap((file) => file.tests.map((test) => resultOf(file, test, report))),
    collectionErrors: report.files.flatMap((file) => collectionErrors(file, report)),
    strayErrors: [...report.stray, ...report.files.flatMap(contradictions)],
    focused: report.files.flatMap((file) => [...file.focused, ...file.tests.filter(isFocused).map(nameOf)]),
    durationMs: report.durationMs,
  };
  const parsed = parse(TestRun, run);
  if (parsed.kind === "invalid")
    return noReport(`the runner's report makes no sense:\n${renderProblems(parsed.problems)}`);
  return {
    kind: "ran",
    run: parsed.value,
    properties: report.files.flatMap(propertiesOf),
    ...(report.coverage === undefined ? {} : { coverage: coverageOf(layout, files, report.coverage) }),
  };
}

function noReport(why: string): TestReport {
  return { kind: "no-report", why, timedOut: false };
}

function resultOf(file: WireFile, test: WireTest, report: WireReport): TestResult {
  const { name, durationMs, retries } = test;
  const failure = test.state === "unfinished" ? unfinished(file, test, report) : failureOf(test);
  return {
    name,
    file: file.file,
    layer: layerOf(file.file, test, failure),
    outcome: failure?.failureType === "Timeout" ? "timeout" : outcomeOf(test),
    durationMs,
    retries,
    ...(failure === undefined ? {} : { failure }),
  };
}

function outcomeOf({ state }: WireTest): TestResult["outcome"] {
  return state === "unfinished" ? "failed" : state;
}

function failureOf(test: WireTest): StructuredFailure | undefined {
  if (test.state !== "failed") return undefined;
  const [first] = test.errors;
  if (first === undefined) return { propertyName: test.name, failureType: "ExceptionThrown", message: "" };
  // A stub is the reason even where what was seen first is an assertion about its error.
  const error = test.errors.find(hitsStub) ?? first;
  const counterexample = /^Counterexample: (.*)$/m.exec(error.message)?.[1];
  return {
    propertyName: test.name,
    failureType: typeOf(error),
    message: [error.message, ...error.causes].join("\ncaused by: "),
    ...(counterexample === undefined ? {} : { counterexample }),
    ...(error.expected === undefined ? {} : { expected: error.expected }),
    ...(error.actual === undefined ? {} : { actual: error.actual }),
  };
}

/** Of the tests of a file that have not ended the first is the one that hangs; the others never began. */
function unfinished({ tests }: WireFile, test: WireTest, { ended }: WireReport): StructuredFailure {
  const first = tests.find(({ state }) => state === "unfinished");
  const why = ended === "finished" ? "the process that ran it ended" : "its time was up";
  const message =
    first === test
      ? `the test had not ended when ${why}`
      : `the test never began: "${first?.name ?? ""}" before it had not ended when ${why}`;
  const hangs = ended !== "finished" && first === test;
  return { propertyName: test.name, failureType: hangs ? "Timeout" : "ExceptionThrown", message };
}

function typeOf(error: WireError): StructuredFailure["failureType"] {
  if (hitsStub(error)) return "StubHit";
  if (/^Property (?:failed after|timeout: exceeded)/.test(error.message)) return "PropertyFailed";
  if (/^(?:Test|Hook) timed out in \d+ms/.test(error.message)) return "Timeout";
  return "ExceptionThrown";
}

function hitsStub({ message, causes, actual = "" }: WireError): boolean {
  return [message, ...causes, actual].some((text) => text.includes(STUB_MARK));
}

function layerOf(file: string, test: WireTest, failure: StructuredFailure | undefined): TestLayer {
  const claimed = claimedLayer(file);
  if (claimed === "contract" || claimed === "integration" || claimed === "e2e") return claimed;
  return test.contact.properties.length > 0 || failure?.failureType === "PropertyFailed"
    ? "property"
    : "unit";
}

function collectionErrors(file: WireFile, { ended }: WireReport): TestRun["collectionErrors"] {
  const errors = file.errors.map((error) => ({
    file: file.file,
    message: error.name === "" ? error.message : `${error.name}: ${error.message}`,
  }));
  if (file.collected || errors.length > 0) return errors;
  const why =
    ended === "finished"
      ? "the process that loaded the file ended before the file was loaded"
      : "the file was not loaded when its time was up";
  return [{ file: file.file, message: why }];
}

/** What a worker says at its end must fit to what it said before. */
function contradictions(file: WireFile): string[] {
  const finished = file.tests.filter(({ state }) => state === "passed" || state === "failed").length;
  if (finished === 0 || file.errors.length > 0) return [];
  if (file.ran === undefined) return [`${file.file}: the process that ran it ended before its last word`];
  const ran = file.tests.filter(({ state, focused }) => state === "passed" && !focused).length;
  return file.ran < ran
    ? [`${file.file}: ${ran} tests are said to have passed, but ${file.ran} were run`]
    : [];
}

function propertiesOf({ file, tests }: WireFile): PropertyRun[] {
  return tests.flatMap(({ name, contact }) => contactOf(file, name, contact).properties);
}

/** What tests did with the module, which means something only where its entry points were watched. */
export function contactsOf(files: readonly WireFile[], watched: readonly string[]): Contacts {
  return {
    watched: [...watched],
    tests: files.flatMap(({ file, tests }) =>
      tests.map(({ name, contact }) => contactOf(file, name, contact)),
    ),
    loading: files.flatMap(({ file, loading }) =>
      loading === undefined || loading.entries.length === 0 ? [] : [{ file, entries: loading.entries }],
    ),
  };
}

/** Undefined where some file did not tell of it. */
export function idleContact(files: readonly WireFile[]): TestContact | undefined {
  const all = files.flatMap(({ file, idle }) => (idle === undefined ? [] : [contactOf(file, IDLE, idle)]));
  const [first] = all;
  if (first === undefined || all.length < files.length) return undefined;
  return {
    ...first,
    entries: [...new Set(all.flatMap(({ entries }) => entries))],
    upheld: all.reduce((sum, { upheld }) => sum + upheld, 0),
    properties: all.flatMap(({ properties }) => properties),
  };
}

const IDLE = "a test that does nothing with the module";

function contactOf(
  file: string,
  test: string,
  { entries, upheld, properties, failed }: WireContact,
): TestContact {
  return {
    test,
    file,
    entries: [...entries],
    upheld,
    ...(failed.length === 0 ? {} : { failed: [...failed] }),
    properties: properties.map(({ runs, discarded, distinct, reaching, varied }) => ({
      test,
      file,
      runs,
      discarded,
      distinctInputs: distinct,
      reaching,
      varied,
    })),
  };
}

function isFocused({ focused }: WireTest): boolean {
  return focused;
}

function nameOf({ name }: WireTest): string {
  return name;
}
