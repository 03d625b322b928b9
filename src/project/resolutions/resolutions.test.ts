// Each of the seven answers with exactly its effects, and every wrong one refused without a trace.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectOf, refOf, statusesOf, work } from "../../../test/project-samples.ts";
import { id, SKETCH } from "../../../test/project-specs.ts";
import type { HumanResolution, NewTask } from "../../domain/people/resolution.ts";
import { renderTaskFile } from "../../domain/task/task-file.ts";
import type { Project } from "../project.ts";

const WAITS = [[], [1], [2], []];
const AMEND: HumanResolution = {
  action: "AMEND_SPEC",
  amended_acceptance_criteria: ["an empty title is refused", "any other gives a slug"],
  amendment_rationale: "nobody had said what an empty title means",
};

/** Task 1 has halted; 2 and 3 wait behind it, 4 waits for nobody. */
async function haltedProject(end: "halt" | "plan" = "halt"): Promise<Project> {
  const project = await projectOf(WAITS);
  await work(project, ({ task }) => (task.task_id === id(1) ? end : undefined));
  expect(statusesOf(project)).toBe("HALTED BLOCKED BLOCKED PENDING");
  return project;
}

async function answer({ desk }: Project, given: unknown, task = id(1)): Promise<void> {
  const open = await desk.store.inbox.open();
  const question = open.find(({ body }) => JSON.stringify(body).includes(`"task_id":"${task}"`));
  const result = await desk.store.inbox.answer(question?.id ?? "", given, "ada");
  expect(result).toMatchObject({ kind: "accepted" });
}

describe("an answer that sends the same attempt back to work", () => {
  test("an override enters at the door with its reason, which stays with the escalation", async () => {
    const project = await haltedProject();
    await answer(project, { action: "APPROVE_OVERRIDE", rationale: "the test is wrong" });
    const { outcome, orders } = await work(project);
    expect(outcome).toEqual({ kind: "finished" });
    const escalation = (await project.task(id(1))).entry.escalation_ref ?? "";
    expect(orders[0]).toMatchObject({
      attempt: 1,
      resolution: { kind: "override", module: "MM-part", escalation, rationale: "the test is wrong" },
    });
    const { store } = project.desk;
    const versions = await store.artifacts.query({ type: "ESCALATION", lineage: escalation });
    expect(versions.map(({ envelope }) => [envelope.version, envelope.notes])).toEqual([
      ["1.0.0", ""],
      ["1.1.0", "APPROVE_OVERRIDE"],
    ]);
    const file = join(store.root, "escalations", `${escalation}.resolution-1.json`);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      escalation_id: escalation,
      resolution: { action: "APPROVE_OVERRIDE", rationale: "the test is wrong" },
    });
    const told = await store.journal.read(0, 100);
    expect(told.filter(({ kind }) => kind === "escalation_resolved")).toMatchObject([
      { task: id(1), escalation, action: "APPROVE_OVERRIDE" },
    ]);
  });

  test("a fix enters at the challenge, and when it fails there is a new escalation", async () => {
    const project = await haltedProject();
    const fix = { "src/index.ts": "export const x = 1;\n" };
    await answer(project, { action: "PROVIDE_FIX", fix_description: "counts right", fix_artifacts: fix });
    const first = await work(project, () => "halt");
    expect(first.outcome).toEqual({ kind: "halted" });
    expect(first.orders).toMatchObject([
      {
        attempt: 1,
        resolution: { kind: "fix", module: "MM-part", files: fix, description: "counts right" },
      },
    ]);
    expect(await project.desk.store.inbox.open()).toHaveLength(1);
    await answer(project, { action: "APPROVE_OVERRIDE", rationale: "enough" });
    const { orders } = await work(project);
    expect(orders[0]).toMatchObject({ attempt: 1, resolution: { kind: "override" } });
  });

  test("another plan begins another attempt", async () => {
    const project = await haltedProject("plan");
    const module = {
      module_id: "MM-half",
      name: "half",
      purpose: "Does half of it.",
      io_contract: {
        inputs: ["a: string"],
        outputs: ["b: string"],
        error_surfaces: ["none"],
        effects: ["none"],
        modes: ["sync"],
      },
      error_cases: [],
      depends_on: [],
      reuse_candidate_refs: [],
      reuse_decision: "CREATE_NEW",
      reuse_justification: "Nothing of the kind is there.",
    };
    await answer(project, { action: "REVISE_PLAN", revised_micro_plan: [module] });
    const { orders } = await work(project);
    expect(orders[0]).toMatchObject({ attempt: 2, resolution: { kind: "plan", modules: [module] } });
  });
});

