// What was seen of one example that came to its end, as the program in the worker tells it.
import { z } from "zod";
import { parse } from "../../../domain/parse.ts";
import type { WorkerReports } from "../vitest-run.ts";
import { EXAMPLES_KEY } from "./example-plan.ts";

export const SeenExample = z.strictObject({
  /** Its number, from 0. */
  at: z.int(),
  ending: z.enum(["returned", "threw"]),
  /** The value as JSON, or why there is none. */
  json: z.string().optional(),
  notJson: z.string().optional(),
  /** As Node prints it, over several lines and on one. */
  shown: z.tuple([z.string(), z.string()]),
  error: z
    .strictObject({ names: z.array(z.string()), message: z.string(), fromModule: z.boolean() })
    .optional(),
  called: z.array(z.string()),
  /** Of the entry points, those that cannot be called at all. */
  plain: z.array(z.string()),
  surfaced: z.array(z.string()),
  printed: z.string(),
  changed: z.boolean(),
});
export type SeenExample = z.infer<typeof SeenExample>;

/** Undefined where something else was told, which nobody but us should have been able to. */
export function seenIn(reports: WorkerReports): SeenExample[] | undefined {
  const told = Object.values(reports).flatMap((report) => report[EXAMPLES_KEY] ?? []);
  const seen = told.flatMap((each) => {
    const read = parse(SeenExample, each);
    return read.kind === "ok" ? [read.value] : [];
  });
  return seen.length === told.length ? seen : undefined;
}
