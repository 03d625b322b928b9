// The tests run enough lines and branches.
import { ratio } from "../../domain/evidence/coverage.ts";
import type { CodeCoverage, CoveredCount, FileCoverage } from "../../domain/evidence/coverage.ts";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { Rigor } from "../../domain/evidence/rigor.ts";
import type { ComplexityEntry } from "../../domain/evidence/static-finding.ts";
import { commonPlant } from "../common-plant.ts";
import type { Facts } from "../facts.ts";
import type { GateDefinition } from "../port.ts";

export const coverage: GateDefinition = {
  name: "coverage",
  look: async (facts) => {
    const report = await facts.watchedRun();
    if (report.kind === "no-report") return { kind: "error", message: report.why };
    if (report.coverage === undefined) return { kind: "error", message: "the run reported no coverage" };
    const { lines, branches } = report.coverage;
    if (lines.total === 0 && !(await hasCode(facts)))
      return { kind: "not-applicable", derivedFrom: "the module has no line that runs" };
    return {
      kind: "looked",
      looked: lines.total,
      summary: `lines ${percent(ratio(lines))}, branches ${percent(ratio(branches))} of ${lines.total} lines`,
      findings: findingsOf(report.coverage, facts.module.rigor, (await facts.inspection()).complexity),
      evidence: report.coverage,
    };
  },
  plant: async (facts) => {
    const { facts: spoiled, uncovered } = await commonPlant(facts);
    return {
      kind: "planted",
      what: uncovered,
      facts: spoiled,
      refusedBy: [({ rule, message }) => rule === "uncovered-function" && message.endsWith("cupelUncovered")],
    };
  },
};

/** Types alone leave nothing to run. */
async function hasCode(facts: Facts): Promise<boolean> {
  const [{ entries }, { functions }] = await Promise.all([facts.surface(), facts.truth()]);
  return functions.length > 0 || entries.some(({ kind }) => kind !== "type");
}

function findingsOf(
  { lines, branches, files }: CodeCoverage,
  { minCoverage }: Rigor,
  functions: readonly ComplexityEntry[],
): Finding[] {
  const findings: Finding[] = [];
  for (const [what, count, least] of [
    ["lines", lines, minCoverage.lines],
    ["branches", branches, minCoverage.branches],
  ] as const) {
    const worst = files.toSorted((one, other) => uncovered(other[what]) - uncovered(one[what]))[0];
    const share = ratio(count);
    if (share === undefined || share >= least) continue;
    findings.push({
      rule: `coverage-${what}`,
      ...(worst === undefined ? {} : { file: worst.file }),
      message: `${what}: ${percent(share)} covered, ${percent(least)} asked${whereNone(what, worst)}`,
    });
  }
  if (findings.length === 0) return [];
  const places = files.flatMap(({ file, uncoveredFunctions }) =>
    uncoveredFunctions.map((name) => ({
      rule: "uncovered-function",
      ...placeOfFunction(file, name, functions),
      message: `no test runs ${name}`,
    })),
  );
  return [...findings, ...places];
}

const MOST_NAMED = 10;

/** What a test would have to reach, in the file that lacks most. */
function whereNone(what: "lines" | "branches", worst: FileCoverage | undefined): string {
  const lines = (what === "lines" ? worst?.uncoveredLines : worst?.uncoveredBranches) ?? [];
  const named = [...new Set(lines)].toSorted((one, other) => one - other);
  if (named.length === 0) return "";
  const shown = named.slice(0, MOST_NAMED).join(", ") + (named.length > MOST_NAMED ? ", …" : "");
  return what === "lines" ? `; no test runs line ${shown}` : `; no test takes the way to line ${shown}`;
}

function uncovered({ covered, total }: CoveredCount): number {
  return total - covered;
}

/** Runners know methods by their own names only. */
function placeOfFunction(
  file: string,
  name: string,
  functions: readonly ComplexityEntry[],
): { file: string; line?: number } {
  const found = functions.filter(
    (each) => each.file === file && (each.function === name || each.function.endsWith(`.${name}`)),
  );
  const [first] = found;
  return first === undefined || found.length > 1 ? { file } : { file, line: first.line };
}

function percent(share: number | undefined): string {
  return share === undefined ? "none" : `${Math.floor(share * 1000) / 10} %`;
}
