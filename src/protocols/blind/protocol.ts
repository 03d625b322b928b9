// The blind protocol: tests and code are written at the same time by agents who cannot see each other, attacked from both
// sides, and believed only where the harness has looked.
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
  gates: [
    "build",
    "red-on-skeleton",
    "green",
    "claims",
    "coverage",
    "contract-coverage",
    "examples",
    "mutation",
    "static",
    "surface",
    "tests-untouched",
    "effects",
    "tidy",
    "budget",
    "blindness",
    "integration",
    "regression",
  ],
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
