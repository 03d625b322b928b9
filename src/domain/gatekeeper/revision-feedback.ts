// What a builder hears of a failing test: enough to find the mistake, and no line of the test.
import { z } from "zod";
import type { StructuredFailure } from "../evidence/structured-failure.ts";
import { Text } from "../refs.ts";

export const RevisionFeedback = z.strictObject({
  test: Text,
  /** Entry points and functions that it reaches. */
  calls: z.array(Text),
  kind: Text,
  /** The input that shows it, as small as it could be made. */
  counterexample: z.string().nullable(),
  expected: z.string().nullable(),
  actual: z.string().nullable(),
  message: z.string(),
});
export type RevisionFeedback = z.infer<typeof RevisionFeedback>;

const LONGEST = 800;
const MOST = 20;

export function revisionFeedback(
  failures: readonly { failure: StructuredFailure; functions: readonly string[] }[],
): RevisionFeedback[] {
  return failures.slice(0, MOST).map(({ failure, functions }) => ({
    test: failure.propertyName,
    calls: [...functions],
    kind: failure.failureType,
    counterexample: short(failure.counterexample),
    expected: short(failure.expected),
    actual: short(failure.actual),
    message: short(failure.message) ?? "",
  }));
}

/** One line for a person or a record. */
export function feedbackLine({
  test,
  calls,
  counterexample,
  expected,
  actual,
  message,
}: RevisionFeedback): string {
  const parts = [
    calls.length === 0 ? "" : `calls ${calls.join(", ")}`,
    counterexample === null ? "" : `for ${counterexample}`,
    expected === null ? "" : `expected ${expected}`,
    actual === null ? "" : `got ${actual}`,
    message,
  ];
  return `${test}: ${parts.filter((part) => part !== "").join("; ")}`;
}

function short(text: string | undefined): string | null {
  if (text === undefined) return null;
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
