// Tasks for those who use a module whose contract has changed in a way that they cannot follow by themselves.
import { moduleIdOf, type ModuleRef } from "../domain/refs.ts";
import type { TaskFile } from "../domain/task/task-file.ts";
import type { TaskRecord } from "../domain/task/task-record.ts";
import type { ChangedConsumer } from "../engineering/port.ts";
import { dependencyView } from "../engineering/dependency-view.ts";
import type { Project, ProjectEdit } from "./project.ts";
import { freePath, newTask } from "./resolutions/split-task.ts";

/** The tasks follow when it is called, in one go with what is done then, so that nobody else gets their ids. */
export async function consumerTasks(
  project: Project,
  task: TaskRecord,
  consumers: readonly ChangedConsumer[],
): Promise<() => Pick<ProjectEdit, "operations" | "added">> {
  const { store } = project.desk;
  const { change } = task;
  const wanted = consumers.filter(({ action }) => action === "task");
  if (change === null || wanted.length === 0) return () => ({ operations: [], added: [] });
  const modules = await Promise.all(
    wanted.map(async ({ module }) => ({ module, name: (await dependencyView(store, module)).contract.name })),
  );
  const paths = await store.project.paths();
  return () =>
    joining(
      project,
      task,
      paths,
      modules.map((each) => ({ ...each, to: change.to, why: change.why })),
    );
}

function joining(
  project: Project,
  { taskId, file: beside, path: place }: TaskRecord,
  paths: readonly string[],
  following: readonly Following[],
): Pick<ProjectEdit, "operations" | "added"> {
  const { machine } = project;
  const { pillar, epic, story } = machine.entry(taskId);
  const ids = project.nextIds(taskId, following.length);
  const taken = new Set(paths);
  const added = following.map((each, index) => {
    const id = ids[index] ?? "";
    const file = consumerFile(beside, id, each);
    const path = freePath(place, file.task_name, id, taken);
    taken.add(path);
    return newTask(id, path, file);
  });
  const tasks = added.map(({ taskId: task_id, file }) => ({
    task_id,
    pillar,
    epic,
    story,
    task: file.task_name,
    // What they are to build on has shipped by then.
    depends_on: [taskId],
  }));
  return { operations: [{ kind: "join", at: project.time(), task: taskId, tasks }], added };
}

interface Following {
  module: ModuleRef;
  name: string;
  to: ModuleRef;
  why: string;
}

function consumerFile(beside: TaskFile, task_id: string, { module, name, to, why }: Following): TaskFile {
  const id = moduleIdOf(module);
  return {
    ...beside,
    task_id,
    task_name: `${name} on ${to}`,
    description: `Make the next version of ${id}, which follows ${module} and builds on ${to}. The contract of that one has changed: ${why}`,
    subtasks: [`build ${id} on ${to}`, `keep whatever else ${module} does`],
    acceptance_criteria: [
      `the next version of ${id} depends on ${to} and on no version before it`,
      `whatever ${module} promises holds as before`,
    ],
    dependency_contracts: [],
  };
}
