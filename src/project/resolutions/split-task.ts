// A task gives way to smaller ones: each with an id, a file and a place of its own in the same story.
import { CupelError } from "../../domain/error.ts";
import type { NewTask } from "../../domain/people/resolution.ts";
import { slugify } from "../../domain/task/slug.ts";
import { taskFileOf } from "../../domain/task/task-file-from-spec.ts";
import type { TaskRecord } from "../../domain/task/task-record.ts";
import type { ProjectEdit } from "../project.ts";
import type { Resolving } from "./resolving.ts";

export function splitTask(
  { machine, task, paths, nextIds, at }: Resolving,
  parts: readonly NewTask[],
): ProjectEdit {
  const ids = nextIds(parts.length);
  const byName = new Map(parts.map(({ name }, index) => [name, ids[index] ?? ""]));
  const { pillar, epic, story } = machine.entry(task.taskId);
  const taken = new Set(paths);
  const added = parts.map((part, index) => {
    const taskId = ids[index] ?? "";
    const path = freePath(task.path, part.name, taskId, taken);
    taken.add(path);
    return newTask(taskId, path, taskFileOf(part, taskId, task.file.context, []));
  });
  return {
    why: `a person split it into ${ids.join(", ")}`,
    operations: [
      {
        kind: "split",
        at,
        task: task.taskId,
        into: parts.map(({ name, depends_on }, index) => ({
          task_id: ids[index] ?? "",
          pillar,
          epic,
          story,
          task: name,
          // Siblings by name, everybody else by id.
          depends_on: depends_on.map((dependency) => byName.get(dependency) ?? dependency),
        })),
      },
    ],
    added,
  };
}

export function newTask(
  taskId: string,
  path: string,
  file: TaskRecord["file"],
  change: TaskRecord["change"] = null,
): Omit<TaskRecord, "entry"> {
  return { taskId, path, file, attempt: 1, resolution: null, change, policy: null };
}

const MOST_NAMESAKES = 1000;

/** Beside `beside`, in a folder that no other task has. */
export function freePath(beside: string, name: string, taskId: string, taken: ReadonlySet<string>): string {
  const story = beside.split("/").slice(0, 4).join("/");
  const folders = new Set([...taken].map((path) => path.split("/").slice(0, 5).join("/")));
  const slug = slugify(name);
  for (let number = 1; number < MOST_NAMESAKES; number++) {
    const suffix = number === 1 ? "" : `-${number}`;
    const folder = `${story}/${slug.slice(0, 64 - suffix.length).replace(/-$/, "")}${suffix}`;
    if (!folders.has(folder)) return `${folder}/${taskId}.md`;
  }
  throw new CupelError("id_collision", `a thousand tasks of ${story} are called ${JSON.stringify(name)}`);
}
