// Which test reaches which function of a module, and which functions are stubs, as the compiler sees it.
import type { GroundTruth } from "../../../domain/evidence/claim.ts";
import { moduleFunctions } from "./declarations.ts";
import type { ModuleView } from "./module-view.ts";
import { once } from "./once.ts";
import { type Program, withProgram } from "./program.ts";
import { reachOf } from "./reach.ts";
import { testCases } from "./test-cases.ts";

export function groundTruth(view: ModuleView): GroundTruth {
  return withProgram(view, groundTruthOf);
}

export const groundTruthOf = once(lookUp);

function lookUp(program: Program): GroundTruth {
  const functions = moduleFunctions(program);
  const reach = reachOf(program, functions);
  return {
    source: "compiler",
    tests: testCases(program).map(({ name, code, bindings }) => ({ name, calls: reach(code(), bindings) })),
    functions: functions.map(({ name, isStub }) => ({ name, isStub })),
  };
}
