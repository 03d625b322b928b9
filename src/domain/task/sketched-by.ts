// What a task says about the module that comes of it as a whole, in the form of a plan.
import type { IoContractSketchLists } from "../plan/micro-plan.ts";
import type { TaskFile } from "./task-file.ts";

export function sketchedBy({
  micro_module_contract: sketch,
}: Pick<TaskFile, "micro_module_contract">): IoContractSketchLists {
  const { inputs, outputs, error_surfaces, effects, modes } = sketch;
  const isAsync = /\basync/i.test(modes);
  return {
    inputs: [inputs],
    outputs: [outputs],
    error_surfaces: [error_surfaces],
    effects: [effects],
    modes: isAsync && /\bsync/i.test(modes) ? ["sync", "async"] : [isAsync ? "async" : "sync"],
  };
}
