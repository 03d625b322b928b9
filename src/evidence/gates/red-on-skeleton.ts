// Every test fails against stubs, and because it hit a stub.
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { TestResult, TestRun } from "../../domain/evidence/test-result.ts";
import type { Edits, Files } from "../../toolchains/port.ts";
import { type Facts, INSPECTION, LYING, SKELETON, SURFACE, TRUTH } from "../facts.ts";
import { plantedTest } from "../plants-beside.ts";
import type { GateDefinition } from "../port.ts";
import { greenOnLies, keyOf } from "./green-on-lies.ts";
import { neverDeclared } from "./never-declared.ts";
import { placeOfTest } from "./test-line.ts";

export const redOnSkeleton: GateDefinition = {
  name: "red-on-skeleton",
  look: async (facts) => {
    if (await hasNothingToStub(facts))
      return { kind: "not-applicable", derivedFrom: "the module has no function that could be a stub" };
    const report = await (await facts.skeleton()).run();
    if (report.kind === "no-report") return { kind: "error", message: `on stubs: ${report.why}` };
    const { results, collectionErrors, files } = report.run;
    const notRun = await notRunOnStubs(facts, report.run);
    const waiting = new Set(notRun.tests.map(keyOf));
    const begun = results.filter((result) => !waiting.has(keyOf(result)));
    const green = await greenEvenIfSilent(facts, begun);
    const others = await notByStub(facts, begun);
    const lied = await greenOnLies(facts, [
      ...begun.filter(({ outcome }) => outcome === "failed"),
      ...notRun.tests,
    ]);
    if (lied.kind === "dead") return { kind: "error", message: lied.why };
    const empty = files.filter((file) => !results.some((result) => result.file === file));
    const total = begun.length + notRun.tests.length;
    return {
      kind: "looked",
      looked: total + collectionErrors.length,
      summary: `${total - green.length - others.length - lied.green.length - notRun.green} of ${total} tests are red on stubs`,
      evidence: report.run,
      findings: [
        ...notRun.findings,
        ...[...green, ...others]
          .toSorted((one, other) => results.indexOf(one) - results.indexOf(other))
          .map((result) => findingOf(result, facts)),
        ...lied.green.map(({ name, file }) => ({
          rule: "green-on-lies",
          ...placeOfTest(facts.module.site.files(), file, name),
          message: `${name} passes whatever the entry points give back`,
        })),
        ...empty
          .filter((file) => !collectionErrors.some((error) => error.file === file))
          .map((file) => ({ rule: "empty-file", file, message: "holds no test" })),
        ...(await neverDeclared(facts, report.run)),
      ],
    };
  },
  // It was among the tests of the run that was looked at; there it is left out.
  plant: async (facts) => {
    const planted = plantedTest(facts.module.site);
    if (planted === undefined) return { kind: "impossible", why: "there is no test file" };
    const spoiled = await facts.spoiled({ edits: planted.edits });
    // The sources are the same, and so is what is read in them and what the other tests call.
    spoiled.give(SKELETON, () => facts.skeletonWithPlant());
    spoiled.give(SURFACE, () => facts.surface());
    spoiled.give(TRUTH, () => facts.truth());
    spoiled.give(INSPECTION, () => facts.inspection());
    // It passes on stubs, so nobody asks what it does with lies.
    spoiled.give(LYING, () => Promise.resolve(facts));
    return {
      kind: "planted",
      what: "a test that passes on stubs",
      facts: spoiled,
      refusedBy: [({ file }) => file === planted.path],
    };
  },
  early: async (facts) => {
    await Promise.all([(await facts.skeleton()).run(), facts.lying(0)]);
  },
};

const MARK = "cupel:stub";

/** Constants and types alone: no stub differs from them. */
async function hasNothingToStub(facts: Facts): Promise<boolean> {
  const [{ functions }, skeleton] = await Promise.all([facts.truth(), facts.skeleton()]);
  const files = facts.module.site.files();
  const stubs = skeleton.module.site.files();
  return functions.length === 0 && Object.keys(files).every((path) => stubs[path] === files[path]);
}

interface NotRun {
  /** Those that stubs did not even let begin, as they ended on the real module. */
  tests: TestResult[];
  green: number;
  findings: Finding[];
}

/**
 * A file that calls the module while it is loaded, or before all of its tests, runs none of them on stubs. They are known
 * from the run on the real module; none of them can pass on stubs, but one that uses nothing of the module was not made
 * red by it. What goes wrong in a file after a stub was hit in it follows from that.
 */
