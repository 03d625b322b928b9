// What agents said about their work is what the compiler sees in it.
import { checkClaim } from "../../domain/evidence/claim.ts";
import type { Claim } from "../../domain/evidence/claim.ts";
import type { GateDefinition } from "../port.ts";

export const claims: GateDefinition = {
  name: "claims",
  look: async (facts) => {
    const truth = await facts.truth();
    const checks = (facts.module.claims ?? []).map((claim) => checkClaim(claim, truth));
    const held = checks.filter(({ outcome }) => outcome === "HOLDS").length;
    return {
      kind: "looked",
      looked: checks.length,
      summary: `${held} of ${checks.length} claims hold`,
      evidence: checks,
      findings: checks.flatMap(({ against }) => against.map((message) => ({ rule: "false-claim", message }))),
    };
  },
  plant: async (facts) => {
    const [test] = (await facts.truth()).tests;
    if (test === undefined) return { kind: "impossible", why: "there is no test to claim something of" };
    const lie: Claim = { kind: "calls", test: test.name, targets: ["cupelPlanted"] };
    const spoiled = await facts.spoiled({ claims: [...(facts.module.claims ?? []), lie] });
    return { kind: "planted", what: `a false claim about ${test.name}`, facts: spoiled };
  },
};
