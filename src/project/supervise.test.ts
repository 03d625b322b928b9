// The supervisor: who starts when, what a halt stops, and how work goes on after anything.
import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  deskIn,
  engineering,
  portsFor,
  projectOf,
  refOf,
  statusesOf,
  work,
} from "../../test/project-samples.ts";
import { id } from "../../test/project-specs.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { Project } from "./project.ts";
import { supervise } from "./supervise.ts";

describe("dispatch", () => {
  test("goes through a diamond in declaration order, each with the contracts of what it builds on", async () => {
    const project = await projectOf([[], [1], [1], [2, 3]]);
    const { outcome, orders } = await work(project);
    expect(outcome).toEqual({ kind: "finished" });
    expect(orders.map(({ task }) => task.task_id)).toEqual([1, 2, 3, 4].map(id));
    expect(orders.map(({ task }) => task.dependency_contracts.map(({ module_ref }) => module_ref))).toEqual([
      [],
      [refOf(id(1))],
      [refOf(id(1))],
      [refOf(id(2)), refOf(id(3))],
    ]);
    const kept = await project.task(id(4));
    expect(kept.file.dependency_contracts).toHaveLength(2);
    expect(kept.entry).toMatchObject({ status: "SHIPPED", module_refs: [refOf(id(4))] });
  });

  test("works on as many at once as it may, and never on one before its dependencies", async () => {
    const project = await projectOf([[], [], [], [1], [2]]);
    let most = 0;
    let now = 0;
    const { orders } = await work(
      project,
      async () => {
        most = Math.max(most, ++now);
        await sleep(5);
        now -= 1;
        return undefined;
      },
      { concurrency: 2 },
    );
    expect(most).toBe(2);
    expect(orders.slice(0, 2).map(({ task }) => task.task_id)).toEqual([id(1), id(2)]);
    expect(orders).toHaveLength(5);
  });

  test("every change of a status is in the journal, in order, with its reason", async () => {
    const project = await projectOf([[], [1]]);
    await work(project, ({ task }) => (task.task_id === id(1) ? "halt" : undefined));
    const events = await project.desk.store.journal.read(2, 100);
    expect(events.flatMap((event) => (event.kind === "task_transitioned" ? [event] : []))).toMatchObject([
      { task: id(1), from: "PENDING", to: "IN_PROGRESS" },
      { task: id(1), from: "IN_PROGRESS", to: "HALTED", why: "Say what an empty title means." },
      { task: id(2), from: "PENDING", to: "BLOCKED", why: expect.stringContaining(`because of ${id(1)}`) },
    ]);
  });
});

describe("a halt", () => {
  test("lets work under way finish, starts nothing new and blocks whoever waits", async () => {
    const project = await projectOf([[], [], [], [1], [4]]);
    const { outcome, orders } = await work(
      project,
      async ({ task }) => {
        if (task.task_id === id(1)) return "halt";
        await sleep(30);
        return undefined;
      },
      { concurrency: 2 },
    );
    expect(outcome).toEqual({ kind: "halted" });
    expect(orders.map(({ task }) => task.task_id)).toEqual([id(1), id(2)]);
    expect(statusesOf(project)).toBe("HALTED SHIPPED PENDING BLOCKED BLOCKED");
  });

  test("is answered while others work, and dispatch goes on without a new run", async () => {
    const project = await projectOf([[], [], [1]]);
    const { store } = project.desk;
    const { outcome, orders } = await work(
      project,
      async ({ task, attempt }) => {
        if (task.task_id === id(1) && attempt === 1) return "halt";
        if (task.task_id === id(2)) {
          await expect.poll(() => store.inbox.open()).toHaveLength(1);
          const [question] = await store.inbox.open();
          await store.inbox.answer(question?.id ?? "", AMENDMENT, "ada");
          await sleep(50);
        }
        return undefined;
      },
      { concurrency: 2 },
    );
    expect(outcome).toEqual({ kind: "finished" });
    expect(orders.map(({ task, attempt }) => [task.task_id, attempt])).toEqual([
      [id(1), 1],
      [id(2), 1],
      [id(1), 2],
      [id(3), 1],
    ]);
  });
});

const AMENDMENT = {
  action: "AMEND_SPEC",
  amended_acceptance_criteria: ["one", "two"],
  amendment_rationale: "an empty title is refused",
};

describe("stopping and going on", () => {
  test("a task whose process died goes on with the very same order", async () => {
    const directory = temporaryDirectory();
    const first = await projectOf([[], [1]], await deskIn(directory, "a process"));
    const dying = engineering(first, () => sleep(3_600_000).then(() => undefined));
    void supervise(first, portsFor(dying.engineer));
    await expect.poll(() => dying.orders.length).toBe(1);

    // The same holder takes over from itself, as after the end of a lease.
    const again = await Project.open(await deskIn(directory, "a process"));
    const { outcome, orders } = await work(again);
    expect(outcome).toEqual({ kind: "finished" });
    expect(orders.map(({ task }) => task.task_id)).toEqual([id(1), id(2)]);
    expect(orders[0]).toEqual({ ...dying.orders[0], snapshot: expect.any(Function) });
    await expect(first.apply({ why: "late", operations: [] })).rejects.toMatchObject({ code: "stale_fence" });
  });

  test("asked to stop, it drains what is under way and leaves the rest for the next time", async () => {
    const project = await projectOf([[], [], []]);
    const stopping = new AbortController();
    let drained = 0;
    const held = new EventEmitter();
    const { engineer, orders } = engineering(project, async () => {
      stopping.abort();
      await once(held, "drain");
      return "stop" as const;
    });
    const drain = async () => {
      drained += 1;
      held.emit("drain");
    };
    const outcome = await supervise(project, portsFor(engineer, { drain, signal: stopping.signal }));
    expect(outcome).toEqual({ kind: "stopped", why: "it was asked to stop" });
    expect([drained, orders.length]).toEqual([1, 1]);
    expect(statusesOf(project)).toBe("IN_PROGRESS PENDING PENDING");
    const next = await work(project);
    expect(next.outcome).toEqual({ kind: "finished" });
    expect(next.orders).toHaveLength(3);
  });

  test("what keeps one task from going on stops everything, and the task stays as it is", async () => {
    const project = await projectOf([[], []]);
    const { outcome, orders } = await work(project, () => "stop");
    expect(outcome).toEqual({ kind: "stopped", why: "the provider is away" });
    expect(orders).toHaveLength(1);
    expect(statusesOf(project)).toBe("IN_PROGRESS PENDING");
  });

  test("what throws is told after everything else has ended", async () => {
    const project = await projectOf([[], []]);
    const { engineer } = engineering(project, async ({ task }) => {
      if (task.task_id === id(1)) throw new Error("a bug");
      await sleep(20);
      return undefined;
    });
    await expect(supervise(project, portsFor(engineer, { concurrency: 2 }))).rejects.toThrow("a bug");
    expect(statusesOf(project)).toBe("IN_PROGRESS SHIPPED");
  });
});
