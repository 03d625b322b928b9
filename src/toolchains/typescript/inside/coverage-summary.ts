// Boils a coverage map down to what the harness judges: covered lines and branches, and functions never entered.
import type { WireCoverage } from "../wire-report.ts";

interface FileCoverage {
  toSummary(): { lines: Counts; branches: Counts };
  getUncoveredLines(): (number | string)[];
  fnMap: Record<string, { name: string; decl?: { start?: { line?: number } } }>;
  f: Record<string, number>;
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
    uncoveredLines: coverage.getUncoveredLines().map(Number),
    uncoveredFunctions: uncovered.map(([, { name, decl }]) => readable(name, decl?.start?.line)),
  };
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
