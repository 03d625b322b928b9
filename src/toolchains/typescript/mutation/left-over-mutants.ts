// Mutants of code that no value of its type can reach count for nothing: a test would have to lie to the compiler to notice one.
import type { Mutant } from "../../../domain/evidence/mutant.ts";
import type { Files, MutationReport } from "../../port.ts";
import type { Stretch } from "../compiler/beyond-types.ts";
import { leftOvers } from "../left-over.ts";

/** What some test reached is judged like any other code. */
export function withoutLeftOver(
  report: MutationReport,
  files: Files,
  beyond: () => readonly Stretch[],
): MutationReport {
  if (report.kind !== "mutated" || !report.mutants.some(isUnreached)) return report;
  const stretches = leftOvers(beyond(), files);
  const isLeftOver = ({ file, line, original }: Mutant) =>
    stretches.some(
      (each) => each.file === file && each.first <= line && line <= each.last && each.text.includes(original),
    );
  const mutants = report.mutants.map((mutant) =>
    isUnreached(mutant) && isLeftOver(mutant) ? { ...mutant, status: "invalid" as const } : mutant,
  );
  return { ...report, mutants };
}

function isUnreached({ status }: Mutant): boolean {
  return status === "noCoverage";
}
