// The plan of one attempt at a task: made once, found again ever after.
import type { DraftedModule } from "../../domain/agent/plan-roles.ts";
import { canonicalJson } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import type { PlannedModule } from "../../domain/plan/micro-plan.ts";
import { closeCalls } from "../calls/close-calls.ts";
import { changedModule } from "../interface-change/agreed-contract.ts";
import { changePlan } from "../interface-change/change-task.ts";
import { goOn } from "../../graph/go-on.ts";
import type { EngineeringPorts, TaskOrder } from "../port.ts";
import { threadName } from "../subject.ts";
import { planGraph } from "./plan-graph.ts";
import type { PlanOutcome } from "./plan-outcome.ts";

export type Planned = { kind: "planned"; outcome: PlanOutcome } | { kind: "stopped"; why: string };

export async function planTask(engineering: EngineeringPorts, order: TaskOrder): Promise<Planned> {
  const { task, attempt, protocol, change } = order;
  const thread = threadName(engineering.runId, order, "plan");
  const given = await givenPlan(engineering, order);
  const subject = {
    task,
    attempt,
    protocol,
    dependencies: task.dependency_contracts.map(({ module_ref }) => module_ref),
  };
  assertOwnAttempt(engineering, thread, given);
  const went = await goOn(engineering.graphs, planGraph, {
    thread,
    runId: engineering.runId,
    ports: { engineering, subject, givenBy: change === undefined ? "person" : "harness" },
    input: { given },
  });
  if (went.kind === "stopped") return went;
  await closeCalls(engineering, thread, { task });
  const { outcome } = went.state;
  if (outcome === null) throw new Error(`the thread ${thread} ended without an outcome`);
  return { kind: "planned", outcome };
}

/** A person's own plan, or the one that follows from an approved change; else a planner is asked. */
async function givenPlan(
  engineering: EngineeringPorts,
  { change, resolution, task }: TaskOrder,
): Promise<DraftedModule[] | null> {
  if (change === undefined) return resolution?.kind === "plan" ? resolution.modules.map(drafted) : null;
  if (resolution?.kind !== "plan") return [drafted(changePlan(await changedModule(engineering, change)))];
  throw new CupelError("usage", `the plan of ${task.task_id} follows from ${change.exception_id}`, {
    expected: "a fix or an override for what it makes",
    hint: `cupel store show ${change.exception_id}`,
  });
}

/** Nothing of another plan is carried over, so a person's plan begins an attempt of its own. */
function assertOwnAttempt(
  { graphs }: EngineeringPorts,
  thread: string,
  given: readonly DraftedModule[] | null,
): void {
  const found = graphs.find(thread);
  if (found === undefined || given === null) return;
  if (canonicalJson(found.begunWith["given"] ?? null) === canonicalJson(given)) return;
  throw new CupelError("usage", `${thread} has another plan already`, {
    expected: "a new attempt for a person's plan",
  });
}

function drafted({ module_version, ...module }: PlannedModule): DraftedModule {
  return { ...module, module_version: module_version ?? null };
}
