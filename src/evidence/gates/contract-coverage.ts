// Every constraint, invariant and error of the contract was put to the test, by the values that crossed the boundary.
import type { MicroModuleContract, Predicate } from "../../domain/contract/contract.ts";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import { proofsOf } from "../../domain/evidence/predicate-proof.ts";
import type { ConstraintProof, PredicateEvaluations } from "../../domain/evidence/predicate-proof.ts";
import type { AloneReport } from "../../toolchains/alone-report.ts";
import { commonPlant } from "../common-plant.ts";
import { brokenPromise } from "../plants-beside.ts";
import type { GateDefinition } from "../port.ts";

export const contractCoverage: GateDefinition = {
  name: "contract-coverage",
  look: async (facts) => {
    const { contract } = facts.module;
    if (contract === undefined) return { kind: "error", message: "there is no contract" };
    const report = await facts.watchedRun();
    if (report.kind === "no-report") return { kind: "error", message: report.why };
    if (report.predicates === undefined) return { kind: "error", message: "the run watched no predicate" };
    const alone = await facts.alone();
    if (alone.kind === "impossible") return { kind: "error", message: alone.why };
    if (alone.kind === "ran" && missesThePlant(alone, contract))
      return { kind: "error", message: "the run alone saw no promise broken that nothing keeps" };
    const evaluations = alone.kind === "ran" ? alone.predicates : [];
    const own = evaluations.filter(({ predicate }) => contract.predicates.some(({ id }) => id === predicate));
    const proofs = proofsOf(contract, [...report.predicates, ...own.map(onlyAgainst)]);
    const differing = notAsInTests(alone);
    if (proofs.length === 0 && differing.length === 0)
      return { kind: "not-applicable", derivedFrom: "the contract has no constraint, invariant or error" };
    const proven = proofs.filter(({ state }) => state === "PROVEN").length;
    return {
      kind: "looked",
      looked: Math.max(proofs.length, 1),
      summary: `${proven} of ${proofs.length} constraints proven${aloneSummary(alone)}`,
      findings: [
        ...proofs.flatMap((proof) =>
          findingOf(proof, contract, [
            ...(report.counterexamples ?? []),
            ...(alone.kind === "ran" ? alone.counterexamples : []),
          ]),
        ),
        ...differing,
      ],
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

/** Inputs that the harness made up can refute; to prove something is for the tests. */
function onlyAgainst({ predicate, broken }: PredicateEvaluations): PredicateEvaluations {
  return { predicate, evaluated: broken, upheld: 0, broken };
}

/** Of those that ride along. */
function missesThePlant(
  { predicates, returned }: AloneReport & { kind: "ran" },
  contract: MicroModuleContract,
): boolean {
  const planted = brokenPromise(contract);
  if (planted === undefined || !returned.includes(planted.entry)) return false;
  return !predicates.some(({ predicate, broken }) => predicate === planted.id && broken > 0);
}

function aloneSummary(alone: AloneReport): string {
  return alone.kind === "ran" ? `, ${alone.fresh} inputs more tried` : "";
}

function notAsInTests(alone: AloneReport): Finding[] {
  if (alone.kind === "dead")
    return [{ rule: "only-in-tests", message: "without its tests the module cannot even be loaded" }];
  if (alone.kind !== "ran") return [];
  const [first] = alone.others;
  const differing =
    first === undefined
      ? []
      : [
          {
            rule: "only-in-tests",
            message: `${first.entry}(${first.args}) ${first.inTests} in the tests; without them it ${first.alone}`,
          },
        ];
  const stuck = alone.stuck.slice(0, 1).map((call) => ({
    rule: "only-in-tests",
    message: `${call} blocks or ends the process where no test runs it`,
  }));
  const refusing = alone.onlyForTests.map((entry) => ({
    rule: "only-for-tests",
    message: `${entry} refuses every input but those of the tests, although they meet what is required`,
  }));
  return [...differing, ...stuck, ...refusing];
}

function findingOf(
  { of, text, state, predicates }: ConstraintProof,
  contract: MicroModuleContract,
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
      const why =
        predicates.length === 0
          ? "has no predicate"
          : `was never put to the test${emptyOf(predicates, contract)}`;
      return [{ rule: "unproven", message: `${of} "${text}" ${why}`, settledBy: "unprovenConstraints" }];
    }
  }
}

/** What was weighed and never upheld is a promise that nothing could have broken, or an error that is told from no other. */
function emptyOf(
  predicates: ConstraintProof["predicates"],
  { predicates: agreed }: MicroModuleContract,
): string {
  const weighed = agreed.filter(({ id }) =>
    predicates.some(({ predicate, evaluated, upheld }) => predicate === id && evaluated > 0 && upheld === 0),
  );
  return weighed.map(({ kind, expr }) => EMPTY[kind](expr)).join("");
}

const EMPTY: Readonly<Record<Predicate["kind"], (expr: string) => string>> = {
  requires: () => ": no call broke it",
  ensures: (expr) => `: ${expr} would be true of whatever came back from the calls of the tests`,
  throws: (expr) => `: no error was seen that ${expr} tells from others`,
};

function exampleOf(
  predicates: ConstraintProof["predicates"],
  counterexamples: readonly { predicate: string; text: string }[],
): string {
  const found = counterexamples.find((each) =>
    predicates.some(({ predicate }) => predicate === each.predicate),
  );
  return found === undefined ? " in the tests" : `: ${found.text}`;
}
