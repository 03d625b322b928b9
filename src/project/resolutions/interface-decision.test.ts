// What a person says to a request for another contract, and what becomes of the tasks.
import { describe, expect, test } from "vitest";
import { engineering, portsFor, projectOf, statusesOf } from "../../../test/project-samples.ts";
import { id } from "../../../test/project-specs.ts";
import { TASK } from "../../../test/engineering-ground.ts";
import { EscalationArtifact } from "../../domain/people/escalation.ts";
import type { TaskRequest } from "../../domain/people/interface-change.ts";
import type { DecisionOrder, DecisionOutcome } from "../../engineering/interface-change/decide.ts";
import type { TaskOrder } from "../../engineering/port.ts";
import type { Question } from "../../store/port.ts";
import type { Project } from "../project.ts";
import { supervise } from "../supervise.ts";

const ICE = "ICE-0a1b2c3d";
const REQUEST: TaskRequest = {
  exception_id: ICE,
  from: "MM-part1@1.0.0",
  to: "MM-part1@1.1.0",
  contract_ref: "CTR-0a1b2c3d@1.0.0",
  why: "a separator is missing",
  breaking: [],
  consumers: [],
};

/** Task 2 builds on task 1 and has asked for another contract of it. */
async function raised(): Promise<Project> {
  const project = await projectOf([[], [1], [2]]);
  const { engineer } = engineering(project, ({ task }) => (task.task_id === id(2) ? "halt" : undefined));
  await supervise(project, portsFor(engineer));
  const { store, fence } = project.desk;
  const [question] = await store.inbox.open();
  if (question === undefined) throw new Error("nobody asks");
  await store.inbox.volunteer(
    { ...question, id: "away", answerSchema: "Budget", kind: "budget", body: {} },
    {},
    "x",
    question.id,
  );
  await store.inbox.ask(fence, {
    ...question,
    id: "change",
    kind: "interface_change",
    answerSchema: "InterfaceChangeDecision",
    body: { ...Object(question.body), interface_change_ref: ICE },
  });
  return project;
}

async function decided(
  project: Project,
  answer: object,
  outcome: (order: DecisionOrder) => DecisionOutcome | Promise<DecisionOutcome>,
) {
  const { store } = project.desk;
  const open = (await store.inbox.open()).find(({ kind }) => kind === "interface_change");
  expect(await store.inbox.answer(open?.id ?? "", { exception_id: ICE, ...answer }, "ada")).toMatchObject({
    kind: "accepted",
  });
  const orders: TaskOrder[] = [];
  const decisions: DecisionOrder[] = [];
  const { engineer } = engineering(project);
  const ended = await supervise(
    project,
    portsFor((order) => (orders.push(order), engineer(order)), {
      decide: async (order) => (decisions.push(order), outcome(order)),
    }),
  );
  return { ended, orders, decisions };
}

/** As engineering does: the request is put before the person again, under a new name. */
async function asksAgain(
  project: Project,
  because: "rejected" | "deferred",
  change: Partial<Question>,
): Promise<DecisionOutcome> {
  const { store, fence } = project.desk;
  const found = await store.inbox.find("change");
  if (found === undefined) throw new Error("nobody asked");
  await store.inbox.ask(fence, { ...found.question, ...change, id: "change again" });
  const escalation = EscalationArtifact.parse(found.question.body);
  return { kind: "stays_halted", because, escalation };
}

function requested({ taskId }: DecisionOrder): DecisionOutcome {
  return { kind: "task_requested", request: REQUEST, task: { ...TASK, task_id: taskId } };
}

