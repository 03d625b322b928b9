// Every constraint, invariant and error of the contract was put to the test, by the values that crossed the boundary.
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import { proofsOf } from "../../domain/evidence/predicate-proof.ts";
import type { ConstraintProof } from "../../domain/evidence/predicate-proof.ts";
import { commonPlant } from "../common-plant.ts";
import type { GateDefinition } from "../port.ts";

export const contractCoverage: GateDefinition = {
  name: "contract-coverage",
  look: async (facts) => {
    const { contract } = facts.module;
    if (contract === undefined) return { kind: "error", message: "there is no contract" };
    const report = await facts.watchedRun();
    if (report.kind === "no-report") return { kind: "error", message: report.why };
    if (report.predicates === undefined) return { kind: "error", message: "the run watched no predicate" };
    const proofs = proofsOf(contract, report.predicates);
    if (proofs.length === 0)
      return { kind: "not-applicable", derivedFrom: "the contract has no constraint, invariant or error" };
    const proven = proofs.filter(({ state }) => state === "PROVEN").length;
    return {
      kind: "looked",
      looked: proofs.length,
      summary: `${proven} of ${proofs.length} constraints proven`,
      findings: proofs.flatMap((proof) => findingOf(proof, report.counterexamples ?? [])),
      evidence: proofs,
    };
  },
  plant: async (facts) => {
    const { facts: spoiled, promise } = await commonPlant(facts);
    if (promise === undefined)
      return { kind: "impossible", why: "the contract has no output to promise something of" };
    return { kind: "planted", what: promise, facts: spoiled };
  },
};

function findingOf(
  { of, text, state, predicates }: ConstraintProof,
  counterexamples: readonly { predicate: string; text: string }[],
): Finding[] {
  switch (state) {
    case "PROVEN":
      return [];
    case "REFUTED":
      return [
        { rule: "refuted", message: `${of} "${text}" did not hold${exampleOf(predicates, counterexamples)}` },
      ];
    case "UNPROVEN": {
      const why = predicates.length === 0 ? "has no predicate" : "was never put to the test";
      return [{ rule: "unproven", message: `${of} "${text}" ${why}`, settledBy: "unprovenConstraints" }];
    }
  }
}

function exampleOf(
  predicates: ConstraintProof["predicates"],
  counterexamples: readonly { predicate: string; text: string }[],
): string {
  const found = counterexamples.find((each) =>
    predicates.some(({ predicate }) => predicate === each.predicate),
  );
  return found === undefined ? " in the tests" : `: ${found.text}`;
}
