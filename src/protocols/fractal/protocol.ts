// The fractal protocol: a task unfolds into a tree of nodes, each of which becomes a module, and folds back by merges.
import { GateName } from "../../domain/evidence/gate.ts";
import type { TreeProtocol } from "../port.ts";

/** Nobody is kept from seeing anybody and nobody makes claims; what all modules do together is looked at in a release. */
const WITHOUT: readonly GateName[] = ["claims", "blindness", "e2e"];

export const fractal: TreeProtocol = {
  name: "fractal",
  scope: "task",
  debated: true,
  gates: GateName.options.filter((gate) => !WITHOUT.includes(gate)),
};
