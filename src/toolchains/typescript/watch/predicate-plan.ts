// What the watch on a module's entry points is told, and what it tells in return; data only, on both sides.
import type { Predicate } from "../../../domain/contract/contract.ts";

export interface WatchedPredicate extends Pick<Predicate, "id" | "entry" | "kind" | "expr"> {
  /** What the expression speaks of, which decides when an error can be told from it. */
  about: { result: boolean; error: boolean };
}

export interface WatchPlan {
  entry: string;
  sources: readonly string[];
  hasDefault: boolean;
  /** Whose calls are seen, whether or not there is a predicate about them. */
  entries: readonly string[];
  predicates: readonly WatchedPredicate[];
  /** Functions whose calls are kept, so that they can be made again elsewhere. */
  recorded: readonly string[];
  /** Names of declared errors by entry point, beside what `throws` predicates recognise. */
  errors: Readonly<Record<string, readonly string[]>>;
  stubMark: string;
}

export interface Watched {
  predicate: string;
  evaluated: number;
  upheld: number;
  broken: number;
  /** The first call that speaks against it. */
  counterexample?: string;
}

/** Under this name the entry points are told that could be watched. */
export const WATCHED_KEY = "watched";

export const PREDICATES_KEY = "predicates";

/** Under this symbol the wrapper of a module's entry finds the watch. */
export const WATCH_ENTRIES = "cupel.watch";

/** The file that everybody but the module itself gets instead of the entry. */
export const WRAPPER = "watched-entry.js";
