// The module works together with what it depends on and with what depends on it, and a break between them is noticed.
import { claimedLayer } from "../../domain/evidence/test-layer.ts";
import { tally } from "../../domain/evidence/test-result.ts";
import type { TestRun } from "../../domain/evidence/test-result.ts";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { TestReport } from "../../toolchains/port.ts";
import type { Facts } from "../facts.ts";
import type { Consumer } from "../module-under-test.ts";
import type { GateDefinition, Look } from "../port.ts";
import { findingsOf } from "./green.ts";
import { type Exactness, plainRun } from "../../toolchains/quick-run.ts";

export const integration: GateDefinition = {
  name: "integration",
  look: async (facts) => {
    const { contract, consumers = [] } = facts.module;
    const depends = (contract?.dependencies.length ?? 0) > 0;
    if (!depends && consumers.length === 0)
      return { kind: "not-applicable", derivedFrom: "the contract names no dependency" };
    const own = depends ? await ownTests(facts) : NOTHING;
    if (own.kind === "error") return own;
    // Without its own integration tests a module that depends on others was not looked at, whoever imports it.
    if (own.findings.length > 0 || (depends && own.tests === 0)) return lookOf([own]);
    const others = await suitesOf(facts, "record");
    return others.kind === "error" ? others : lookOf([own, ...others.suites]);
  },
  plant: async (facts) => {
    const { contract, consumers = [] } = facts.module;
    const depends = (contract?.dependencies.length ?? 0) > 0;
    const stubbed = await facts.skeleton();
    const suites = await suitesOf(stubbed, "quick");
    if (suites.kind === "error") return { kind: "impossible", why: suites.message };
    const blind = suites.suites.find(({ findings }) => findings.length === 0);
    if (blind !== undefined)
      return {
        kind: "impossible",
        why: `this module with functions that throw, since ${blind.name} imports it and stays green`,
      };
    if (!depends)
      return {
        kind: "planted",
        what: `functions that throw, in the build that ${namesOf(consumers)} import`,
        facts: stubbed,
      };
    const broken = await facts.withBrokenDependencies();
    if (broken === undefined) return { kind: "impossible", why: "no broken dependency was handed in" };
    return { kind: "planted", what: "a broken dependency", facts: broken };
  },
};

interface Suite {
  kind: "suite";
  name: string;
  tests: number;
  passed: number;
  findings: Finding[];
  evidence?: TestRun;
}

const NOTHING: Suite = { kind: "suite", name: "", tests: 0, passed: 0, findings: [] };

type Failed = { kind: "error"; message: string };

async function ownTests(facts: Facts): Promise<Suite | Failed> {
  const report = await facts.run();
  if (report.kind === "no-report") return { kind: "error", message: report.why };
  const { run } = report;
  const results = run.results.filter(({ layer }) => layer === "integration");
  // A file of integration tests that cannot be loaded has no results, and is one of them all the same.
  const own = {
    ...run,
    results,
    files: run.files.filter(isOwn),
    collectionErrors: run.collectionErrors.filter(({ file }) => isOwn(file)),
  };
  const judged = results.length === 0 && own.collectionErrors.length === 0 ? [] : findingsOf(own);
  const { total, passed } = tally(own);
  const tests = total + own.collectionErrors.length;
  return { kind: "suite", name: "integration tests", tests, passed, findings: judged, evidence: own };
}

function isOwn(file: string): boolean {
  return claimedLayer(file) === "integration";
}

async function suitesOf(
  facts: Facts,
  exactness: Exactness,
): Promise<{ kind: "suites"; suites: Suite[] } | Failed> {
  const { consumers = [], toolchain, site, rigor, timeoutMs, signal } = facts.module;
  if (consumers.length === 0) return { kind: "suites", suites: [] };
  const build = await facts.once("compiled", () => toolchain.compile(site));
  if (build.kind === "broken") {
    const [first] = build.errors;
    return {
      kind: "error",
      message: `there is no build for its consumers: ${first?.file}:${first?.line} ${first?.message}`,
    };
  }
  const options = { secondsPerTest: rigor.secondsPerTest, timeoutMs, signal };
  const suites: Suite[] = [];
  for (const consumer of consumers) {
    const consumed = await consumer.open(build.files);
    try {
      suites.push(suiteOf(consumer, await plainRun(toolchain, consumed, exactness, options)));
    } finally {
      await consumed.remove();
    }
  }
  return { kind: "suites", suites };
}

function suiteOf({ name }: Consumer, report: TestReport): Suite {
  if (report.kind === "no-report") {
    const finding = { rule: "no-report", message: `${name}: ${report.why}` };
    return { kind: "suite", name, tests: 1, passed: 0, findings: [finding] };
  }
  const { total, passed } = tally(report.run);
  const findings = findingsOf(report.run).map(({ rule, file, message }) => ({
    rule,
    message: `${name} imports this module; ${file === undefined ? "" : `${file}: `}${message}`,
  }));
  // A suite that is empty has looked at nothing, which is a finding and not a denominator of nothing.
  return { kind: "suite", name, tests: Math.max(total, 1), passed, findings, evidence: report.run };
}

function lookOf(suites: readonly Suite[]): Look {
  const shown = suites.filter(({ name }) => name !== "");
  return {
    kind: "looked",
    looked: shown.reduce((sum, { tests }) => sum + tests, 0),
    summary: shown
      .map(
        ({ name, tests, passed }) =>
          `${passed} of ${tests} ${name === "integration tests" ? name : `tests of ${name}`} pass`,
      )
      .join(", "),
    findings: shown.flatMap(({ findings }) => findings),
    evidence: shown.map(({ name, evidence }) => ({ name, evidence })),
  };
}

function namesOf(consumers: readonly Consumer[]): string {
  return consumers.map(({ name }) => name).join(", ");
}
