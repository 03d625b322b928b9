// How much of the code and of the specification the tests reach; what has no parts has no share, least of all 1.
import { z } from "zod";
import { refuse } from "../parse.ts";
import { Text } from "../refs.ts";

export const CoveredCount = z
  .strictObject({ covered: z.int().min(0), total: z.int().min(0) })
  .superRefine((count, context) => {
    if (count.covered > count.total)
      refuse(context, ["covered"], `at most the total ${count.total}`, String(count.covered));
  });
export type CoveredCount = z.infer<typeof CoveredCount>;

export const FileCoverage = z.strictObject({
  file: Text,
  lines: CoveredCount,
  branches: CoveredCount,
  uncoveredFunctions: z.array(Text),
  /** The lines to which no test branches; left out where they are not known. */
  uncoveredBranches: z.array(z.int().min(1)).optional(),
  /** By number; left out where they are not known. */
  uncoveredLines: z.array(z.int().min(1)).optional(),
});
export type FileCoverage = z.infer<typeof FileCoverage>;

export const CodeCoverage = z
  .strictObject({ files: z.array(FileCoverage), lines: CoveredCount, branches: CoveredCount })
  .superRefine((coverage, context) => {
    const names = coverage.files.map((entry) => entry.file);
    names.forEach((name, index) => {
      if (names.indexOf(name) !== index)
        refuse(context, ["files", index, "file"], "each file once", `"${name}" again`);
    });
    for (const key of ["lines", "branches"] as const) {
      const sum = sumOf(coverage.files.map((entry) => entry[key]));
      if (sum.covered !== coverage[key].covered || sum.total !== coverage[key].total)
        refuse(context, [key], `the sum over the files, ${show(sum)}`, show(coverage[key]));
    }
  });
export type CodeCoverage = z.infer<typeof CodeCoverage>;

/** How much of what was specified has tests. */
export const CoverageReport = z.strictObject({
  functionsCovered: z.array(Text),
  functionsUncovered: z.array(Text),
  examplesCovered: z.int().min(0),
  examplesTotal: z.int().min(0),
  sketchesCovered: z.array(Text),
  sketchesUncovered: z.array(Text),
});
export type CoverageReport = z.infer<typeof CoverageReport>;

/** What the tests claim to cover of what was specified. */
export const SpecCoverage = CoverageReport.extend({
  /** Pairs of a criterion's id and the name of a test for it. */
  criteriaWithTests: z.array(z.tuple([Text, Text])),
  criteriaMissing: z.array(Text),
}).superRefine((coverage, context) => {
  if (coverage.examplesCovered > coverage.examplesTotal)
    refuse(
      context,
      ["examplesCovered"],
      `at most the total ${coverage.examplesTotal}`,
      String(coverage.examplesCovered),
    );
  refuseBoth(context, "functionsUncovered", coverage.functionsUncovered, coverage.functionsCovered);
  refuseBoth(context, "sketchesUncovered", coverage.sketchesUncovered, coverage.sketchesCovered);
  refuseBoth(context, "criteriaMissing", coverage.criteriaMissing, criteriaOf(coverage));
});
export type SpecCoverage = z.infer<typeof SpecCoverage>;

export function codeCoverage(files: FileCoverage[]): CodeCoverage {
  return {
    files,
    lines: sumOf(files.map((entry) => entry.lines)),
    branches: sumOf(files.map((entry) => entry.branches)),
  };
}

/** Undefined when there was nothing to cover. */
export function ratio(count: CoveredCount): number | undefined {
  return count.total === 0 ? undefined : count.covered / count.total;
}

export interface SpecRatios {
  functions: number | undefined;
  examples: number | undefined;
  sketches: number | undefined;
  criteria: number | undefined;
}

export function specRatios(coverage: SpecCoverage): SpecRatios {
  return {
    functions: shareOf(coverage.functionsCovered, coverage.functionsUncovered),
    examples: ratio({ covered: coverage.examplesCovered, total: coverage.examplesTotal }),
    sketches: shareOf(coverage.sketchesCovered, coverage.sketchesUncovered),
    criteria: shareOf(criteriaOf(coverage), coverage.criteriaMissing),
  };
}

function criteriaOf(coverage: Pick<SpecCoverage, "criteriaWithTests">): string[] {
  return coverage.criteriaWithTests.map(([criterion]) => criterion);
}

/** A name that is listed twice is still one thing to cover. */
function shareOf(covered: string[], uncovered: string[]): number | undefined {
  const total = new Set([...covered, ...uncovered]).size;
  return ratio({ covered: new Set(covered).size, total });
}

function sumOf(counts: CoveredCount[]): CoveredCount {
  return {
    covered: counts.reduce((sum, count) => sum + count.covered, 0),
    total: counts.reduce((sum, count) => sum + count.total, 0),
  };
}

function refuseBoth(
  context: z.core.$RefinementCtx,
  key: string,
  uncovered: string[],
  covered: string[],
): void {
  uncovered.forEach((name, index) => {
    if (covered.includes(name))
      refuse(context, [key, index], "a name that is not covered as well", `"${name}"`);
  });
}

function show(count: CoveredCount): string {
  return `${count.covered} of ${count.total}`;
}
