// One task as it is given to engineering: from its record alone, so that whoever goes on gives the same order.
import type { BlindSettings } from "../domain/blind/settings.ts";
import type { ProtocolName, Rigor } from "../domain/evidence/rigor.ts";
import { moduleIdOf, type ModuleRef, versionOf } from "../domain/refs.ts";
import { compareSemver } from "../domain/semver.ts";
import type { DependencyContract } from "../domain/task/task-file.ts";
import type { TaskRecord } from "../domain/task/task-record.ts";
import { dependencyView } from "../engineering/dependency-view.ts";
import type { TaskOrder } from "../engineering/port.ts";
import type { StateStore } from "../store/state-store.ts";
import type { Project } from "./project.ts";

export interface OrderSettings {
  rigor: Rigor;
  protocol: ProtocolName;
  blind?: BlindSettings;
  /** What a task may know of the modules that it builds on. */
  contracts: (refs: readonly ModuleRef[]) => Promise<DependencyContract[]>;
}

export function orderOf(project: Project, task: TaskRecord, settings: OrderSettings): TaskOrder {
  const { file, path, attempt, resolution, change } = task;
  return {
    task: file,
    path,
    attempt,
    rigor: settings.rigor,
    protocol: settings.protocol,
    ...(settings.blind === undefined ? {} : { blind: settings.blind }),
    snapshot: () => project.machine.toState(),
    ...(resolution === null ? {} : { resolution }),
    ...(change === null ? {} : { change }),
  };
}

/** The task file as it is at dispatch, when the contracts of everything that it builds on exist. */
export async function renderedAgain(
  project: Project,
  task: TaskRecord,
  { contracts }: OrderSettings,
): Promise<TaskRecord> {
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
