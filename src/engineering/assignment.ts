// What is to be made, from the locked plan and what has shipped: the same whenever the work goes on.
import type { MicroPlan, PlannedModule } from "../domain/plan/micro-plan.ts";
import { moduleIdOf, type ModuleRef, versionOf } from "../domain/refs.ts";
import { renderTaskFile } from "../domain/task/task-file.ts";
import type { Assignment } from "../protocols/port.ts";
import { agreedContract } from "./interface-change/agreed-contract.ts";
import { dependencyView } from "./dependency-view.ts";
import { folderFor } from "./module-folder.ts";
import { outcomeRef } from "./plan/plan-outcome.ts";
import type { EngineeringPorts, TaskOrder } from "./port.ts";
import { shelfOf } from "./ship/shelf.ts";

export async function assignmentOf(
  { store }: EngineeringPorts,
  { task, rigor, blind, change }: TaskOrder,
  plan: MicroPlan,
  module: PlannedModule,
): Promise<Assignment> {
  const refs = module.depends_on.map((ref) => meant(plan, ref));
  return {
    task,
    taskText: renderTaskFile(task),
    module,
    version: versionOf(outcomeRef(module)),
    folder: folderFor(await shelfOf({ store }), module.module_id, module.name),
    dependencies: await Promise.all([...new Set(refs)].map((ref) => dependencyView(store, ref))),
    rigor,
    ...(blind === undefined ? {} : { blind }),
    ...(change === undefined ? {} : { contract: await agreedContract(store, change) }),
  };
}

/** A plan may give a module that it reuses a name of its own; what is built upon is the one that has shipped. */
function meant(plan: MicroPlan, ref: ModuleRef): ModuleRef {
  const planned = plan.modules.find(({ module_id }) => module_id === moduleIdOf(ref));
  return planned?.reuse_decision === "REUSE" ? outcomeRef(planned) : ref;
}
