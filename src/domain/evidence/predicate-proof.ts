// Which constraints, invariants and error surfaces of a contract a test run has proven, refuted or never touched.
import { z } from "zod";
import type { MicroModuleContract, Predicate } from "../contract/contract.ts";
import { CupelError } from "../error.ts";
import { refuse } from "../parse.ts";
import { Text } from "../refs.ts";

export const ProofState = z.enum(["PROVEN", "UNPROVEN", "REFUTED"]);
export type ProofState = z.infer<typeof ProofState>;

const count = z.int().min(0);

/**
 * What the wrapped entry points saw of one predicate. `upheld` speaks for it: a violating call that got its declared
 * error (requires), a true value where another result would not have been true (ensures), its error class seen and told
 * from others (throws). `broken` speaks against it. A call that satisfies a `requires`, or that no other end could have
 * broken, says nothing either way and is only `evaluated`.
 */
export const PredicateEvaluations = z
  .strictObject({ predicate: Text, evaluated: count, upheld: count, broken: count })
  .superRefine((counts, context) => {
    if (counts.upheld + counts.broken > counts.evaluated)
      refuse(
        context,
        ["evaluated"],
        `at least ${counts.upheld + counts.broken}, upheld and broken together`,
        String(counts.evaluated),
      );
  });
export type PredicateEvaluations = z.infer<typeof PredicateEvaluations>;

export const ConstraintProof = z.strictObject({
  /** Path of the constraint, invariant or error surface in the contract. */
  of: Text,
  text: Text,
  state: ProofState,
  /** Empty when the contract gives no predicate, which leaves it unproven. */
  predicates: z.array(PredicateEvaluations),
});
export type ConstraintProof = z.infer<typeof ConstraintProof>;

type Provable = Pick<MicroModuleContract, "inputs" | "outputs" | "error_surfaces" | "predicates">;

/** One proof for each constraint, then each invariant, then each error surface. */
export function proofsOf(
  contract: Provable,
  evaluations: readonly PredicateEvaluations[],
): ConstraintProof[] {
  const ids = contract.predicates.map((predicate) => predicate.id);
  const stranger = evaluations.find((entry) => !ids.includes(entry.predicate));
  if (stranger !== undefined)
    throw new CupelError("invalid_input", `the contract has no predicate "${stranger.predicate}"`, {
      expected: `one of ${ids.join(", ")}`,
    });
  return provable(contract).map(({ of, text }) => {
    const predicates = contract.predicates
      .filter((predicate) => predicate.of === of)
      .map((predicate) => totalOf(predicate, evaluations));
    return { of, text, state: combined(predicates.map(stateOf)), predicates };
  });
}

/** One counterexample refutes, whatever else was seen; without anything in favour there is no proof. */
export function stateOf(counts: Pick<PredicateEvaluations, "upheld" | "broken">): ProofState {
  if (counts.broken > 0) return "REFUTED";
  return counts.upheld > 0 ? "PROVEN" : "UNPROVEN";
}

/** A constraint with several predicates is proven only when all of them are. */
function combined(states: ProofState[]): ProofState {
  if (states.includes("REFUTED")) return "REFUTED";
  return states.length > 0 && states.every((state) => state === "PROVEN") ? "PROVEN" : "UNPROVEN";
}

function totalOf(predicate: Predicate, evaluations: readonly PredicateEvaluations[]): PredicateEvaluations {
  const own = evaluations.filter((entry) => entry.predicate === predicate.id);
  const sum = (key: "evaluated" | "upheld" | "broken") => own.reduce((total, entry) => total + entry[key], 0);
  return {
    predicate: predicate.id,
    evaluated: sum("evaluated"),
    upheld: sum("upheld"),
    broken: sum("broken"),
  };
}

/** Every constraint, invariant and error surface by its path. */
export function provable(contract: Provable): { of: string; text: string }[] {
  return [
    ...contract.inputs.flatMap((input, i) =>
      input.constraints.map((text, j) => ({ of: `inputs.${i}.constraints.${j}`, text })),
    ),
    ...contract.outputs.flatMap((output, i) =>
      output.invariants.map((text, j) => ({ of: `outputs.${i}.invariants.${j}`, text })),
    ),
    ...contract.error_surfaces.map((surface, i) => ({ of: `error_surfaces.${i}`, text: surface.when })),
  ];
}
