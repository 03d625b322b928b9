// How trees of the fractal protocol grow: their rhythm, how far they may unfold, and how many nodes are worked on at a time.
import { z } from "zod";
import { DEFAULT_LIMITS, TreeLimits } from "./node-spec.ts";
import { Rhythm } from "./routing.ts";

export const FractalSettings = TreeLimits.extend({
  rhythm: Rhythm.describe(
    "Whether all tests of a node come first (batch, the default) or one at a time (ping-pong).",
  ),
  concurrency: z
    .int()
    .min(1)
    .max(64)
    .describe("How many nodes of one tree are worked on at the same time; 4 by default."),
});
export type FractalSettings = z.infer<typeof FractalSettings>;

export const DEFAULT_FRACTAL: FractalSettings = { ...DEFAULT_LIMITS, rhythm: "batch", concurrency: 4 };
