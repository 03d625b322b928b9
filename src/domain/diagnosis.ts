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

/** Something that an agent's command can do where nothing keeps it in. */
export const OpenDoor = z.strictObject({ attack: Text, door: Text });
export type OpenDoor = z.infer<typeof OpenDoor>;

export const Diagnosis = z.strictObject({
  version: Text,
  /** Every required thing is there and the configuration, if any, is valid. */
  ready: z.boolean(),
  /** What keeps agents from reading each other's work here. */
  barrier: z.enum(["sandbox", "repository"]),
  /** What stays open without a sandbox; empty where there is one. */
  open: z.array(OpenDoor),
  checks: z.array(Check).min(1),
});
export type Diagnosis = z.infer<typeof Diagnosis>;

/** `doors` are those that only a sandbox closes. */
export function diagnose(version: string, checks: Check[], doors: readonly OpenDoor[]): Diagnosis {
  const sandboxed = checks.some((check) => check.name === "sandbox" && check.status === "ok");
  return {
    version,
    ready: checks.every((check) => check.status === "ok" || !check.required),
    barrier: sandboxed ? "sandbox" : "repository",
    open: sandboxed ? [] : [...doors],
    checks,
  };
}
