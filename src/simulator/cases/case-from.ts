// A simulated case from its parts: what agents say about a module besides follows from its contract and its examples.
import type { ConcreteExample, FunctionSpec } from "../../domain/blind/function-spec.ts";
import { shownOutcome } from "../../domain/gatekeeper/module-spec.ts";
import type { CaseExample, SimulatedCase } from "../port.ts";
import { codeOf, draftedFrom, exampleText, idOf, type SketchedModule } from "./module-sketch.ts";

export interface CaseParts
  extends SketchedModule, Pick<SimulatedCase, "task" | "properties" | "examples" | "sources" | "tests"> {
  functions: FunctionSpec[];
}

export function caseFrom({ functions, sources, tests, ...given }: CaseParts): SimulatedCase {
  const { name, purpose, uses, contract, task, properties, examples } = given;
  const [output] = contract.outputs;
  const considered = {
    refs: uses.map((each) => `${idOf(each)}@1.0.0`),
    why: "Nothing in the Code Index does this; what is there is built on where it helps.",
  };
  return {
    name,
    task,
    planned: draftedFrom({ name, purpose, uses, contract }, considered),
    contract,
    types: {
      typeName: output?.name ?? name,
      typeKind: output?.type ?? "none",
      description: purpose,
      constructors: [],
      imports: [],
      functions,
      designNotes: "Plain values in, a plain value out.",
    },
    properties,
    examples,
    sources,
    tests,
    documents: {
      "examples.md": examples
        .map((each) => exampleText(each.entry, each.title, codeOfExample(each, given), shownOutcome(each)))
        .join("\n"),
    },
  };
}

export function codeOfExample(
  { call }: CaseExample,
  { name, contract }: Pick<SimulatedCase, "name" | "contract">,
): string {
  return codeOf(
    call,
    contract.entry_points.map((entry) => entry.name),
    name,
  );
}

/** As the roles of the blind protocol write it. */
export function concreteExample({ title, call, gives, throws }: CaseExample): ConcreteExample {
  return {
    description: title,
    input: call,
    expected: throws ?? gives ?? "null",
    edgeCase: throws !== null,
  };
}