describe("an amendment", () => {
  test("queues the task again with other criteria, and the old ones stay in its file", async () => {
    const project = await haltedProject();
    const before = (await project.task(id(1))).file.acceptance_criteria;
    await answer(project, AMEND);
    const { orders } = await work(project);
    expect(orders[0]).toMatchObject({
      attempt: 2,
      task: {
        acceptance_criteria: ["an empty title is refused", "any other gives a slug"],
        amendment_history: [
          {
            rationale: "nobody had said what an empty title means",
            previous_acceptance_criteria: before,
          },
        ],
      },
    });
    expect(orders[0]?.resolution).toBeUndefined();
    const text = renderTaskFile((await project.task(id(1))).file);
    expect(text).toContain("## Amendment History");
    expect(text).toContain(before[0]);
    const unpublished = await project.desk.store.project.unpublished(9);
    expect(unpublished.map(({ taskId }) => taskId)).toContain(id(1));
  });

  test("may make it wait for others", async () => {
    const project = await haltedProject();
    await answer(project, { ...AMEND, depends_on: [id(4)] });
    const { orders } = await work(project);
    expect(orders.map(({ task }) => task.task_id)).toEqual([id(4), id(1), id(2), id(3)]);
    expect(project.machine.entry(id(1)).depends_on).toEqual([id(4)]);
  });
});

const PART: NewTask = {
  name: "Task 1",
  description: "The first half.",
  subtasks: ["cut", "join"],
  acceptance_criteria: ["it answers", "it refuses"],
  io_contract_sketch: SKETCH,
  depends_on: [],
};

describe("a split", () => {
  test("gives way to new tasks with ids and files of their own, and whoever waited waits for them", async () => {
    const project = await haltedProject();
    const second = { ...PART, name: "Second half", depends_on: ["Task 1", id(4)] };
    await answer(project, { action: "SPLIT_TASK", new_tasks: [PART, second] });
    const { outcome, orders } = await work(project);
    expect(outcome).toEqual({ kind: "finished" });
    expect(orders.map(({ task }) => task.task_id)).toEqual([4, 5, 6, 2, 3].map(id));
    expect(project.machine.entry(id(1))).toMatchObject({
      status: "ABANDONED",
      superseded_by: [id(5), id(6)],
    });
    expect(project.machine.entry(id(2)).depends_on).toEqual([id(5), id(6)]);
    expect(project.machine.entry(id(6))).toMatchObject({
      depends_on: [id(5), id(4)],
      declaration_order: 5,
      story: "Story 1",
    });
    expect((await project.task(id(5))).path).toBe(`project/core/work/story-1/task-1-2/${id(5)}.md`);
    expect((await project.task(id(6))).path).toBe(`project/core/work/story-1/second-half/${id(6)}.md`);
    // What the database has is what the machine has: also the dependencies of those who only changed these.
    const saved = Object.fromEntries(await project.desk.store.project.entries());
    expect(saved).toEqual(project.machine.toState().tasks);
  });
});

