// The plan of one attempt at a task: made once, found again ever after.
import type { DraftedModule } from "../../domain/agent/plan-roles.ts";
import { canonicalJson } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import type { PlannedModule } from "../../domain/plan/micro-plan.ts";
import { goOn } from "../go-on.ts";
import type { EngineeringPorts, TaskOrder } from "../port.ts";
import { threadName } from "../subject.ts";
import { planGraph } from "./plan-graph.ts";
import type { PlanOutcome } from "./plan-outcome.ts";

export type Planned = { kind: "planned"; outcome: PlanOutcome } | { kind: "stopped"; why: string };

export async function planTask(engineering: EngineeringPorts, order: TaskOrder): Promise<Planned> {
  const { task, attempt, protocol, resolution } = order;
  const thread = threadName(engineering.runId, order, "plan");
  const given = resolution?.kind === "plan" ? resolution.modules.map(drafted) : null;
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
    ports: { engineering, subject },
    input: { given },
  });
  if (went.kind === "stopped") return went;
  const { outcome } = went.state;
  if (outcome === null) throw new Error(`the thread ${thread} ended without an outcome`);
  return { kind: "planned", outcome };
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
