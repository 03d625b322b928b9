// Trying again in a graph: the count is a value of the state, so it survives whatever the thread survives.
import { Retries } from "../domain/run/retry.ts";
import { stateKey } from "./define-graph.ts";

/** Nodes that run side by side try different things; each writes its own count. */
export const retriesKey = stateKey({
  schema: Retries,
  initial: () => ({}),
  merge: (current, update) => ({ ...current, ...update }),
});
