// What a check of the state store says.
import { z } from "zod";

/** Something that must not be: lost, changed or impossible. */
export const FsckProblem = z.strictObject({ where: z.string(), what: z.string() });
export type FsckProblem = z.infer<typeof FsckProblem>;

export const FsckReport = z.strictObject({
  clean: z.boolean(),
  problems: z.array(FsckProblem),
  /** What interrupted writes left behind; harmless, and removed or finished by `cupel store fsck --repair`. */
  leftovers: z.array(FsckProblem),
  looked: z.strictObject({
    events: z.int(),
    artifacts: z.int(),
    contributions: z.int(),
    questions: z.int(),
    modules: z.int(),
    tasks: z.int(),
    /** Entries of the Code Index. */
    indexed: z.int(),
    payloads: z.int(),
    files: z.int(),
  }),
});
export type FsckReport = z.infer<typeof FsckReport>;
