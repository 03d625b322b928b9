// The tests run enough lines and branches.
import { ratio } from "../../domain/evidence/coverage.ts";
import type { CodeCoverage } from "../../domain/evidence/coverage.ts";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { Rigor } from "../../domain/evidence/rigor.ts";
import { commonPlant } from "../common-plant.ts";
import type { GateDefinition } from "../port.ts";

export const coverage: GateDefinition = {
  name: "coverage",
  look: async (facts) => {
    const report = await facts.watchedRun();
    if (report.kind === "no-report") return { kind: "error", message: report.why };
    if (report.coverage === undefined) return { kind: "error", message: "the run reported no coverage" };
    const { lines, branches } = report.coverage;
    return {
      kind: "looked",
      looked: lines.total,
      summary: `lines ${percent(ratio(lines))}, branches ${percent(ratio(branches))} of ${lines.total} lines`,
      findings: findingsOf(report.coverage, facts.module.rigor),
      evidence: report.coverage,
    };
  },
  plant: async (facts) => {
    const { facts: spoiled, uncovered } = await commonPlant(facts);
    return { kind: "planted", what: uncovered, facts: spoiled };
  },
};

function findingsOf({ lines, branches, files }: CodeCoverage, { minCoverage }: Rigor): Finding[] {
  const findings: Finding[] = [];
  for (const [what, count, least] of [
    ["lines", lines, minCoverage.lines],
    ["branches", branches, minCoverage.branches],
  ] as const) {
    const share = ratio(count);
    if (share === undefined || share >= least) continue;
    findings.push({
      rule: `coverage-${what}`,
      message: `${what}: ${percent(share)} covered, ${percent(least)} asked`,
    });
  }
  if (findings.length === 0) return [];
  const places = files.flatMap(({ file, uncoveredFunctions }) =>
    uncoveredFunctions.map((name) => ({ rule: "uncovered-function", file, message: `no test runs ${name}` })),
  );
  return [...findings, ...places];
}

function percent(share: number | undefined): string {
  return share === undefined ? "none" : `${Math.floor(share * 1000) / 10} %`;
}
