// What an honest challenger and an honest arbiter say of work that has nothing wrong with it.
import { RubricId } from "../domain/debate/rubric.ts";

export const APPROVED = {
  rationale: "The challenge found nothing that stands, and every criterion is shown by name.",
  decision: "APPROVE",
  amendments: [],
  ship_directive: "SHIP",
};

/** Cites what every contract has that comes of a sketch. */
export function passing(name: string, criterion: string) {
  const evidence: Record<RubricId, string> = {
    R1: `inputs.0 of ${name} is checked, outputs.0.invariants.0 holds; errors are error_surfaces.0 only, effects and modes as declared.`,
    R2: "outputs.0.invariants.0 and error_surfaces.0 are each decided by a predicate that a test exercises.",
    R3: "error_surfaces.0 is the only failure that empty, huge and odd values could reach here.",
    R4: "The field `dependencies` names what it builds on, and nothing else is imported.",
    R5: `${criterion}: entry_points.0 promises the part of it that ${name} has.`,
    R6: "The `purpose` is one sentence with one behaviour, and entry_points.0 is the only surface.",
  };
  const rubric_assessments = RubricId.options.map((each) => ({
    criterion: each,
    assessment: "MET",
    evidence: evidence[each],
  }));
  return { rubric_assessments, verdict: "PASS", failures: [] };
}