async function notRunOnStubs(facts: Facts, { collectionErrors, results }: TestRun): Promise<NotRun> {
  const own = isOwnSkeleton(facts);
  const real = collectionErrors.length === 0 ? undefined : await realRun(facts);
  const uses = await usersOf(facts);
  const ended = new Set(results.filter(({ outcome }) => outcome !== "skipped").map(keyOf));
  const all: NotRun = { tests: [], green: 0, findings: [] };
  for (const file of new Set(collectionErrors.map((error) => error.file))) {
    const errors = collectionErrors.filter((error) => error.file === file);
    const declared = real?.results.filter((result) => result.file === file) ?? [];
    const isStubs = own
      ? errors.some(({ message }) => message.includes(MARK)) ||
        results.some((each) => each.file === file && hitsStub(each))
      : declared.some(({ outcome }) => outcome === "passed");
    if (!isStubs || declared.length === 0) {
      all.findings.push(...errors.map(({ message }) => unknown(file, message)));
      continue;
    }
    const tests = declared.filter((each) => each.outcome === "passed" && !ended.has(keyOf(each)));
    const without = tests.filter((each) => !uses(each));
    all.tests.push(...tests);
    all.green += without.length;
    all.findings.push(
      ...without.map(({ name }) => ({
        rule: "green-on-stubs",
        ...placeOfTest(facts.module.site.files(), file, name),
        message: `${name} uses nothing of the module, so it cannot fail because of it`,
      })),
    );
  }
  return all;
}

function unknown(file: string, message: string): Finding {
  const why = `cannot be loaded with stubs, so its tests are unknown: ${message}`;
  return { rule: "collection-error", file, message: why };
}

/** Whether a test uses the module, as far as the compiler knows it. */
async function usersOf(facts: Facts): Promise<(test: TestResult) => boolean> {
  const uses = new Map((await facts.truth()).tests.map(({ name, calls }) => [name, calls.length > 0]));
  return ({ name }) => uses.get(name) !== false;
}

/**
 * `expect(f).toThrow()` holds for stubs, since they throw, and a test of a constant meets no stub at all. Both must fail
 * where stubs return nothing and constants are nothing. A contract names its errors, so there any error will not do.
 */
async function greenEvenIfSilent(facts: Facts, results: readonly TestResult[]): Promise<TestResult[]> {
  const green = results.filter(({ outcome }) => outcome === "passed");
  if (green.length === 0) return [];
  const skeleton = await facts.skeleton();
  const { entries } = await facts.surface();
  const constants = entries.flatMap(({ kind, name }) => (kind === "constant" ? [name] : []));
  const { site } = skeleton.module;
  const thrown = facts.module.contract === undefined ? THROWN : undefined;
  const edits = silent(site.files(), site.layout.sources, { constants, thrown });
  if (Object.keys(edits).length === 0) return green;
  const report = await (await facts.once("silent", () => skeleton.spoiled({ edits }))).run();
  if (report.kind === "no-report") return green;
  const red = new Set(report.run.results.filter(({ outcome }) => outcome === "failed").map(keyOf));
  return green.filter((result) => !red.has(keyOf(result)));
}

const THROWN = /throw new Error\((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\);?/g;

interface Silenced {
  constants: readonly string[];
  thrown: RegExp | undefined;
}

/** `export const A = [1]` becomes `export const A = undefined, cupelWasA = [1]`. */
const CONSTANT = /^(export const )([\w$]+)([^=\n]*=)(?![=>])/gm;

function silent(files: Files, sources: readonly string[], { constants, thrown }: Silenced): Edits {
  const changed = sources.flatMap((path) => {
    const text = files[path] ?? "";
    const quiet = (thrown === undefined ? text : text.replaceAll(thrown, "return;")).replaceAll(
      CONSTANT,
      (whole, start: string, name: string, rest: string) =>
        constants.includes(name) ? `${start}${name}${rest} undefined, cupelWas${name} =` : whole,
    );
    return quiet === text ? [] : [[path, quiet] as const];
  });
  return Object.fromEntries(changed);
}

async function notByStub(facts: Facts, results: readonly TestResult[]): Promise<TestResult[]> {
  const unmarked = results.filter((result) => result.outcome !== "passed" && !hitsStub(result));
  if (unmarked.length === 0) return [];
  // A test can catch what a stub throws, and stubs that somebody else wrote throw what they like; but what uses the module
  // and passes on the real one fails because of them.
  const uses = await usersOf(facts);
  const passing = (await realRun(facts))?.results.filter(({ outcome }) => outcome === "passed") ?? [];
  const known = new Set(passing.filter(uses).map(keyOf));
  return unmarked.filter((result) => result.outcome !== "failed" || !known.has(keyOf(result)));
}

/** Whether its stubs say that they are some. */
function isOwnSkeleton(facts: Facts): boolean {
  const { skeleton } = facts.module;
  return skeleton === undefined || Object.values(skeleton).some((text) => text?.includes(MARK) === true);
}

async function realRun(facts: Facts): Promise<TestRun | undefined> {
  const report = await facts.run();
  return report.kind === "ran" ? report.run : undefined;
}

function findingOf({ name, file, outcome, failure }: TestResult, facts: Facts): Finding {
  const place = placeOfTest(facts.module.site.files(), file, name);
  if (outcome === "passed")
    return { rule: "green-on-stubs", ...place, message: `${name} passes although nothing is implemented` };
  if (outcome === "skipped" || outcome === "todo")
    return { rule: outcome, ...place, message: `${name} is left out, so nothing can make it red` };
  const why = failure?.message ?? outcome;
  return { rule: "wrong-reason", ...place, message: `${name} is red, but not because of a stub: ${why}` };
}

/** Also an assertion about an error counts, when the error it got was the stub's. */
function hitsStub({ outcome, failure }: TestResult): boolean {
  if (outcome !== "failed") return false;
  return failure?.failureType === "StubHit" || failure?.message.includes(MARK) === true;
}
