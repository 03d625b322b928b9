// What reading the code without running it has found: broken rules, and how complex each function is.
import { z } from "zod";
import { Text } from "../refs.ts";

export const StaticFinding = z.strictObject({
  rule: Text,
  file: Text,
  line: z.int().min(1),
  message: Text,
  severity: z.enum(["error", "warning"]),
});
export type StaticFinding = z.infer<typeof StaticFinding>;

/** The cyclomatic complexity of one function; straight-line code has 1. */
export const ComplexityEntry = z.strictObject({
  function: Text,
  file: Text,
  line: z.int().min(1),
  complexity: z.int().min(1),
});
export type ComplexityEntry = z.infer<typeof ComplexityEntry>;

export function complexityFindings(
  entries: readonly ComplexityEntry[],
  maxComplexity: number,
): StaticFinding[] {
  return entries
    .filter((entry) => entry.complexity > maxComplexity)
    .map(({ function: name, file, line, complexity }) => ({
      rule: "complexity",
      file,
      line,
      message: `${name} has complexity ${complexity}, more than ${maxComplexity}`,
      severity: "error",
    }));
}
