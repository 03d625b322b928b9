// How an agent says that it cannot go on, or not yet; both route like any other exit.
import { z } from "zod";
import { Text } from "../refs.ts";

/** Every role may answer with it instead of its own output. */
export const Blocker = z
  .strictObject({
    kind: z.literal("blocker"),
    why: Text.describe("What stands in the way, with the names of the things it is about."),
    needs: z.array(Text).min(1).describe("What would let the work go on; one thing each."),
  })
  .describe("Instead of the work: it cannot be done with what was given.");
export type Blocker = z.infer<typeof Blocker>;

/** Roles that work in attempts may ask for the next one; at the limit it becomes Stuck. */
export const RequestRetry = z
  .strictObject({
    kind: z.literal("request_retry"),
    why: Text.describe("What this attempt reached and where it failed."),
    strategy: Text.describe("What the next attempt will do differently."),
  })
  .describe("Instead of the work: this attempt failed, and another one has a real chance.");
export type RequestRetry = z.infer<typeof RequestRetry>;

/** What an agent hands over: providers want an object at the root, so the choice is one level down. */
export function answerOf(output: z.ZodType, mayRetry: boolean) {
  return z.strictObject({ answer: z.union([output, Blocker, ...(mayRetry ? [RequestRetry] : [])]) });
}

/** Before it is known which of them was meant. */
export const AnswerEnvelope = z.strictObject({ answer: z.looseObject({ kind: z.unknown().optional() }) });
export type AnswerEnvelope = z.infer<typeof AnswerEnvelope>;
