// What calls and records are about: one task, and where there is one, the module that is being made.
import { canonicalHash, dropUndefined, sha256Hex } from "../domain/canonical.ts";
import type { ProtocolName } from "../domain/evidence/rigor.ts";
import { moduleIdOf, type ModuleRef } from "../domain/refs.ts";
import { slugify } from "../domain/task/slug.ts";
import type { TaskFile } from "../domain/task/task-file.ts";
import type { TaskResolution } from "../domain/task/task-record.ts";
import type { TaskOrder } from "./port.ts";

export interface Subject {
  task: TaskFile;
  /** Of the task. */
  attempt: number;
  /** Undefined where the work is on the whole task. */
  module?: ModuleRef;
  dependencies: readonly ModuleRef[];
  protocol: ProtocolName;
}

export function pillarOf(task: TaskFile): string {
  return slugify(task.context.pillar.name);
}

/** A task file is amended by people only, and each time that is another version of it. */
export function taskRefOf(task: TaskFile): string {
  return `${task.task_id}@1.${task.amendment_history?.length ?? 0}.0`;
}

/** Scripts and recordings tell calls apart by it, so a second attempt at a task has nodes of its own. */
export function nodeKeyOf(node: string, { attempt }: Subject): string {
  return attempt === 1 ? node : `${node}@${attempt}`;
}

export function moduleOf({ module }: Subject): string | null {
  return module === undefined ? null : moduleIdOf(module);
}

const LONGEST = 200;

/** The names of a task's threads follow from the order alone, so that they are found again. */
export function threadName(runId: string, { task, attempt }: TaskOrder, what: string): string {
  const name = `${runId}/${task.task_id}/${attempt}/${what}`.replaceAll(/[^\w.:@/-]/g, "-");
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST - 17)}-${sha256Hex(name).slice(0, 16)}`;
}

/** What a person decided, as a name. */
export function resolutionHash(resolution: TaskResolution): string {
  return canonicalHash(dropUndefined(resolution)).slice(0, 12);
}
