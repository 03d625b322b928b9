import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { MicroModuleContract, Predicate } from "../contract/contract.ts";
import { CupelError } from "../error.ts";
import { parse, renderProblem } from "../parse.ts";
import { ConstraintProof, PredicateEvaluations, proofsOf, stateOf } from "./predicate-proof.ts";

type Provable = Pick<MicroModuleContract, "inputs" | "outputs" | "error_surfaces" | "predicates">;

const predicate = (id: string, of: string, kind: Predicate["kind"]): Predicate => ({
  id,
  of,
  kind,
  entry: "slug",
  expr: "true",
});
const contract: Provable = {
  inputs: [
    { name: "text", type: "string", constraints: ["not empty", "at most 64 characters"] },
    { name: "locale", type: "string", constraints: [], optional: true },
  ],
  outputs: [{ name: "slug", type: "string", invariants: ["lower case"] }],
  error_surfaces: [{ name: "EmptyError", when: "the text is empty", surface: "exception" }],
  predicates: [
    predicate("P1", "inputs.0.constraints.0", "requires"),
    predicate("P2", "outputs.0.invariants.0", "ensures"),
    predicate("P3", "outputs.0.invariants.0", "ensures"),
    predicate("P4", "error_surfaces.0", "throws"),
  ],
};
const seen = (id: string, evaluated: number, upheld: number, broken: number): PredicateEvaluations => ({
  predicate: id,
  evaluated,
  upheld,
  broken,
});
const states = (...evaluations: PredicateEvaluations[]) =>
  proofsOf(contract, evaluations).map((proof) => proof.state);

describe("proofsOf", () => {
  test("nothing is proven by a run that evaluated nothing", () => {
    expect(states()).toEqual(["UNPROVEN", "UNPROVEN", "UNPROVEN", "UNPROVEN"]);
  });

  test("gives one proof for each constraint, invariant and error surface, with its words and counts", () => {
    expect(proofsOf(contract, [seen("P1", 9, 2, 0)])).toEqual([
      { of: "inputs.0.constraints.0", text: "not empty", state: "PROVEN", predicates: [seen("P1", 9, 2, 0)] },
      { of: "inputs.0.constraints.1", text: "at most 64 characters", state: "UNPROVEN", predicates: [] },
      {
        of: "outputs.0.invariants.0",
        text: "lower case",
        state: "UNPROVEN",
        predicates: [seen("P2", 0, 0, 0), seen("P3", 0, 0, 0)],
      },
      {
        of: "error_surfaces.0",
        text: "the text is empty",
        state: "UNPROVEN",
        predicates: [seen("P4", 0, 0, 0)],
      },
    ]);
  });

  test("calls that satisfy a constraint prove nothing about it", () => {
    expect(states(seen("P1", 100, 0, 0))[0]).toBe("UNPROVEN");
  });

  test("an invariant with two predicates needs both", () => {
    expect(states(seen("P2", 3, 3, 0))[2]).toBe("UNPROVEN");
    expect(states(seen("P2", 3, 3, 0), seen("P3", 1, 1, 0))[2]).toBe("PROVEN");
    expect(states(seen("P2", 3, 3, 0), seen("P3", 4, 3, 1))[2]).toBe("REFUTED");
  });

  test("counts from several runs add up, and one counterexample outweighs them", () => {
    const [, , , surface] = proofsOf(contract, [seen("P4", 2, 2, 0), seen("P4", 3, 1, 1)]);
    expect(surface).toMatchObject({ state: "REFUTED", predicates: [seen("P4", 5, 3, 1)] });
  });

  test("counts for a predicate that the contract lacks are misuse", () => {
    expect(() => proofsOf(contract, [seen("__proto__", 1, 1, 0)])).toThrow(CupelError);
    expect(() => proofsOf(contract, [seen("P9", 1, 1, 0)])).toThrow('the contract has no predicate "P9"');
  });
});

test("a predicate is proven only by something for it and nothing against it", () => {
  fc.assert(
    fc.property(fc.nat(3), fc.nat(3), (upheld, broken) => {
      const expected = broken > 0 ? "REFUTED" : upheld > 0 ? "PROVEN" : "UNPROVEN";
      expect(stateOf({ upheld, broken })).toBe(expected);
    }),
  );
});

test.each([seen("P1", 1, -1, 0), seen("P1", 1.5, 0, 0)])(
  "counts are whole and not negative: %j",
  (counts) => {
    expect(parse(PredicateEvaluations, counts).kind).toBe("invalid");
  },
);

test("more outcomes than evaluations are refused", () => {
  const parsed = parse(PredicateEvaluations, seen("P1", 2, 2, 1));
  expect(parsed.kind === "invalid" && parsed.problems.map(renderProblem)).toEqual([
    "$.evaluated: expected at least 3, upheld and broken together, found 2",
  ]);
  expect(parse(PredicateEvaluations, seen("P1", 3, 2, 1)).kind).toBe("ok");
  expect(parse(z.array(ConstraintProof), proofsOf(contract, [])).kind).toBe("ok");
});

test.each([["ConstraintProof", ConstraintProof]])(
  "%s converts to JSON Schema and holds no open object",
  (_, schema) => {
    const json = JSON.stringify(z.toJSONSchema(schema, { io: "input" }));
    expect(json.match(/"type":"object"/g)?.length).toBe(json.match(/"additionalProperties":false/g)?.length);
  },
);
