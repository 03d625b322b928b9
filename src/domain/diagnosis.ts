// What `doctor` finds on a machine: what is there, what is missing, and what each absence costs.
import { z } from "zod";
import { Text } from "./refs.ts";

export const Check = z.strictObject({
  name: Text,
  /** `absent`: not there; `unfit`: there, but too old or not working. */
  status: z.enum(["ok", "absent", "unfit"]),
  /** Without a required thing Cupel does nothing at all. */
  required: z.boolean(),
  /** What was seen; for keys only their names, never anything of their values. */
  found: Text,
  /** What a person cannot do while it is missing. */
  cost: Text.optional(),
  /** What to type to get it. */
  fix: Text.optional(),
});
export type Check = z.infer<typeof Check>;

export const Diagnosis = z.strictObject({
  version: Text,
  /** Every required thing is there and the configuration, if any, is valid. */
  ready: z.boolean(),
  /** What keeps agents from reading each other's work here. */
  barrier: z.enum(["sandbox", "repository"]),
  checks: z.array(Check).min(1),
});
export type Diagnosis = z.infer<typeof Diagnosis>;

export function diagnose(version: string, checks: Check[]): Diagnosis {
  const sandbox = checks.find((check) => check.name === "sandbox");
  return {
    version,
    ready: checks.every((check) => check.status === "ok" || !check.required),
    barrier: sandbox?.status === "ok" ? "sandbox" : "repository",
    checks,
  };
}
