// What a person is shown when nobody could write end-to-end tests that count, and what they can say to it.
import { z } from "zod";
import { Text } from "../refs.ts";

/** The architect is asked again; what the person says to it is null where they only want another try. */
export const E2eDecision = z.strictObject({
  action: z.literal("TRY_AGAIN"),
  guidance: Text.max(50_000).nullable(),
});
export type E2eDecision = z.infer<typeof E2eDecision>;

export const E2eHalt = z.strictObject({
  why: Text,
  /** What speaks against the last attempt; empty where there was none to look at. */
  findings: z.array(Text),
  attempts: z.int().nonnegative(),
  /** A commit in the hub with what was written last; null where nothing was. */
  work: z.string().nullable(),
});
export type E2eHalt = z.infer<typeof E2eHalt>;
