// Gives every task of a specification its canonical id, its place in the order and its file; equal specs, equal ids.
import { CupelError } from "../error.ts";
import type { ProductSpec, SpecTask } from "../product/product-spec.ts";
import { quoted } from "../product/spec-walk.ts";
import { siblingSlugs } from "./slug.ts";

export interface PlannedTask {
  /** The id within the specification, TSK-NNN. */
  specTaskId: string;
  /** The id within the project, `T-<pillar>-<epic>-<story>-<number>`. */
  taskId: string;
  pillarSlug: string;
  epicSlug: string;
  storySlug: string;
  taskSlug: string;
  /** Where the task file lies, from the root of the product's repository. */
  path: string;
  /** Position in a depth-first walk through the specification, from 0. */
  declarationOrder: number;
  /** Canonical ids, in the order of the specification, each once. */
  dependsOn: string[];
}

const LONGEST_ID = 128;
const MOST_TASKS = 999;

/** All tasks in declaration order, or an error before anything has been written anywhere. */
export function planTaskIds(spec: ProductSpec): PlannedTask[] {
  const named: NamedTask[] = [];
  for (const [pillar, pillarSlug] of slugged(spec.pillars)) {
    for (const [epic, epicSlug] of slugged(pillar.epics)) {
      for (const [story, storySlug] of slugged(epic.stories)) {
        const names = [pillar.name, epic.name, story.name];
        const prefix = `T-${pillarSlug}-${epicSlug}-${storySlug}`;
        const folder = `project/${pillarSlug}/${epicSlug}/${storySlug}`;
        if (story.tasks.length > MOST_TASKS) throw tooManyTasks(nameOf(names), story.tasks.length);
        for (const [index, [task, taskSlug]] of slugged(story.tasks).entries()) {
          const humanName = nameOf([...names, task.name]);
          const taskId = checkedLength(`${prefix}-${threeDigits(index + 1)}`, `task ${humanName}`);
          const path = `${folder}/${taskSlug}/${taskId}.md`;
          named.push({
            task,
            humanName,
            planned: { taskId, pillarSlug, epicSlug, storySlug, taskSlug, path },
          });
        }
      }
    }
  }
  refuseRepeats(named, ({ planned }) => planned.taskId);
  refuseRepeats(named, ({ task }) => task.task_id);
  return withDependencies(named);
}

/**
 * Ids for tasks that join a story later. They go on after the highest number in use, so `existing` must also hold
 * the abandoned ones: an id never means two tasks.
 */
export function nextTaskIds(existing: Iterable<string>, storyPrefix: string, count: number): string[] {
  if (!/^T(?:-[a-z0-9]+)+$/.test(storyPrefix)) {
    throw new CupelError("usage", `${JSON.stringify(storyPrefix)} is not the beginning of a task id`, {
      expected: "T-<pillar>-<epic>-<story>",
    });
  }
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new CupelError("usage", `${count} is not a number of tasks`, { expected: "0 or more" });
  }
  const last = highestNumber(existing, storyPrefix);
  if (last + count > MOST_TASKS) throw tooManyTasks(storyPrefix, last + count);
  return Array.from({ length: count }, (_, index) =>
    checkedLength(`${storyPrefix}-${threeDigits(last + index + 1)}`, "a new task"),
  );
}

/** What all task ids of a story begin with. */
export function storyPrefixOf(taskId: string): string {
  return taskId.replace(/-\d{3}$/, "");
}

interface NamedTask {
  task: SpecTask;
  /** With everything around it, because names alone repeat. */
  humanName: string;
  planned: Omit<PlannedTask, "specTaskId" | "declarationOrder" | "dependsOn">;
}

function slugged<T extends { name: string }>(siblings: readonly T[]): [T, string][] {
  const slugs = siblingSlugs(siblings.map((sibling) => sibling.name));
  return siblings.map((sibling, index) => [sibling, slugs[index] ?? ""]);
}

function nameOf(names: readonly string[]): string {
  return names.map((name) => quoted(name)).join(" › ");
}

function threeDigits(number: number): string {
  return String(number).padStart(3, "0");
}

function checkedLength(taskId: string, whose: string): string {
  if (taskId.length <= LONGEST_ID) return taskId;
  throw new CupelError("id_too_long", `the id of ${whose} has ${taskId.length} characters: ${taskId}`, {
    expected: `at most ${LONGEST_ID} characters`,
    hint: "shorten the name of its pillar, epic or story",
  });
}

function tooManyTasks(story: string, count: number): CupelError {
  return new CupelError("invalid_input", `story ${story} would have ${count} tasks`, {
    expected: `at most ${MOST_TASKS}, because task ids count with three digits`,
    hint: "divide the story",
  });
}

function refuseRepeats(tasks: readonly NamedTask[], idOf: (task: NamedTask) => string): void {
  const owners = new Map<string, string>();
  for (const task of tasks) {
    const id = idOf(task);
    const owner = owners.get(id);
    if (owner !== undefined) {
      throw new CupelError("id_collision", `two tasks have the id ${id}: ${owner} and ${task.humanName}`, {
        expected: "an id for each task that no other task has",
        hint: "rename a pillar, epic or story, or renumber one of the tasks",
      });
    }
    owners.set(id, task.humanName);
  }
}

function withDependencies(tasks: readonly NamedTask[]): PlannedTask[] {
  const ids = new Map(tasks.map(({ task, planned }) => [task.task_id, planned.taskId]));
  return tasks.map(({ task, humanName, planned }, declarationOrder) => {
    const dependsOn = (task.depends_on ?? []).map((reference) => {
      const id = ids.get(reference);
      if (id !== undefined) return id;
      throw new CupelError(
        "invalid_input",
        `task ${humanName} depends on ${reference}, which no task has as its id`,
        {
          expected: "the id of a task of the same specification",
        },
      );
    });
    const { taskId, path, ...slugs } = planned;
    const unique = [...new Set(dependsOn)];
    return { specTaskId: task.task_id, taskId, ...slugs, path, declarationOrder, dependsOn: unique };
  });
}

function highestNumber(existing: Iterable<string>, storyPrefix: string): number {
  let highest = 0;
  for (const id of existing) {
    // Nothing but the number may follow: the slugs of another story can begin like the ones of this story.
    const isOurs = storyPrefixOf(id) === storyPrefix && id !== storyPrefix;
    if (isOurs) highest = Math.max(highest, Number(id.slice(-3)));
  }
  return highest;
}
