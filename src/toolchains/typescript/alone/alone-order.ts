// What the program that runs a module alone is told, and what it tells in return; data only, on both sides.
import { z } from "zod";
import type { Sent } from "../differ/episode.ts";
import type { Watched, WatchPlan } from "../watch/predicate-plan.ts";

const SentValue: z.ZodType<Sent> = z.lazy(() =>
  z.union([
    z.string(),
    z.boolean(),
    z.null(),
    z.number(),
    z.strictObject({ kind: z.enum(["number", "bigint"]), text: z.string() }),
    z.strictObject({ kind: z.literal("undefined") }),
    z.strictObject({ kind: z.literal("date"), ms: z.number().nullable() }),
    z.strictObject({ kind: z.literal("bytes"), of: z.array(z.number()) }),
    z.strictObject({ kind: z.enum(["list", "set"]), of: z.array(SentValue) }),
    z.strictObject({ kind: z.enum(["object", "map"]), of: z.array(z.tuple([SentValue, SentValue])) }),
  ]),
);

/** A call that crossed an entry point. */
export const RecordedCall = z.strictObject({
  entry: z.string(),
  args: z.array(SentValue),
  /** How it ended, as callers see it; null where that cannot be compared. */
  outcome: z.string().nullable(),
  /** Whether all calls before it are known. */
  isWhole: z.boolean(),
});
export type RecordedCall = z.infer<typeof RecordedCall>;

export interface AloneOrder {
  nonce: string;
  /** The module as one script. */
  code: string;
  plan: Pick<WatchPlan, "predicates" | "errors" | "stubMark">;
  /** Calls of the tests: each list in a module that is loaded anew. */
  again: readonly (readonly RecordedCall[])[];
  /** Calls that nobody made before, all in one module. */
  fresh: readonly Pick<RecordedCall, "entry" | "args">[];
  /** The time zone of the second half of them, where it must not matter. */
  thenIn?: string;
  /** Calls with what the code names, and those that may take long: last of all. */
  far: readonly Pick<RecordedCall, "entry" | "args">[];
  /** Of all entry points: what is named there callers know. */
  signatures: string;
  /** Entry points whose results callers may change. */
  mutable: readonly string[];
  /** Entry points that give the same for the same, however often they are asked. */
  steady: readonly string[];
  /** Signatures by the names of the entry points that are functions of their own. */
  promised: Readonly<Record<string, string>>;
  /** What the classes of the module call their members; whatever else hangs on one was hung there. */
  members: Readonly<Record<string, readonly string[]>>;
  /** Longest time of one call, and of all of a kind; some are made however long they take. */
  limitMs: number;
  totalMs: number;
}

/** One line for each call, then one for all. */
export type AloneAnswer =
  | { kind: "again"; load: number; at: number; outcome: string | null }
  /** All calls of the tests that there was time for were made, and it can be loaded. */
  | { kind: "again-over" }
  | {
      kind: "fresh";
      at: number;
      /** `silent`: it gave nothing back. */
      end: "returned" | "silent" | "threw" | "open";
      /** Whether everything that is required was given. */
      met: boolean;
      seen: Watched[];
      /** What became of arguments that it changed. */
      left?: string;
    }
  /** At a bound of what the contract requires, or with what the code names. */
  | { kind: "far"; seen: Watched[] }
  /** What it changed of what all code shares; `alive` when a change that was planted afterwards was seen as well. */
  | { kind: "over"; changed: string[]; alive: boolean }
  /** Nothing comes after it; `isLoose` when an error went past everybody, which ends the process of who does not expect it. */
  | { kind: "done"; isLoose: boolean };
