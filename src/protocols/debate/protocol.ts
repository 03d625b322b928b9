// The debate: a Proposer builds, a Challenger who sees no source attacks, an Arbiter decides, and the harness believes none
// of them before it has looked itself.
import { graphProtocol } from "../graph-protocol.ts";
import { debateGraph, withFix, withOverride } from "./graph.ts";

export const debate = graphProtocol({
  name: "debate",
  scope: "module",
  debated: true,
  // One author writes tests and code, so there are neither claims of others nor tests that somebody else committed.
  gates: [
    "build",
    "red-on-skeleton",
    "green",
    "coverage",
    "contract-coverage",
    "layers",
    "examples",
    "mutation",
    "static",
    "surface",
    "effects",
    "tidy",
    "budget",
    "integration",
    "regression",
  ],
  graph: debateGraph,
  ended: ({ outcome }) => outcome,
  resolved: (entering) =>
    entering.at === "challenge"
      ? withFix(entering.fix.commit, entering.fix.description)
      : withOverride(entering.override.escalation, entering.override.rationale),
});
