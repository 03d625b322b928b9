// The task that makes the next version of a module after its contract was to change, and the one module of its plan.
import type { DependencyView } from "../../domain/agent/debate-roles.ts";
import { effectName } from "../../domain/contract/contract-links.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { type IoContractSketchLists, PlannedModule } from "../../domain/plan/micro-plan.ts";
import type { ModuleRef, TaskId } from "../../domain/refs.ts";
import { TaskFile } from "../../domain/task/task-file.ts";

export interface ChangedModule {
  /** The version that it follows. */
  from: ModuleRef;
  why: string;
  contract: MicroModuleContract;
  /** The modules that it is built with. */
  dependencies: readonly DependencyView[];
}

/** `beside` is the task that could not go on without it: the new one stands in the same story. */
export function changeTask(taskId: TaskId, beside: TaskFile, changed: ChangedModule): TaskFile {
  const { from, why, contract, dependencies } = changed;
  const to = `${contract.module_id}@${contract.module_version}`;
  const sketch = sketchOf(contract);
  const task: TaskFile = {
    task_name: `${contract.name} ${contract.module_version}`,
    task_id: taskId,
    context: beside.context,
    description: `Make ${to}, which follows ${from}, because somebody who builds on it cannot go on: ${why}`,
    subtasks: [`give ${contract.name} what was missing`, `keep whatever else ${from} does`],
    acceptance_criteria: [
      `what was missing is there: ${why}`,
      `whatever ${from} promises and the new contract does not change holds as before`,
    ],
    micro_module_contract: {
      inputs: sketch.inputs.join("; "),
      outputs: sketch.outputs.join("; "),
      error_surfaces: sketch.error_surfaces.join("; "),
      effects: sketch.effects.join("; "),
      modes: sketch.modes.join(", "),
    },
    dependency_contracts: dependencies.map((view) => ({
      module_ref: view.ref,
      summary: view.contract.purpose,
      examples: [],
    })),
    error_cases: orNone(contract.error_cases),
  };
  return parseOrThrow(TaskFile, task, "the task of an interface change");
}

export function changePlan({ from, why, contract, dependencies }: ChangedModule): PlannedModule {
  const module: PlannedModule = {
    module_id: contract.module_id,
    module_version: contract.module_version,
    name: contract.name,
    purpose: contract.purpose,
    io_contract: sketchOf(contract),
    error_cases: contract.error_cases,
    depends_on: dependencies.map(({ ref }) => ref),
    reuse_candidate_refs: [from],
    reuse_decision: "CREATE_NEW",
    reuse_justification: `A person approved that the contract of ${from} changes: ${why}`,
  };
  return parseOrThrow(PlannedModule, module, "the plan of an interface change");
}

function sketchOf(contract: MicroModuleContract): IoContractSketchLists {
  const { inputs, outputs, error_surfaces, effects, modes } = contract;
  return {
    inputs: orNone(inputs.map((each) => `${each.name}${each.optional === true ? "?" : ""}: ${each.type}`)),
    outputs: orNone(outputs.map((each) => `${each.name}: ${each.type}`)),
    error_surfaces: orNone(error_surfaces.map((each) => `${each.name} when ${each.when}`)),
    effects: orNone(effects.map(effectName)),
    modes: [...(modes.sync ? (["sync"] as const) : []), ...(modes.async ? (["async"] as const) : [])],
  };
}

function orNone(list: readonly string[]): string[] {
  return list.length === 0 ? ["none"] : [...list];
}
