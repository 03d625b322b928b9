// Makes the modules of a locked plan one after the other: what waits for a failed one is never attempted, the rest goes on.
import type { MicroPlan, PlannedModule } from "../domain/plan/micro-plan.ts";
import { type ModuleOutcome, planProgress } from "../domain/plan/plan-order.ts";
import type { ModuleRef } from "../domain/refs.ts";
import type { Halt } from "../protocols/outcome.ts";
import type { Protocol, ProtocolOutcome } from "../protocols/port.ts";
import { forgetWatched } from "../workshop/workspace/watched.ts";
import { assignmentOf } from "./assignment.ts";
import { closeCalls } from "./calls/close-calls.ts";
import { enterResolved } from "./enter-resolved.ts";
import { modulePorts } from "./module-ports/module-ports.ts";
import { outcomeRef } from "./plan/plan-outcome.ts";
import type { TaskOrder, TaskPorts } from "./port.ts";
import { pillarOf, threadName } from "./subject.ts";

export type Made =
  | { kind: "shipped"; modules: ModuleRef[] }
  | { kind: "halted"; halts: { module: string; halt: Halt }[]; abandoned: string[]; shipped: ModuleRef[] }
  | { kind: "stopped"; why: string };

/** Everything that has an end already just tells it again, so this is also how the work goes on after anything. */
export async function makeModules(
  ports: TaskPorts,
  order: TaskOrder,
  protocol: Protocol,
  plan: MicroPlan,
): Promise<Made> {
  const outcomes: Record<string, ModuleOutcome> = {};
  const shipped = new Map<string, ModuleRef>();
  const halts: { module: string; halt: Halt }[] = [];
  for (const module of plan.modules) {
    if (module.reuse_decision !== "REUSE") continue;
    outcomes[module.module_id] = "shipped";
    shipped.set(module.module_id, outcomeRef(module));
  }
  for (;;) {
    const { next, abandoned, finished } = planProgress(plan, outcomes);
    const refs = plan.modules.flatMap(({ module_id }) => shipped.get(module_id) ?? []);
    if (finished === "shipped") return { kind: "shipped", modules: refs };
    if (finished === "halted") return { kind: "halted", halts, abandoned, shipped: refs };
    const module = plan.modules.find(({ module_id }) => module_id === next[0]);
    if (module === undefined) throw new Error(`the plan has no module ${next[0] ?? ""}`);
    const outcome = await make(ports, order, protocol, plan, module);
    switch (outcome.kind) {
      case "stopped":
        return outcome;
      case "shipped":
        outcomes[module.module_id] = "shipped";
        shipped.set(module.module_id, outcome.module);
        break;
      case "halted":
        outcomes[module.module_id] = "failed";
        halts.push({ module: module.module_id, halt: outcome.halt });
    }
  }
}

async function make(
  ports: TaskPorts,
  order: TaskOrder,
  protocol: Protocol,
  plan: MicroPlan,
  module: PlannedModule,
): Promise<ProtocolOutcome> {
  const assignment = await assignmentOf(ports, order, plan, module);
  const thread = threadName(ports.runId, order, module.module_id);
  const { resolution, change } = order;
  const making = {
    assignment,
    protocol,
    thread,
    pillar: pillarOf(order.task),
    ...(change === undefined ? {} : { contractRef: change.contract_ref }),
  };
  const going = { thread, runId: ports.runId, ports: modulePorts(ports, order, making) };
  const outcome = await (resolution === undefined ||
  resolution.kind === "plan" ||
  resolution.module !== module.module_id
    ? protocol.go(ports.graphs, going)
    : enterResolved(ports, making, going, resolution));
  if (outcome.kind !== "stopped") await closeCalls(ports, thread, assignment);
  // Of one that halted somebody may still ask who could see whom.
  if (outcome.kind === "shipped") await forgetWatched(ports.hub, thread);
  return outcome;
}
