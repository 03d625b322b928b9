// The blind protocol: tests and code are written at the same time by agents who cannot see each other, attacked from both
// sides, and believed only where the harness has looked.
import { GateName } from "../../domain/evidence/gate.ts";
import { graphProtocol } from "../graph-protocol.ts";
import type { Protocol } from "../port.ts";
import { withAdvice } from "./advice.ts";
import { blindGraph, withFix, withOverride } from "./graph.ts";

/** More attempts than any rigor allows: after a person stepped in nobody else mends. */
const NONE_LEFT = 1_000;

const protocol = graphProtocol({
  name: "blind",
  scope: "module",
  debated: true,
  // Every gate of a module; what all modules do together is looked at when they are released.
  gates: GateName.options.filter((gate) => gate !== "e2e"),
  graph: blindGraph,
  ended: ({ outcome }) => outcome,
  resolved: (entering) =>
    entering.at === "challenge"
      ? withFix(entering.fix.commit, entering.fix.description, NONE_LEFT)
      : withOverride(entering.override.escalation, entering.override.rationale, NONE_LEFT),
});

export const blind: Protocol = {
  ...protocol,
  go: (graphs, going) => withAdvice(going.thread, going.ports, () => protocol.go(graphs, going)),
  enter: (graphs, going, entering) =>
    withAdvice(going.thread, going.ports, () => protocol.enter(graphs, going, entering)),
};
