// What is wrong with work that could not be taken back, in words that its author can act on.
import type { Work } from "./port.ts";

interface Wanted {
  todo?: string;
  /** What was found before: nothing has come that could have mended it. */
  standing?: readonly string[];
}

const NOTHING = "no file of the module was changed";

export function workProblems(
  work: Exclude<Work, { kind: "taken" }>,
  { todo = "write the module and its tests", standing = [] }: Wanted = {},
): string[] {
  const problems = work.kind === "refused" ? work.problems : [`${NOTHING}; ${todo}`];
  return [
    ...standing.filter((finding) => !finding.startsWith(NOTHING) && !problems.includes(finding)),
    ...problems,
  ];
}
