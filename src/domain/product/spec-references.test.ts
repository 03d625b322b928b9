import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleSpec, exampleTask, productSpec } from "../../../test/arbitraries/product-spec.ts";
import type { SpecDraft, SpecTask } from "./product-spec.ts";
import { validateSpec } from "./spec-criteria.ts";
import { placedTasks } from "./spec-walk.ts";

const TASKS = "$.pillars[0].epics[0].stories[0].tasks";

/** The example with other tasks in its first story, and nothing behind it. */
function specWith(...tasks: SpecTask[]): SpecDraft {
  const spec = exampleSpec();
  spec.pillars.splice(1);
  placedTasks(spec)[0]?.story.tasks.splice(0, 9, ...tasks);
  return spec;
}

function task(id: string, name: string, ...depends_on: string[]): SpecTask {
  return { ...exampleTask(id, name), depends_on };
}

function errorsOf(spec: SpecDraft): [number, string, string][] {
  return validateSpec(spec).errors.map(({ criterion, path, message }) => [criterion, path, message]);
}

describe("criterion 7", () => {
  it("points at every later owner of an id, and at a free one", () => {
    const spec = specWith(task("TSK-007", "Read"), task("TSK-007", "Write"), task("TSK-007", "Erase"));
    expect(errorsOf(spec)).toEqual([
      [
        7,
        `${TASKS}[1].task_id`,
        'task "Write" (TSK-007) has the id of task "Read" (TSK-007); give it an id of its own, such as TSK-008',
      ],
      [
        7,
        `${TASKS}[2].task_id`,
        'task "Erase" (TSK-007) has the id of task "Read" (TSK-007); give it an id of its own, such as TSK-008',
      ],
    ]);
  });

  it("suggests the first id where there is none yet", () => {
    const [first] = errorsOf(specWith(task("A", "Read"), task("A", "Write")));
    expect(first?.[2]).toMatch(/such as TSK-001$/);
  });

  it.each(["", " "])("leaves the empty id %j to criterion 10", (empty) => {
    const spec = specWith(task(empty, "Read", empty), task(empty, "Write"));
    expect(errorsOf(spec).map(([criterion, path]) => `${criterion} ${path}`)).toEqual([
      `8 ${TASKS}[0].depends_on[0]`,
      `10 ${TASKS}[0].task_id`,
      `10 ${TASKS}[1].task_id`,
    ]);
  });
});

describe("criterion 8", () => {
  it.each([
    ["TSK-099", "name the id of a task of this spec, or remove it"],
    ["constructor", "name the id of a task of this spec, or remove it"],
    ["tsk-001 ", "write TSK-001"],
    ["read", "write TSK-001"],
  ])("does not know %j and says: %s", (reference, advice) => {
    expect(
      errorsOf(specWith(task("TSK-001", "Read"), task("TSK-002", "Write", "TSK-001", reference))),
    ).toEqual([
      [
        8,
        `${TASKS}[1].depends_on[1]`,
        `task "Write" (TSK-002) depends on "${reference.trim()}", which no task has as its id; ${advice}`,
      ],
    ]);
  });
});

describe("criterion 9", () => {
  it("tells a cycle along its path, at the dependency it begins with", () => {
    const spec = specWith(
      task("TSK-001", "Read", "TSK-003"),
      task("TSK-002", "Write"),
      task("TSK-003", "Erase", "TSK-002", "TSK-001"),
    );
    expect(errorsOf(spec)).toEqual([
      [
        9,
        `${TASKS}[0].depends_on[0]`,
        "tasks wait for each other for ever: TSK-001 → TSK-003 → TSK-001 " +
          '("Read" needs "Erase" needs "Read"); remove one of these dependencies',
      ],
    ]);
  });

  it("finds a task that waits for itself, also through a second task of the same id", () => {
    const selfish = errorsOf(specWith(task("TSK-001", "Read", "TSK-001"), task("TSK-002", "Write")));
    expect(selfish.map(([criterion, path]) => [criterion, path])).toEqual([[9, `${TASKS}[0].depends_on[0]`]]);
    const twice = errorsOf(specWith(task("TSK-001", "Read"), task("TSK-001", "Write", "TSK-001")));
    expect(twice.map(([criterion, path]) => [criterion, path])).toEqual([
      [7, `${TASKS}[1].task_id`],
      [9, `${TASKS}[1].depends_on[0]`],
    ]);
  });
});

describe("all three", () => {
  /** Random dependencies among the tasks of a complete spec, some of them unknown, and sometimes a repeated id. */
  const tangled = fc
    .tuple(productSpec(), fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 12 }), fc.option(fc.nat()))
    .map(([spec, edges, repeat]) => {
      const tasks = placedTasks(spec).map((placed) => placed.task);
      const idAt = (at: number): string => tasks[at % (tasks.length + 1)]?.task_id ?? "TSK-999";
      for (const [from, to] of edges) {
        const task = tasks[from % tasks.length];
        if (task !== undefined) task.depends_on = [...(task.depends_on ?? []), idAt(to)];
      }
      const repeated = repeat === null ? undefined : tasks[repeat % tasks.length];
      if (repeated !== undefined) repeated.task_id = "TSK-001";
      return spec;
    });

  it("agree with naive checks", () => {
    fc.assert(
      fc.property(tangled, (spec) => {
        const tasks = placedTasks(spec).map((placed) => placed.task);
        const ids = tasks.map((task) => task.task_id);
        const found = validateSpec(spec).errors.map((error) => error.criterion);
        expect(found.filter((criterion) => criterion === 7)).toHaveLength(ids.length - new Set(ids).size);
        const references = tasks.flatMap((task) => task.depends_on ?? []);
        const unknown = references.filter((reference) => !ids.includes(reference));
        expect(found.filter((criterion) => criterion === 8)).toHaveLength(unknown.length);
        const waitsFor = (id: string, goal: string, seen: string[]): boolean =>
          tasks
            .filter((task) => task.task_id === id)
            .flatMap((task) => task.depends_on ?? [])
            .some((next) => next === goal || (!seen.includes(next) && waitsFor(next, goal, [...seen, next])));
        expect(found.includes(9)).toBe(ids.some((id) => waitsFor(id, id, [])));
      }),
    );
  });

  it("cost little on a chain of three thousand tasks", () => {
    const tasks = Array.from({ length: 3000 }, (_, index) =>
      task(`TSK-${1000 + index}`, `Step ${index}`, `TSK-${1000 + ((index + 1) % 3000)}`),
    );
    const errors = validateSpec(specWith(...tasks)).errors;
    expect(errors.map((error) => error.criterion)).toEqual([9]);
  });
});
