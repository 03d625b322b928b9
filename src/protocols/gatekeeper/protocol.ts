// The gatekeeper: code is built from researched examples, and nothing passes a tester who tries to break it, whose tests are
// themselves tried, and whose verdict is the harness's.
import { GateName } from "../../domain/evidence/gate.ts";
import { graphProtocol } from "../graph-protocol.ts";
import { gatekeeperGraph } from "./graph.ts";

export const gatekeeper = graphProtocol({
  name: "gatekeeper",
  scope: "module",
  debated: true,
  // Nobody's claims are needed, since the tester sees the code and its tests are held against mutants; e2e is for a release.
  gates: GateName.options.filter((gate) => gate !== "claims" && gate !== "e2e"),
  graph: gatekeeperGraph,
  ended: ({ outcome }) => outcome,
  resolved: (entering) =>
    entering.at === "challenge"
      ? { outcome: null, merged: entering.fix.commit, fix: entering.fix.description }
      : {
          outcome: null,
          override: { escalation_ref: entering.override.escalation, rationale: entering.override.rationale },
        },
});
