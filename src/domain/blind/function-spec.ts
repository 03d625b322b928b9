// What one function is to do, so that two agents who never meet build and test the same thing: examples and properties.
import { z } from "zod";
import { refuse } from "../parse.ts";
import { Text } from "../refs.ts";

export const PropertyType = z.enum([
  "Inverse",
  "Idempotent",
  "Commutative",
  "Associative",
  "Identity",
  "Preservation",
  "Boundary",
  "Monotonic",
  "Other",
]);
export type PropertyType = z.infer<typeof PropertyType>;

export const ConcreteExample = z.strictObject({
  description: Text,
  input: Text.describe('The call as it would be written, such as slugify("A b").'),
  expected: Text.describe("What comes back as it would be written, or the error that is thrown."),
  edgeCase: z.boolean(),
});
export type ConcreteExample = z.infer<typeof ConcreteExample>;

/** A property in words: whoever writes the tests decides how it becomes code. */
export const PropertySketch = z.strictObject({
  name: Text.describe("One name, unique among all sketches, such as pushPopInverse."),
  description: Text,
  invariant: Text.describe("What holds for every input, as a formula or a sentence."),
  type: PropertyType,
});
export type PropertySketch = z.infer<typeof PropertySketch>;

/** Without an example and a property nobody could align with anybody, so both are there by schema. */
export const FunctionSpec = z.strictObject({
  name: Text.describe("The name of an entry point of the contract."),
  signature: Text,
  brief: Text.describe("One line."),
  behavior: Text.describe("What it does for every input that is allowed, and for those that are not."),
  examples: z.array(ConcreteExample).min(1),
  properties: z.array(PropertySketch).min(1),
  priority: z.int().min(1).describe("1 is written first."),
});
export type FunctionSpec = z.infer<typeof FunctionSpec>;

/** Of one module: every function and every sketch has a name of its own. */
export const FunctionSpecs = z
  .array(FunctionSpec)
  .min(1)
  .superRefine((functions, context) => {
    const seen = new Set<string>();
    functions.forEach(({ name, properties }, index) => {
      if (seen.has(name)) refuse(context, [index, "name"], "each function once", `"${name}" again`);
      seen.add(name);
      properties.forEach((sketch, place) => {
        const key = `sketch ${sketch.name}`;
        const path = [index, "properties", place, "name"];
        if (seen.has(key)) refuse(context, path, "each sketch once", `"${sketch.name}" again`);
        seen.add(key);
      });
    });
  });

export function sketchesOf(functions: readonly FunctionSpec[]): PropertySketch[] {
  return functions.flatMap(({ properties }) => properties);
}

/** Adds what an adversary found missing; a sketch of that name that is there already stands. */
export function withSketches(
  functions: readonly FunctionSpec[],
  suggested: readonly { function: string; suggested: PropertySketch }[],
): FunctionSpec[] {
  const known = new Set(sketchesOf(functions).map(({ name }) => name));
  return functions.map((spec) => {
    const fresh = suggested.filter((each) => {
      if (each.function !== spec.name || known.has(each.suggested.name)) return false;
      known.add(each.suggested.name);
      return true;
    });
    return fresh.length === 0
      ? spec
      : { ...spec, properties: [...spec.properties, ...fresh.map((each) => each.suggested)] };
  });
}
