// A specification that two people can work from has an example and a property for every function, each named once.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { specOf, SLUG_SPEC } from "./blind.suite.ts";
import { FunctionSpec, FunctionSpecs, sketchesOf, withSketches } from "./function-spec.ts";

describe("a function without an anchor is no specification", () => {
  test.each(["examples", "properties"] as const)("%s must not be empty", (key) => {
    expect(FunctionSpec.safeParse(SLUG_SPEC).success).toBe(true);
    expect(FunctionSpec.safeParse({ ...SLUG_SPEC, [key]: [] }).success).toBe(false);
  });

  test("two functions or two sketches of one name are refused, with the place", () => {
    expect(FunctionSpecs.safeParse([SLUG_SPEC, specOf("other")]).success).toBe(true);
    const twice = FunctionSpecs.safeParse([SLUG_SPEC, SLUG_SPEC]);
    expect(twice.error?.issues.map(({ path }) => path.join("."))).toEqual(["1.name", "1.properties.0.name"]);
  });
});

describe("suggested sketches", () => {
  test("are added to their function once, and known names stand as they are", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "noSpaces")), (names) => {
        const suggested = names.map((name) => ({
          function: "slugify",
          suggested: { name, description: "new", invariant: "new", type: "Other" as const },
        }));
        const after = withSketches([SLUG_SPEC], suggested);
        const all = sketchesOf(after).map(({ name }) => name);
        expect(new Set(all).size).toBe(all.length);
        expect(new Set(all)).toEqual(new Set([...names, "noSpaces"]));
        expect(sketchesOf(after)[0]).toEqual(SLUG_SPEC.properties[0]);
      }),
    );
  });

  test("of a function that does not exist are not taken", () => {
    const suggested = { name: "x", description: "x", invariant: "x", type: "Other" as const };
    expect(withSketches([SLUG_SPEC], [{ function: "nobody", suggested }])).toEqual([SLUG_SPEC]);
  });
});
