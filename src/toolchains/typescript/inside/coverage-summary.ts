// Boils a coverage map down to what the harness judges: covered lines and branches, and functions never entered.
import type { WireCoverage } from "../wire-report.ts";

interface FileCoverage {
  toSummary(): { lines: Counts; branches: Counts };
  getUncoveredLines(): (number | string)[];
  fnMap: Record<string, { name: string; decl?: { start?: { line?: number } } }>;
  f: Record<string, number>;
  branchMap: Record<string, { loc: Span; locations: Partial<Span>[] }>;
  b: Record<string, number[]>;
}

interface Span {
  start: { line?: number };
  end: { line?: number };
}

interface Counts {
  covered: number;
  total: number;
}

export function wireCoverage(map: unknown, root: string, files: readonly string[]): WireCoverage[] {
  if (!isCoverageMap(map)) return [];
  const known = new Set(map.files());
  return files.flatMap((file) => {
    const path = `${root}/${file}`;
    return known.has(path) ? [summary(file, map.fileCoverageFor(path))] : [];
  });
}

function summary(file: string, coverage: FileCoverage): WireCoverage {
  const { lines, branches } = coverage.toSummary();
  const uncovered = Object.entries(coverage.fnMap).filter(([id]) => (coverage.f[id] ?? 0) === 0);
  return {
    file,
    lines: { covered: lines.covered, total: lines.total },
    branches: { covered: branches.covered, total: branches.total },
    uncoveredBranches: uncoveredBranches(coverage),
    uncoveredLines: coverage.getUncoveredLines().map(Number),
    uncoveredFunctions: uncovered.map(([, { name, decl }]) => readable(name, decl?.start?.line)),
  };
}

/** The lines they lead to. What goes on after a condition has no place of its own and leads to the line behind it. */
function uncoveredBranches({ branchMap, b }: FileCoverage): number[] {
  return Object.entries(branchMap).flatMap(([id, { loc, locations }]) =>
    locations.flatMap(({ start }, index) =>
      b[id]?.[index] === 0 ? [start?.line ?? (loc.end.line ?? loc.start.line ?? 0) + 1] : [],
    ),
  );
}

function readable(name: string, line: number | undefined): string {
  return name === "" || name.startsWith("(anonymous") ? `a function in line ${line ?? "?"}` : name;
}

interface CoverageMap {
  files(): string[];
  fileCoverageFor(path: string): FileCoverage;
}

function isCoverageMap(map: unknown): map is CoverageMap {
  return typeof map === "object" && map !== null && "files" in map && "fileCoverageFor" in map;
}
