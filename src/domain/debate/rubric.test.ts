import { expect, it } from "vitest";
import { DECOMPOSITION_RUBRIC, RUBRIC, RubricId } from "./rubric.ts";

it("has each of the six criteria once and in order", () => {
  expect(RUBRIC.map((criterion) => criterion.id)).toEqual(RubricId.options);
  expect(RUBRIC.map((criterion) => criterion.title)).toEqual([
    "Contract conformance",
    "Test coverage",
    "Error handling completeness",
    "Dependency usage",
    "Acceptance criteria",
    "Decomposition compliance",
  ]);
});

it.each([
  ["R1", ["inputs", "outputs", "error surfaces", "effects", "modes"]],
  ["R2", ["input constraint", "output invariant", "error surface", "ordinary case", "public"]],
  ["R3", ["neither declared nor handled"]],
  ["R4", ["contracts", "fingerprints"]],
  ["R5", ["acceptance criterion", "only claimed"]],
  ["R6", ["decomposition rubric"]],
])("asks in %s for all of %j", (id, words) => {
  const checks = RUBRIC.find((criterion) => criterion.id === id)?.checks;
  for (const word of words) expect(checks).toContain(word);
});

it("calls a module micro by four different criteria", () => {
  expect(DECOMPOSITION_RUBRIC.map((criterion) => criterion.id)).toEqual([
    "single_behaviour",
    "single_surface",
    "independently_shippable",
    "contract_dependencies",
  ]);
  expect(new Set(DECOMPOSITION_RUBRIC.map((criterion) => criterion.checks)).size).toBe(4);
});
