// What a tester says it wrote, and how much of the specification that covers: derived from checked claims, never believed.
import { z } from "zod";
import type { Claim, ClaimCheck } from "../evidence/claim.ts";
import type { CoverageReport } from "../evidence/coverage.ts";
import { Text } from "../refs.ts";
import type { FunctionSpec } from "./function-spec.ts";
import { PropertyType, sketchesOf } from "./function-spec.ts";

/** About a test, not the test: the code is on disk. */
export const PropertyWritten = z.strictObject({
  name: Text.describe("The full name of the test as the runner reports it."),
  targetFunctions: z.array(Text).min(1).describe("Functions of the module that the test calls."),
  propertyType: PropertyType,
  description: Text,
  coversExamples: z
    .array(z.int().min(0))
    .describe("Which examples of its first target function it shows, by their place; the first is 0."),
  coversSketch: Text.nullable().describe("The name of the sketch it implements; null where none."),
});
export type PropertyWritten = z.infer<typeof PropertyWritten>;

/** Each property as the statement that a compiler can refute. */
export function claimsOf(written: readonly PropertyWritten[]): Claim[] {
  return written.map(({ name, targetFunctions }) => ({
    kind: "calls",
    test: name,
    targets: [...targetFunctions],
  }));
}

/** Only properties whose claim was checked and holds count; a sketch needs a test that calls the function it is about. */
export function coverageOf(
  functions: readonly FunctionSpec[],
  written: readonly PropertyWritten[],
  checks: readonly ClaimCheck[],
): CoverageReport {
  const holding = written.filter((property) => holds(property, checks));
  const targets = new Set(holding.flatMap(({ targetFunctions }) => targetFunctions));
  const covered = functions.filter(({ name }) => targets.has(name)).map(({ name }) => name);
  const owners = new Map(
    functions.flatMap(({ name, properties }) => properties.map((sketch) => [sketch.name, name])),
  );
  const sketched = new Set(
    holding.flatMap(({ coversSketch, targetFunctions }) => {
      const owner = coversSketch === null ? undefined : owners.get(coversSketch);
      return coversSketch !== null && owner !== undefined && targetFunctions.includes(owner)
        ? [coversSketch]
        : [];
    }),
  );
  const sketches = sketchesOf(functions).map(({ name }) => name);
  return {
    functionsCovered: covered,
    functionsUncovered: functions.map(({ name }) => name).filter((name) => !covered.includes(name)),
    examplesCovered: functions.reduce((sum, spec) => sum + examplesShown(spec, holding), 0),
    examplesTotal: functions.reduce((sum, { examples }) => sum + examples.length, 0),
    sketchesCovered: sketches.filter((name) => sketched.has(name)),
    sketchesUncovered: sketches.filter((name) => !sketched.has(name)),
  };
}

/** One test can be claimed twice; each claim about it must hold. */
function holds({ name, targetFunctions }: PropertyWritten, checks: readonly ClaimCheck[]): boolean {
  const about = checks.filter(({ claim }) => claim.kind === "calls" && claim.test === name);
  return (
    about.length > 0 &&
    about.every(({ outcome }) => outcome === "HOLDS") &&
    targetFunctions.every((target) => about.some(({ found }) => found.includes(target)))
  );
}

function examplesShown({ name, examples }: FunctionSpec, holding: readonly PropertyWritten[]): number {
  const shown = holding
    .filter(({ targetFunctions }) => targetFunctions[0] === name)
    .flatMap(({ coversExamples }) => coversExamples)
    .filter((place) => place < examples.length);
  return new Set(shown).size;
}
