// Memory and database say the same after every call, also after one that was refused half-way.
import { expect, test } from "vitest";
import { deskIn, projectOf, statusesOf, work } from "../../test/project-samples.ts";
import { id } from "../../test/project-specs.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import type { Project } from "./project.ts";

async function expectSame(project: Project): Promise<void> {
  const saved = Object.fromEntries(await project.desk.store.project.entries());
  expect(project.machine.toState().tasks).toEqual(saved);
}

test("an edit whose second half is refused leaves the first half nowhere", async () => {
  const project = await projectOf([[], []]);
  const start = { kind: "start", at: project.time(), task: id(1) } as const;
  await expect(project.apply({ why: "twice", operations: [start, start] })).rejects.toMatchObject({
    code: "illegal_transition",
  });
  expect(statusesOf(project)).toBe("PENDING PENDING");
  await expectSame(project);
  await project.apply({ why: "once", operations: [start] });
  expect(statusesOf(project)).toBe("IN_PROGRESS PENDING");
});

test("what the database refuses did not happen in memory either", async () => {
  const directory = temporaryDirectory();
  const project = await projectOf([[]], await deskIn(directory, "the same"));
  await deskIn(directory, "the same");
  const operations = [{ kind: "start", at: project.time(), task: id(1) } as const];
  await expect(project.apply({ why: "late", operations })).rejects.toMatchObject({ code: "stale_fence" });
  expect(statusesOf(project)).toBe("PENDING");
});

test("an answer is carried out once, and whoever comes second has changed nothing", async () => {
  const project = await projectOf([[]]);
  const { store } = project.desk;
  await work(project, () => "halt");
  const [question] = await store.inbox.open();
  const applies = question?.id ?? "";
  await store.inbox.answer(applies, { action: "ABANDON_TASK", rationale: "no" }, "ada");
  const resume = {
    why: "x",
    operations: [{ kind: "resume", at: project.time(), task: id(1) } as const],
    applies,
  };
  const abandon = {
    why: "y",
    operations: [{ kind: "abandon", at: project.time(), task: id(1) } as const],
    applies,
  };
  expect(await project.apply(abandon)).toBe(true);
  expect(statusesOf(project)).toBe("ABANDONED");
  await expect(project.apply(resume)).rejects.toMatchObject({ code: "illegal_transition" });
  expect(await project.apply({ why: "z", operations: [], applies })).toBe(false);
  await expectSame(project);
});

test("whoever waited for a split task waits for its parts in the database, too, also when nothing else changes", async () => {
  const project = await projectOf([[], [1, 3], []]);
  await work(project, ({ task }) => (task.task_id === id(2) ? undefined : "halt"), { concurrency: 2 });
  expect(statusesOf(project)).toBe("HALTED BLOCKED HALTED");
  const { taskId: _, ...first } = await project.task(id(1));
  const part = {
    task_id: id(4),
    pillar: "Core",
    epic: "Work",
    story: "Story 1",
    task: "Part",
    depends_on: [],
  };
  await project.apply({
    why: "split",
    operations: [{ kind: "split", at: project.time(), task: id(1), into: [part] }],
    added: [{ ...first, taskId: id(4), path: `project/core/work/story-1/part/${id(4)}.md` }],
  });
  expect(project.machine.entry(id(2))).toMatchObject({ status: "BLOCKED", depends_on: [id(3), id(4)] });
  await expectSame(project);
});