describe("a decision about a contract", () => {
  test("approved: a task makes the new version, and the one who asked waits for it", async () => {
    const project = await raised();
    const { ended, orders, decisions } = await decided(project, { decision: "APPROVE_CHANGE" }, requested);
    expect(ended).toEqual({ kind: "finished" });
    expect(decisions).toMatchObject([{ taskId: id(4), order: { task: { task_id: id(2) } } }]);
    expect(orders.map(({ task, attempt, change }) => [task.task_id, attempt, change?.to])).toEqual([
      [id(4), 1, "MM-part1@1.1.0"],
      [id(2), 2, undefined],
      [id(3), 1, undefined],
    ]);
    expect(project.machine.entry(id(2)).depends_on).toEqual([id(1), id(4)]);
    const told = await project.desk.store.journal.read(0, 1000);
    expect(told.filter(({ kind }) => kind === "escalation_resolved")).toMatchObject([
      { task: id(2), action: "APPROVE_CHANGE" },
    ]);
  });

  test("rejected and queued again: the reason is in the file of the next attempt", async () => {
    const project = await raised();
    const answer = { decision: "REJECT_CHANGE", reason: "use a comma", requeue: true };
    const { orders } = await decided(project, answer, () => ({ kind: "requeue", reason: "use a comma" }));
    expect(orders[0]).toMatchObject({
      attempt: 2,
      task: { amendment_history: [{ rationale: expect.stringContaining("use a comma") }] },
    });
  });

  test("rejected and left: the person is asked what now, and may say anything about the task", async () => {
    const project = await raised();
    const answer = { decision: "REJECT_CHANGE", reason: "no", requeue: false };
    const { ended } = await decided(project, answer, () =>
      asksAgain(project, "rejected", { kind: "escalation", answerSchema: "HumanResolution" }),
    );
    expect(ended).toEqual({ kind: "halted" });
    expect(await project.desk.store.inbox.open()).toMatchObject([
      { kind: "escalation", answerSchema: "HumanResolution" },
    ]);
  });

  test("put off: nothing changes, and the same question is open again", async () => {
    const project = await raised();
    const before = project.machine.toState().tasks;
    const { ended, orders } = await decided(project, { decision: "DEFER" }, () =>
      asksAgain(project, "deferred", {}),
    );
    expect([ended.kind, orders]).toEqual(["halted", []]);
    expect(project.machine.toState().tasks).toEqual(before);
    const again = await decided(project, { decision: "APPROVE_CHANGE" }, requested);
    expect(again.ended).toEqual({ kind: "finished" });
  });

  test("stopped in the middle of the debate: the same decision about the same task goes on", async () => {
    const project = await raised();
    const first = await decided(project, { decision: "APPROVE_CHANGE" }, () => ({
      kind: "stopped",
      why: "the provider is away",
    }));
    expect(first.ended).toEqual({ kind: "stopped", why: "the provider is away" });
    expect(statusesOf(project)).toBe("SHIPPED HALTED BLOCKED");
    const decisions: DecisionOrder[] = [];
    const { engineer } = engineering(project);
    const decide = async (order: DecisionOrder) => (decisions.push(order), requested(order));
    expect(await supervise(project, portsFor(engineer, { decide }))).toEqual({ kind: "finished" });
    expect(decisions[0]).toEqual({
      ...first.decisions[0],
      order: { ...first.decisions[0]?.order, snapshot: expect.any(Function) },
    });
  });

  test("a breaking change that ships gives each consumer a task that builds on it", async () => {
    const project = await raised();
    const { store, fence } = project.desk;
    const { slugifyContract } = await import("../../../test/arbitraries/contract.ts");
    const contract = { ...slugifyContract(), module_id: "MM-badge", module_version: "1.0.0", name: "badge" };
    await store.modules.record(fence, "MM-badge@1.0.0", { "contract.json": JSON.stringify(contract) });
    await store.inbox.answer("change", { decision: "APPROVE_CHANGE", exception_id: ICE }, "ada");
    const orders: TaskOrder[] = [];
    const { engineer } = engineering(project);
    const ended = await supervise(
      project,
      portsFor(
        async (order) => {
          orders.push(order);
          const outcome = await engineer(order);
          if (order.change === undefined || outcome.kind !== "shipped") return outcome;
          const consumer = { module: "MM-badge@1.0.0", verified: false, action: "task" } as const;
          return { ...outcome, consumers: [consumer, { ...consumer, action: "reverify" }] };
        },
        { decide: async (order) => requested(order) },
      ),
    );
    expect(ended).toEqual({ kind: "finished" });
    expect(orders.map(({ task }) => task.task_id)).toEqual([id(4), id(2), id(3), id(5)]);
    expect(orders.at(-1)?.task).toMatchObject({
      task_name: "badge on MM-part1@1.1.0",
      dependency_contracts: [{ module_ref: "MM-part4@1.0.0" }],
    });
    expect(project.machine.entry(id(5)).depends_on).toEqual([id(4)]);
  });
});
