// One task as it is given to engineering: from its record alone, so that whoever goes on gives the same order.
import { moduleIdOf, type ModuleRef, versionOf } from "../domain/refs.ts";
import { compareSemver } from "../domain/semver.ts";
import type { DependencyContract } from "../domain/task/task-file.ts";
import { fixedPolicy, policyIn, type PolicyNow } from "../domain/task/task-policy.ts";
import type { TaskRecord } from "../domain/task/task-record.ts";
import { dependencyView } from "../engineering/dependency-view.ts";
import type { TaskOrder } from "../engineering/port.ts";
import type { StateStore } from "../store/state-store.ts";
import type { Project } from "./project.ts";

/** What is asked for now holds for tasks that are dispatched from now on. */
export interface OrderSettings extends PolicyNow {
  /** What a task may know of the modules that it builds on. */
  contracts: (refs: readonly ModuleRef[]) => Promise<DependencyContract[]>;
}

export function orderOf(project: Project, task: TaskRecord, settings: OrderSettings): TaskOrder {
  const { file, path, attempt, resolution, change, policy } = task;
  const { rigor, protocol, blind, fractal } = policy === null ? settings : policyIn(policy);
  return {
    task: file,
    path,
    attempt,
    rigor,
    protocol,
    ...(blind === undefined ? {} : { blind }),
    ...(fractal === undefined ? {} : { fractal }),
    snapshot: () => project.machine.toState(),
    ...(resolution === null ? {} : { resolution }),
    ...(change === null ? {} : { change }),
  };
}

/** The task as it is at dispatch: its policy is fixed, and the contracts of everything that it builds on exist. */
export async function asDispatched(
  project: Project,
  recorded: TaskRecord,
  settings: OrderSettings,
): Promise<TaskRecord> {
  const { contracts } = settings;
  const task = { ...recorded, policy: recorded.policy ?? fixedPolicy(settings) };
  // What the next version of a module builds on follows from its contract.
  if (task.change !== null) return task;
  const { depends_on } = project.machine.entry(task.taskId);
  const refs = newestOfEach(depends_on.flatMap((id) => project.machine.entry(id).module_refs));
  const dependency_contracts = refs.length === 0 ? [] : await contracts(refs);
  return { ...task, file: { ...task.file, dependency_contracts } };
}

function newestOfEach(refs: readonly ModuleRef[]): ModuleRef[] {
  const newest = new Map<string, ModuleRef>();
  for (const ref of refs) {
    const known = newest.get(moduleIdOf(ref));
    if (known === undefined || compareSemver(versionOf(ref), versionOf(known)) > 0)
      newest.set(moduleIdOf(ref), ref);
  }
  return [...newest.values()];
}

const LONGEST_EXAMPLES = 8000;

/** From the sealed modules: what they are for, how they are called, and their examples. */
export function contractsIn(store: StateStore): OrderSettings["contracts"] {
  return (refs) =>
    Promise.all(
      refs.map(async (module_ref) => {
        const { contract, examples } = await dependencyView(store, module_ref);
        const entries = contract.entry_points.map(({ signature }) => signature);
        return {
          module_ref,
          summary: [contract.purpose, ...entries].join("\n"),
          examples: examples.trim() === "" ? [] : [examples.slice(0, LONGEST_EXAMPLES)],
        };
      }),
    );
}
