// Whatever earlier versions of the same major were shipped with still passes: nobody who relies on it has to look again.
import { canonicalHash } from "../../domain/canonical.ts";
import { regressions } from "../../domain/evidence/regression-suite.ts";
import type { TestRun } from "../../domain/evidence/test-result.ts";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { Edits, Files } from "../../toolchains/port.ts";
import type { Facts } from "../facts.ts";
import type { EarlierSuite } from "../module-under-test.ts";
import type { GateDefinition } from "../port.ts";

export const regression: GateDefinition = {
  name: "regression",
  look: async (facts) => {
    const { earlier = [] } = facts.module;
    if (earlier.length === 0)
      return { kind: "not-applicable", derivedFrom: "no earlier version of its major has shipped" };
    const looks = [];
    for (const suites of alike(earlier)) {
      const look = await lookAt(facts, suites);
      if (look.kind === "error") return look;
      looks.push(look);
    }
    return {
      kind: "looked",
      looked: looks.reduce((sum, { tests }) => sum + tests, 0),
      summary: looks.map(({ tests, passed, of }) => `${passed} of ${tests} tests of ${of} pass`).join(", "),
      findings: looks.flatMap(({ findings }) => findings),
      evidence: looks.map(({ of, tests, passed, findings, run }) => ({ of, tests, passed, findings, run })),
    };
  },
  plant: async (facts) => ({
    kind: "planted",
    what: "an implementation that throws",
    facts: await facts.skeleton(),
  }),
};

/** Versions that were shipped with the very same tests are asked once. */
function alike(earlier: readonly EarlierSuite[]): EarlierSuite[][] {
  const groups = new Map<string, EarlierSuite[]>();
  for (const suite of earlier) {
    const key = canonicalHash([suite.tests, suite.passed]);
    groups.set(key, [...(groups.get(key) ?? []), suite]);
  }
  return [...groups.values()];
}

type Looked =
  | { kind: "looked"; of: string; tests: number; passed: number; findings: Finding[]; run: TestRun }
  | { kind: "error"; message: string };

async function lookAt(facts: Facts, suites: readonly EarlierSuite[]): Promise<Looked> {
  const of = suites.map(({ module }) => module).join(", ");
  const [suite] = suites.slice(-1);
  if (suite === undefined) throw new Error("a suite of nobody");
  const files = facts.module.site.files();
  const kept = Object.entries(suite.tests).every(([path, text]) => files[path] === text);
  const report = await (kept ? facts.run() : facts.runWith(editsFor(suite, facts)));
  if (report.kind === "no-report") return { kind: "error", message: `the tests of ${of}: ${report.why}` };
  const run = onlyOf(report.run, suite.tests);
  const gone = regressions({ baselineResults: suite.passed }, run);
  const unloaded = new Set(run.collectionErrors.map(({ file }) => file));
  const findings = [
    ...run.collectionErrors.map(({ file, message }) =>
      finding("collection-error", `${file} of ${of} cannot be loaded any more: ${message}`),
    ),
    ...gone
      .filter(({ file }) => !unloaded.has(file))
      .map(({ file, name, now }) =>
        finding("regression", `"${name}" of ${of} (${file}) ${said(run, file, name, now)}`),
      ),
    ...run.strayErrors.map((message) => finding("stray-error", `no test of ${of} caught: ${message}`)),
  ];
  const tests = suite.passed.length;
  return { kind: "looked", of, tests, passed: tests - gone.length, findings, run };
}

/** Its tests instead of the module's own; what they import of its insides and is gone comes with them. */
function editsFor({ tests, sources }: EarlierSuite, { module: { site } }: Facts): Edits {
  const own = site.files();
  const inside = Object.entries(sources).filter(([path]) => own[path] === undefined);
  return {
    ...Object.fromEntries(site.layout.tests.map((path) => [path, null])),
    ...Object.fromEntries(inside),
    ...tests,
  };
}

function onlyOf(run: TestRun, tests: Files): TestRun {
  const isOf = (file: string): boolean => tests[file] !== undefined;
  return {
    ...run,
    files: run.files.filter(isOf),
    results: run.results.filter(({ file }) => isOf(file)),
    collectionErrors: run.collectionErrors.filter(({ file }) => isOf(file)),
  };
}

function said({ results }: TestRun, file: string, name: string, now: string): string {
  if (now === "missing") return "does not run any more";
  const failed = results.find(
    (each) => each.file === file && each.name === name && each.failure !== undefined,
  );
  const why = [failed?.failure?.counterexample, failed?.failure?.message].filter(Boolean).join(": ");
  return why === "" ? `is now ${now}` : `is now ${now}: ${why}`;
}

function finding(rule: string, message: string): Finding {
  return { rule, message };
}