describe("abandoning and attesting", () => {
  test("an abandoned task stops whoever waits for it until a person has decided about each of them", async () => {
    const project = await haltedProject();
    await answer(project, { action: "ABANDON_TASK", rationale: "nobody needs it" });
    const first = await work(project);
    expect(first.outcome).toEqual({ kind: "blocked" });
    expect(statusesOf(project)).toBe("ABANDONED BLOCKED BLOCKED SHIPPED");
    const asked = await project.desk.store.inbox.open();
    expect(asked).toMatchObject([{ title: expect.stringContaining(`${id(2)} waits for ${id(1)}`) }]);

    await answer(project, { ...AMEND, depends_on: [id(4)] }, id(2));
    const second = await work(project);
    expect(second.outcome).toEqual({ kind: "finished" });
    expect(second.orders.map(({ task, attempt }) => [task.task_id, attempt])).toEqual([
      [id(2), 1],
      [id(3), 1],
    ]);
    expect(await project.desk.store.inbox.open()).toEqual([]);
  });

  test("what waits behind it may be abandoned or split as well", async () => {
    const project = await haltedProject();
    await answer(project, { action: "ABANDON_TASK", rationale: "nobody needs it" });
    await work(project);
    await answer(project, { action: "ABANDON_TASK", rationale: "neither this" }, id(2));
    expect((await work(project)).outcome).toEqual({ kind: "blocked" });
    await answer(project, { action: "SPLIT_TASK", new_tasks: [{ ...PART, name: "Alone" }] }, id(3));
    expect((await work(project)).outcome).toEqual({ kind: "finished" });
    expect(statusesOf(project)).toBe("ABANDONED ABANDONED ABANDONED SHIPPED SHIPPED");
  });

  test("a person's attestation ships it without work, and what waited goes on", async () => {
    const project = await haltedProject();
    await answer(project, { action: "ATTEST_SHIPPED", rationale: "I have looked at every line" });
    const { outcome, orders } = await work(project);
    expect(outcome).toEqual({ kind: "finished" });
    expect(orders.map(({ task }) => task.task_id)).toEqual([2, 3, 4].map(id));
    expect(project.machine.entry(id(1))).toMatchObject({ status: "SHIPPED", module_refs: [] });
    expect(project.machine.entry(id(2)).module_refs).toEqual([refOf(id(2))]);
  });
});

describe("an answer that cannot be carried out", () => {
  test.each([
    ["waits for itself", { ...AMEND, depends_on: [id(3)] }, /wait for each other.*T-core-work-story-1-003/],
    ["waits for nobody that exists", { ...AMEND, depends_on: ["T-core-work-story-1-099"] }, /no task/],
    [
      "vouches for a module that nobody made",
      { action: "ATTEST_SHIPPED", rationale: "trust me", module_refs: ["MM-ghost@1.0.0"] },
      /no module/,
    ],
  ])(
    "because it %s changes nothing, and the person is asked again with the reason",
    async (_, given, why) => {
      const project = await haltedProject();
      const before = project.machine.toState().tasks;
      await answer(project, given);
      const { outcome, orders } = await work(project);
      expect([outcome.kind, orders]).toEqual(["halted", []]);
      expect(project.machine.toState().tasks).toEqual(before);
      const { store } = project.desk;
      expect(Object.fromEntries(await store.project.entries())).toEqual(before);
      expect(await store.inbox.open()).toMatchObject([{ title: expect.stringMatching(why) }]);
      await answer(project, AMEND);
      expect((await work(project)).outcome).toEqual({ kind: "finished" });
    },
  );

  test("an override of a task that never had a module says what to do instead", async () => {
    const project = await haltedProject("plan");
    await answer(project, { action: "APPROVE_OVERRIDE", rationale: "ship it" });
    await work(project);
    expect(await project.desk.store.inbox.open()).toMatchObject([
      { id: expect.stringMatching(/#2$/), title: expect.stringContaining("halted before it had one") },
    ]);
  });

  test("of two people who answer at once the first counts, whoever applies it", async () => {
    const project = await haltedProject();
    const [question] = await project.desk.store.inbox.open();
    const { inbox } = project.desk.store;
    const both = await Promise.all([
      inbox.answer(question?.id ?? "", AMEND, "ada"),
      inbox.answer(question?.id ?? "", { action: "ABANDON_TASK", rationale: "no" }, "bob"),
    ]);
    expect(both.map(({ kind }) => kind)).toEqual(["accepted", "already-answered"]);
    expect((await work(project)).outcome).toEqual({ kind: "finished" });
    expect((await project.task(id(1))).attempt).toBe(2);
  });
});
