// What a person is shown before a specification is approved, and the three answers that there are.
import { z } from "zod";
import { ArtifactRef } from "../artifact/artifact-type.ts";
import { ConsultedSource } from "../product/research.ts";
import { SpecChange } from "../product/spec-difference.ts";
import { Deficiency } from "../product/validation-report.ts";
import { Fingerprint, Text } from "../refs.ts";

const MOST_WORDS = 50_000;

export const SpecDecision = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("APPROVE") }),
  /** The draft is dropped; the work begins anew with these reasons. */
  z.strictObject({ action: z.literal("REJECT"), reasons: Text.max(MOST_WORDS) }),
  /** The draft is kept; each point is answered. */
  z.strictObject({ action: z.literal("AMEND"), feedback: Text.max(MOST_WORDS) }),
]);
export type SpecDecision = z.infer<typeof SpecDecision>;

/** One point of an amendment and what became of it. */
export const AnsweredPoint = z.strictObject({
  point: z.int().min(1),
  text: Text,
  answer: Text,
  /** Ids of what was added, changed or removed for it, as the harness saw it; empty: nothing was. */
  changed: z.array(z.string()),
});
export type AnsweredPoint = z.infer<typeof AnsweredPoint>;

/** Everything that a person needs beside the specification itself, which is in the artifact. */
export const SpecReview = z.strictObject({
  artifact: ArtifactRef,
  title: Text,
  /** `2 pillars · 5 stories · 14 tasks`. */
  summary: Text,
  /** What it was made from, as the hash of that. */
  source: Fingerprint,
  /** Counts from 1: each rejection and each amendment begins another. */
  round: z.int().min(1),
  /** What the agent says about it; nothing of it was checked. */
  said: z.strictObject({ summary: z.string(), open_questions: z.array(z.string()) }).nullable(),
  warnings: z.array(Deficiency),
  /** What the harness noticed besides: a search that did not work, addresses that nobody gave. */
  notices: z.array(z.string()),
  sources: z.array(ConsultedSource),
  answers: z.array(AnsweredPoint),
  /** The draft before, where this one amends it, and what differs. */
  previous: ArtifactRef.nullable(),
  difference: z.array(SpecChange),
  /** After many amendments in a row; nobody has to follow it. */
  advisory: z.string().nullable(),
});
export type SpecReview = z.infer<typeof SpecReview>;

/** From so many amendments in a row on, a person is told what else they could do. */
export const AMENDMENTS_BEFORE_ADVICE = 3;

export function amendmentAdvice(inARow: number): string | null {
  if (inARow < AMENDMENTS_BEFORE_ADVICE) return null;
  return (
    `This specification was amended ${inARow} times in a row. You may go on; often it is better to approve it with ` +
    "the limits you know, or to reject it and say anew in SPEC.md what you want."
  );
}
