// The policy of a task is the one that it was dispatched under, whatever is configured, killed or answered afterwards.
import { describe, expect, test } from "vitest";
import { projectOf, work } from "../../test/project-samples.ts";
import { id } from "../../test/project-specs.ts";
import { resolveRigor } from "../domain/evidence/rigor.ts";
import { fixedPolicy } from "../domain/task/task-policy.ts";
import type { TaskOrder } from "../engineering/port.ts";
import { Project } from "./project.ts";

const LITE = { rigor: resolveRigor("lite"), protocol: "solo" } as const;

function bases(orders: readonly TaskOrder[]): string[][] {
  return orders.map(({ rigor, protocol }) => [rigor.base, protocol]);
}

async function answer({ desk }: Project, given: unknown): Promise<void> {
  const [question] = await desk.store.inbox.open();
  expect(await desk.store.inbox.answer(question?.id ?? "", given, "ada")).toMatchObject({ kind: "accepted" });
}

describe("the policy of a task", () => {
  test("is that of its dispatch, also for another process with another configuration", async () => {
    const project = await projectOf([[], [1]]);
    const dying = await work(project, () => "stop");
    expect(bases(dying.orders)).toEqual([["standard", "debate"]]);
    const { orders } = await work(await Project.open(project.desk), undefined, LITE);
    expect(bases(orders)).toEqual([
      ["standard", "debate"],
      ["lite", "solo"],
    ]);
    expect(orders[0]?.rigor).toEqual(resolveRigor("standard"));
  });

  test("stays when a person sends the task on, and is new when it begins anew", async () => {
    const project = await projectOf([[]]);
    await work(project, () => "halt");
    await answer(project, { action: "APPROVE_OVERRIDE", rationale: "the test is wrong" });
    const resumed = await work(project, () => "halt", LITE);
    expect(bases(resumed.orders)).toEqual([["standard", "debate"]]);
    await answer(project, {
      action: "AMEND_SPEC",
      amended_acceptance_criteria: ["one", "two"],
      amendment_rationale: "an empty title is refused",
    });
    const anew = await work(project, undefined, LITE);
    expect(bases(anew.orders)).toEqual([["lite", "solo"]]);
    expect(anew.orders[0]).toMatchObject({ attempt: 2 });
  });

  test("cannot be changed in the database while the attempt lasts", async () => {
    const project = await projectOf([[]]);
    await work(project, () => "halt");
    const task = await project.task(id(1));
    const loosened = { ...task, policy: fixedPolicy(LITE) };
    const change = { why: "to make it easier", operations: [], revised: [loosened] };
    await expect(project.apply(change)).rejects.toThrow("the policy of a task stays");
  });
});
