// What a Challenger must judge: six criteria for every proposal, and what makes a module micro.
import { z } from "zod";

export const RubricId = z.enum(["R1", "R2", "R3", "R4", "R5", "R6"]);
export type RubricId = z.infer<typeof RubricId>;

export interface RubricCriterion {
  readonly id: RubricId;
  readonly title: string;
  /** What must be true for MET; anything less is NOT_MET. */
  readonly checks: string;
}

/** Every criterion is answered with MET or NOT_MET and cited evidence; one NOT_MET makes the verdict FAIL. */
export const RUBRIC: readonly RubricCriterion[] = [
  {
    id: "R1",
    title: "Contract conformance",
    checks:
      "What was built does what the contract says in all five dimensions: inputs with their types and constraints, " +
      "outputs with their types and invariants, error surfaces with the condition and type of each, effects, and " +
      "modes. A dimension that was not looked at is NOT_MET.",
  },
  {
    id: "R2",
    title: "Test coverage",
    checks:
      "There is at least one test for each input constraint, each output invariant and each error surface, and one " +
      "for the ordinary case. Every test goes through the public entry points only.",
  },
  {
    id: "R3",
    title: "Error handling completeness",
    checks:
      "Each declared error surface is really produced under its condition, and no other failure can be reached in " +
      "normal use or at the boundaries. One reachable failure that is neither declared nor handled is NOT_MET.",
  },
  {
    id: "R4",
    title: "Dependency usage",
    checks:
      "Other modules are used only as their contracts describe, nothing inside them is read, imported or assumed, " +
      "and their fingerprints are the locked ones.",
  },
  {
    id: "R5",
    title: "Acceptance criteria",
    checks:
      "Each acceptance criterion of the task leads to a named test, assertion or output that shows it. A criterion " +
      "that is only claimed is NOT_MET.",
  },
  {
    id: "R6",
    title: "Decomposition compliance",
    checks:
      "The module is micro by the decomposition rubric: one behaviour, one public contract surface, shippable on " +
      "its own, dependencies through contracts only.",
  },
];

export interface DecompositionCriterion {
  readonly id: "single_behaviour" | "single_surface" | "independently_shippable" | "contract_dependencies";
  readonly title: string;
  readonly checks: string;
}

/** All four must hold, or the module is too big and R6 is NOT_MET. */
export const DECOMPOSITION_RUBRIC: readonly DecompositionCriterion[] = [
  {
    id: "single_behaviour",
    title: "One behaviour",
    checks: "One sentence describes how its input becomes its output.",
  },
  {
    id: "single_surface",
    title: "One surface",
    checks: "It adds one public contract surface at most.",
  },
  {
    id: "independently_shippable",
    title: "Ships on its own",
    checks: "Its tests are its own, see it from outside only, and suffice to ship it.",
  },
  {
    id: "contract_dependencies",
    title: "Clear dependencies",
    checks: "It knows what it depends on through contracts and in no other way.",
  },
];
