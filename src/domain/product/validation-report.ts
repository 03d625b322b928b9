// What the completeness criteria found wanting in a specification: errors block its emission, warnings go to a person.
import { z } from "zod";
import { jsonPath } from "../parse.ts";

/** The fourteen criteria; 1 to 10 are errors, 11 to 14 warnings. */
export const SPEC_CRITERIA = {
  1: "every pillar has an epic",
  2: "every epic has a story and a success criterion",
  3: "every story has a task",
  4: "every task has two subtasks",
  5: "every task has two acceptance criteria",
  6: "every sketch answers all five dimensions",
  7: "task ids are unique",
  8: "dependencies exist",
  9: "dependencies form no cycle",
  10: "every required field is there and well formed",
  11: "descriptions are more than stubs",
  12: "acceptance criteria can be tested",
  13: "subtasks differ from each other",
  14: "error surfaces are specific",
} as const;
export type SpecCriterion = keyof typeof SPEC_CRITERIA;

const LAST_ERROR = 10;

export const Deficiency = z.strictObject({
  /** JSON path of the value at fault, from the root `$`. */
  path: z.string(),
  /** The key that holds it; `$` when the whole input is at fault. */
  field: z.string(),
  severity: z.enum(["ERROR", "WARNING"]),
  message: z.string(),
  criterion: z.int().min(1).max(14),
});
export type Deficiency = z.infer<typeof Deficiency>;

export const ValidationReport = z.strictObject({
  errors: z.array(Deficiency),
  warnings: z.array(Deficiency),
});
export type ValidationReport = z.infer<typeof ValidationReport>;

export function deficiency(
  criterion: SpecCriterion,
  path: readonly PropertyKey[],
  message: string,
): Deficiency {
  return {
    path: jsonPath(path),
    field: fieldOf(path),
    severity: criterion <= LAST_ERROR ? "ERROR" : "WARNING",
    message,
    criterion,
  };
}

/** The innermost key of a path. */
export function fieldOf(path: readonly PropertyKey[]): string {
  return path.findLast((segment) => typeof segment === "string") ?? "$";
}
