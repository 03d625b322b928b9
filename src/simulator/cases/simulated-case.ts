// A case from what is particular to it: the rest of what agents say about a module follows from its sketch.
import type { PropertyWritten } from "../../domain/blind/suite-coverage.ts";
import type { FunctionSpec, PropertySketch } from "../../domain/blind/function-spec.ts";
import type { CaseExample, SimulatedCase } from "../port.ts";
import { caseFrom, concreteExample } from "./case-from.ts";
import { kitchenTask } from "./kitchen.ts";
import { contractOf, type ModuleSketch } from "./module-sketch.ts";

interface CaseSketch extends ModuleSketch {
  name: string;
  purpose: string;
  /** In the specification of the product. */
  specTask: string;
  uses?: readonly string[];
  behavior: string;
  sketch: PropertySketch;
  /** `call` gives `result` as JSON, or throws where it is `Class: message`. */
  examples: readonly { title: string; call: string; gives?: string; throws?: string }[];
  source: string;
  tests: SimulatedCase["tests"];
  /** Every test by its name; the one of the sketch is marked. */
  properties: readonly { name: string; type: PropertyWritten["propertyType"]; sketch?: true }[];
}

export function simulatedCase(given: CaseSketch): SimulatedCase {
  const { name, purpose, uses = [], source, tests } = given;
  return caseFrom({
    name,
    purpose,
    task: kitchenTask(given.specTask),
    uses,
    contract: contractOf(given, uses),
    functions: [functionOf(given)],
    properties: given.properties.map((each) => propertyOf(each, given)),
    examples: given.examples.map((each) => exampleOf(each, given)),
    sources: { "src/index.ts": source },
    tests,
  });
}

function exampleOf(
  { title, call, gives, throws }: CaseSketch["examples"][number],
  { entry, inputs }: CaseSketch,
): CaseExample {
  const inside = call.slice(`${entry}(`.length, -1);
  // Only where there are several inputs does a comma part them.
  const values = inputs.length === 1 ? [inside] : inside.split(", ");
  return {
    title,
    entry,
    call,
    inputs: inputs.map(({ name }, index) => ({ name, value: values[index] ?? "undefined" })),
    gives: throws === undefined ? (gives ?? "null") : null,
    throws: throws ?? null,
  };
}

function functionOf(given: CaseSketch): FunctionSpec {
  const { entry, signature, purpose, behavior, sketch, examples } = given;
  return {
    name: entry,
    signature,
    brief: purpose,
    behavior,
    examples: examples.map((each) => concreteExample(exampleOf(each, given))),
    properties: [sketch],
    priority: 1,
  };
}

function propertyOf(
  { name, type, sketch }: CaseSketch["properties"][number],
  given: CaseSketch,
): PropertyWritten {
  return {
    name,
    targetFunctions: [given.entry],
    propertyType: type,
    description: name,
    coversExamples: given.examples.map((_, index) => index),
    coversSketch: sketch === true ? given.sketch.name : null,
  };
}
