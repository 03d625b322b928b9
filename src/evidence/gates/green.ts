// All tests pass, there are some, and none is skipped, focused or retried into passing.
import { isGreen, tally } from "../../domain/evidence/test-result.ts";
import type { TestRun } from "../../domain/evidence/test-result.ts";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { Files, PropertyRun, TestRunReport } from "../../toolchains/port.ts";
import type { GateDefinition } from "../port.ts";
import { tooFewTries } from "../../domain/evidence/property-run.ts";
import { placeOfTest } from "./test-line.ts";

export const green: GateDefinition = {
  name: "green",
  look: async (facts) => {
    const report = await facts.run();
    if (report.kind === "no-report") return { kind: "error", message: report.why };
    const { total, passed } = tally(report.run);
    return {
      kind: "looked",
      // A file that could not be loaded was looked at, too.
      looked: total + report.run.collectionErrors.length,
      summary: `${passed} of ${total} tests pass`,
      findings: [
        ...findingsOf(report.run, facts.module.site.files()),
        ...lazyProperties(report.properties),
        ...(facts.module.contract === undefined
          ? []
          : [...lostFailures(report, facts.module.site.files()), ...neverMade(report)]),
      ],
      evidence: report.run,
    };
  },
  // The skeleton is an implementation that throws; where there is nothing to implement, a test is spoiled instead.
  plant: async (facts) => {
    if ((await facts.truth()).functions.length > 0)
      return { kind: "planted", what: "an implementation that throws", facts: await facts.skeleton() };
    const [file] = facts.module.site.layout.tests;
    if (file === undefined) return { kind: "impossible", why: "there is no test file" };
    const planted = file.replace(/[^/]+$/, "cupel-planted.test.ts");
    const text = 'import { expect, test } from "vitest";\ntest("planted", () => expect(1).toBe(2));\n';
    return {
      kind: "planted",
      what: "a test that fails",
      facts: await facts.spoiled({ edits: { [planted]: text } }),
    };
  },
  early: (facts) => facts.run(),
};

/** A person's own tests may try matchers of their own; those that belong to a contract say what holds. */
function lostFailures({ run, contacts }: TestRunReport, files: Files): Finding[] {
  return (contacts?.tests ?? []).flatMap(({ file, test, failed: [said] = [] }) => {
    const isPassing = run.results.some(
      (each) => each.file === file && each.name === test && each.outcome === "passed",
    );
    if (said === undefined || !isPassing) return [];
    const message = `${test} passes although an assertion in it failed: ${said}`;
    return [{ rule: "lost-assertion", ...placeOfTest(files, file, test), message }];
  });
}

/** What fails keeps others from being made, so only a file in which everything passes is asked. */
function neverMade({ run, unreached = [] }: TestRunReport): Finding[] {
  const isGreenIn = (file: string) =>
    !run.collectionErrors.some((error) => error.file === file) &&
    run.results.every((result) => result.file !== file || result.outcome === "passed");
  return unreached
    .filter(({ file }) => isGreenIn(file))
    .map(({ file, line, text }) => ({
      rule: "never-asserted",
      file,
      line,
      message: `${text} stands there and is never run, so it asserts nothing`,
    }));
}

export function findingsOf(run: TestRun, files: Files = {}): Finding[] {
  const failures = run.results.flatMap(({ name, file, outcome, failure, retries }): Finding[] => {
    if (outcome === "passed" && retries === 0) return [];
    const why = outcome === "passed" ? `passed only after ${retries} retries` : outcome;
    const message = [`${name}: ${why}`, failure?.counterexample, failure?.message].filter(Boolean).join(": ");
    return [{ rule: outcome === "passed" ? "retried" : outcome, ...placeOfTest(files, file, name), message }];
  });
  const unloaded = run.collectionErrors.map(({ file, message }) => ({
    rule: "collection-error",
    file,
    // A runner that cannot even start says why on the side.
    message: `cannot be loaded: ${run.strayErrors.find((error) => error.includes(`/${file}.`)) ?? message}`,
  }));
  const stray = run.strayErrors.map((message) => ({
    rule: "stray-error",
    message: `no test caught: ${message}`,
  }));
  const focused = run.focused.map((name) => ({ rule: "focused", message: `${name} is marked to run alone` }));
  const all = [...unloaded, ...failures, ...stray, ...focused];
  if (all.length > 0) return all;
  const judged = isGreen(run);
  if (judged.kind === "green") return [];
  return judged.reasons.map(({ reason, count }) => ({ rule: reason, message: `${reason}: ${count}` }));
}

/** A property that tried almost nothing has shown almost nothing. */
function lazyProperties(properties: readonly PropertyRun[]): Finding[] {
  return properties.flatMap((property) => {
    const problem = tooFewTries(property);
    const { test, file } = property;
    return problem === undefined ? [] : [{ rule: "lazy-property", file, message: `${test} ${problem}` }];
  });
}
