// What the program that runs examples in a worker is told, and what it tells in return; data only, on both sides.
import type { ErrorSurface } from "../../../domain/contract/contract.ts";
import type { WatchedPredicate } from "../watch/predicate-plan.ts";

export interface ExamplePlan {
  /** The test file that starts the examples, and their own files by number, relative to the module. */
  test: string;
  files: readonly string[];
  entries: readonly string[];
  surfaces: readonly WatchedSurface[];
}

export interface WatchedSurface extends Pick<ErrorSurface, "name" | "surface"> {
  entries: readonly string[];
  /** How else it can be recognised. */
  predicates: readonly WatchedPredicate[];
}

export const EXAMPLES_KEY = "examples";

/** Under this symbol the test file finds the program that runs examples. */
export const RUN_EXAMPLE = "cupel.example";
