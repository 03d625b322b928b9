// What is known of a module that ran without its tests.
import type { PredicateEvaluations } from "../domain/evidence/predicate-proof.ts";

/** What was seen of a module in a process of its own, without its tests and their runner. */
export type AloneReport =
  | {
      kind: "ran";
      /** How many calls were made that no test had made, and how many of those of the tests again. */
      fresh: number;
      again: number;
      /** On the fresh calls. */
      predicates: PredicateEvaluations[];
      counterexamples: { predicate: string; text: string }[];
      /** Calls that end in another way than they did in the tests. */
      others: { entry: string; args: string; inTests: string; alone: string }[];
      /** Calls that block or end the process, although the tests made them or although they are close to theirs. */
      stuck: string[];
      /** Entry points that refuse everything but what the tests give. */
      onlyForTests: string[];
      /** Entry points that gave a result for some fresh call. */
      returned: string[];
      /** What it changed that is not its own. */
      changed: string[];
      /** False when nobody came to the end, or changes that were planted there were not seen. */
      alive: boolean;
    }
  /** It cannot be loaded, or says nothing, where there are no tests. */
  | { kind: "dead" }
  /** It cannot be run alone, so nobody can look at it. */
  | { kind: "impossible"; why: string }
  /** There was no call that could be made again. */
  | { kind: "nothing"; why: string };
