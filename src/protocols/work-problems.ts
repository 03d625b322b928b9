// What is wrong with work that could not be taken back, in words that its author can act on.
import type { Work } from "./port.ts";

export function workProblems(
  work: Exclude<Work, { kind: "taken" }>,
  todo = "write the module and its tests",
): string[] {
  return work.kind === "refused" ? work.problems : [`no file of the module was changed; ${todo}`];
}
