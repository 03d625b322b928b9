// What the product researcher is given and what it says; the specification itself is handed over by its tool.
import { z } from "zod";
import type { Problem } from "../parse.ts";
import { AmendmentPoint } from "../product/amendment-points.ts";
import { isPlaceholder } from "../product/placeholder.ts";
import { Text } from "../refs.ts";

export const ProductResearcherInput = z.strictObject({
  /** With what people said when they rejected earlier drafts. */
  spec_md: Text,
  /** Why the last iteration was not the end of it; empty the first time. */
  spec_errors: z.array(Text),
  /** What a person wants changed in the draft; empty unless they amended it. */
  person_feedback: z.array(AmendmentPoint),
  has_draft: z.boolean(),
  /** How many files lie below /documents. */
  documents: z.int().nonnegative(),
  harness_schemas: z.record(z.string(), z.json()),
});
export type ProductResearcherInput = z.infer<typeof ProductResearcherInput>;

const PointAnswer = z.strictObject({
  point: z.int().describe("The number of the point."),
  answer: Text.describe("What you did about it, or why nothing was changed for it."),
  changed: z
    .array(z.string())
    .describe("Ids of the pillars, epics, stories and tasks that you added, changed or removed for it."),
});
export type PointAnswer = z.infer<typeof PointAnswer>;

export const ProductResearcherOutput = z.strictObject({
  summary: Text.describe("For the person who approves it: what this product is and how you cut it."),
  open_questions: z.array(Text).describe("What you had to assume and what you could not look up."),
  answers: z.array(PointAnswer).describe("One for each point of the person; empty when there are none."),
});
export type ProductResearcherOutput = z.infer<typeof ProductResearcherOutput>;

/** Every point has one answer that says something, and nobody answers what was not asked. */
export function answerProblems(
  points: readonly AmendmentPoint[],
  answers: readonly PointAnswer[],
): readonly Problem[] {
  const asked = new Set(points.map(({ point }) => point));
  const missing = points
    .filter(({ point }) => !answers.some((answer) => answer.point === point))
    .map(({ point, text }) => problem("$.answers", `an answer to point ${point} (${text})`, "none"));
  const wrong = answers.flatMap(({ point, answer }, index) => {
    const path = `$.answers[${index}]`;
    if (!asked.has(point)) return [problem(path, "the number of a point", String(point))];
    const again = answers.findIndex((other) => other.point === point) !== index;
    if (again) return [problem(path, `one answer to point ${point}`, "another one")];
    return isPlaceholder(answer) ? [problem(`${path}.answer`, "what was done about it", answer)] : [];
  });
  return [...missing, ...wrong];
}

function problem(path: string, expected: string, found: string): Problem {
  return { path, expected, found };
}
