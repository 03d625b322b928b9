// Solo: one builder, one verifier and the gates; the cheap way for small things, marked undebated for ever.
import { debate } from "../debate/protocol.ts";
import { graphProtocol } from "../graph-protocol.ts";
import { soloGraph } from "./graph.ts";

export const solo = graphProtocol({
  name: "solo",
  scope: "module",
  debated: false,
  gates: debate.gates,
  graph: soloGraph,
  ended: ({ outcome }) => outcome,
  resolved: (entering) =>
    entering.at === "challenge"
      ? { outcome: null, commit: entering.fix.commit }
      : {
          outcome: null,
          override: { escalation_ref: entering.override.escalation, rationale: entering.override.rationale },
        },
});
