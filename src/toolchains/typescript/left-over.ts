// What no value of its type can reach is no part of what tests must reach.
import { codeCoverage, type FileCoverage } from "../../domain/evidence/coverage.ts";
import type { Files, TestReport } from "../port.ts";
import type { Stretch } from "./compiler/beyond-types.ts";

/** A stretch by its lines, counted from 1; blank ones before it belong to it. */
export interface LeftOver {
  file: string;
  first: number;
  last: number;
  text: string;
}

export function leftOvers(stretches: readonly Stretch[], files: Files): LeftOver[] {
  return stretches.map(({ file, start, end }) => {
    const text = files[file] ?? "";
    const own = linesIn(text.slice(0, start));
    const first = Math.min(own, linesIn(text.slice(0, start).trimEnd()) + 1);
    return { file, first, last: linesIn(text.slice(0, end)), text: text.slice(start, end) };
  });
}

function linesIn(text: string): number {
  return text.split("\n").length;
}

/** What some test reached counts like any other code. */
export function coveredWithoutLeftOver<T extends TestReport>(
  report: T,
  files: Files,
  beyond: () => readonly Stretch[],
): T {
  if (report.kind !== "ran" || report.coverage === undefined) return report;
  if (isCovered(report.coverage)) return report;
  const left = leftOvers(beyond(), files);
  if (left.length === 0) return report;
  const counted = report.coverage.files.map((each) =>
    without(
      each,
      left.filter(({ file }) => file === each.file),
    ),
  );
  return { ...report, coverage: codeCoverage(counted) };
}

function isCovered({ lines, branches }: Pick<FileCoverage, "lines" | "branches">): boolean {
  return lines.covered === lines.total && branches.covered === branches.total;
}

function without(coverage: FileCoverage, left: readonly LeftOver[]): FileCoverage {
  const { lines, branches, uncoveredLines = [], uncoveredBranches = [] } = coverage;
  const counts = (line: number) => !left.some(({ first, last }) => first <= line && line <= last);
  const [asked, taken] = [uncoveredLines.filter(counts), uncoveredBranches.filter(counts)];
  return {
    ...coverage,
    lines: { ...lines, total: lines.total - uncoveredLines.length + asked.length },
    branches: { ...branches, total: branches.total - uncoveredBranches.length + taken.length },
    uncoveredLines: asked,
    uncoveredBranches: taken,
  };
}
