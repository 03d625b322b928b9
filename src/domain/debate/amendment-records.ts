// Whoever was given amendments answers each of them once, and nothing else.
import type { Amendment, AppliedAmendment } from "./debate-records.ts";
import type { Problem } from "../parse.ts";

export function amendmentProblems(
  amendments: readonly Amendment[],
  records: readonly AppliedAmendment[],
): Problem[] {
  const answered = records.map(({ amendment_index }) => amendment_index).toSorted((a, b) => a - b);
  if (answered.length === amendments.length && answered.every((index, place) => index === place)) return [];
  const expected =
    amendments.length === 0
      ? "no records, as there were no amendments"
      : `one record each for 0 to ${amendments.length - 1}`;
  return [{ path: "$.applied_amendments", expected, found: `records for ${answered.join(", ") || "none"}` }];
}
