// The solo protocol as a graph: draft, build, examine, verify, ship.
import { defineGraph } from "../../graph/define-graph.ts";
import { build, draft, examine, lock, ship, verify } from "./nodes.ts";
import { soloState, type SoloUpdate } from "./state.ts";

const MINUTE = 60_000;
const BUILDER = { timeoutMs: 90 * MINUTE, lane: "builder" };
const VERIFIER = { timeoutMs: 90 * MINUTE, lane: "verifier" };
const HARNESS = { timeoutMs: 60 * MINUTE, lane: "harness" };

export const soloGraph = defineGraph({
  name: "solo",
  version: 1,
  state: soloState,
  nodes: {
    draft: { ...BUILDER, does: "writes the contract", run: draft, routes: ["draft", "lock", "halt"] },
    lock: { ...HARNESS, does: "locks the contract and lays out stubs", run: lock, to: ["build"] },
    build: {
      ...BUILDER,
      does: "builds the module and its tests",
      run: build,
      routes: ["examine", "build", "halt"],
    },
    examine: { ...HARNESS, does: "runs the gates", run: examine, routes: ["verify", "build", "halt"] },
    verify: {
      ...VERIFIER,
      does: "reads the module and the evidence",
      run: verify,
      routes: ["ship", "build", "halt"],
    },
    ship: { ...HARNESS, does: "brings the module to the door", run: ship, routes: ["end", "build", "halt"] },
    halt: {
      ...HARNESS,
      does: "stops with everything a person needs in order to decide",
      run: async (): Promise<{ update: SoloUpdate }> => ({ update: {} }),
      to: ["end"],
    },
  },
  entries: { start: "draft", shape: "draft", make: "build", challenge: "examine", ship: "ship" },
});
