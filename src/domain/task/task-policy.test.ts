import { expect, test } from "vitest";
import { resolveRigor } from "../evidence/rigor.ts";
import { fixedPolicy, otherRigor, policyIn, TaskPolicy } from "./task-policy.ts";

const strictly = resolveRigor({ base: "standard", mutation: { minKilled: 0.9 } });

test.each([resolveRigor("lite"), resolveRigor("strict"), strictly])(
  "a fixed policy gives back its rigor",
  (rigor) => {
    const fixed = TaskPolicy.parse(JSON.parse(JSON.stringify(fixedPolicy({ rigor, protocol: "debate" }))));
    expect(policyIn(fixed)).toEqual({ rigor, protocol: "debate" });
  },
);

test("only a rigor that is another by now is told", () => {
  const fixed = fixedPolicy({ rigor: resolveRigor("standard"), protocol: "debate" });
  expect(otherRigor(fixed, resolveRigor("standard"))).toBeNull();
  expect(otherRigor(null, resolveRigor("lite"))).toBeNull();
  expect(otherRigor(fixed, resolveRigor("lite"))).toBe("standard");
  expect(otherRigor(fixedPolicy({ rigor: strictly, protocol: "debate" }), resolveRigor("standard"))).toBe(
    "standard, adjusted",
  );
});
