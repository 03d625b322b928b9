// One task: planned once, its modules made in order, and at the end sealed modules or one escalation. A plain supervisor over
// durable threads: whatever happened before, the same order goes on where it stopped.
import { CupelError } from "../domain/error.ts";
import type { Protocol, TreeProtocol } from "../protocols/port.ts";
import { escalate, type Grounds } from "./escalation.ts";
import { groundsOfModules, groundsOfPlan } from "./grounds.ts";
import { consumersAfter } from "./interface-change/consumers-after.ts";
import { type Made, makeModules } from "./make-modules.ts";
import { planTask } from "./plan/plan-task.ts";
import type { TaskOrder, TaskOutcome, TaskPorts } from "./port.ts";
import { threadName } from "./subject.ts";
import { makeTree } from "./tree/make-tree.ts";

export async function engineerTask(ports: TaskPorts, order: TaskOrder): Promise<TaskOutcome> {
  const task = order.task.task_id;
  const protocol = protocolFor(ports, order);
  if (protocol.scope === "task") return ended(ports, order, await makeTree(ports, order, protocol));
  const planned = await planTask(ports, order);
  if (planned.kind === "stopped") return { ...planned, task };
  const { outcome } = planned;
  if (outcome.kind !== "locked") return halted(ports, order, groundsOfPlan(outcome));
  const made = await makeModules(ports, order, protocol, outcome.plan);
  return ended(ports, order, made, outcome.planRef);
}

async function ended(ports: TaskPorts, order: TaskOrder, made: Made, planRef?: string): Promise<TaskOutcome> {
  const task = order.task.task_id;
  switch (made.kind) {
    case "shipped":
      return { ...made, task, ...(await consumersAfter(ports, order.change)) };
    case "stopped":
      return { ...made, task };
    case "halted":
      return halted(ports, order, groundsOfModules(made, planRef));
  }
}

/** An approved change is about one module, and a person's plan says what the modules are: no tree is grown for these. */
function protocolFor(ports: TaskPorts, order: TaskOrder): Protocol | TreeProtocol {
  const { protocols } = ports;
  const asked = protocols.get(order.protocol);
  const name = asked?.scope === "task" && isPlanned(ports, order) ? "debate" : order.protocol;
  const protocol = protocols.get(name);
  if (protocol !== undefined) return protocol;
  throw new CupelError("usage", `no module can be made by the protocol ${name} here`, {
    expected: `one of ${[...protocols.keys()].join(", ")}`,
    hint: "set another protocol in cupel.config.json",
  });
}

/** Also where the plan came with an earlier answer of the person, and this one is about a module of it. */
function isPlanned({ graphs, runId }: TaskPorts, order: TaskOrder): boolean {
  const { change, resolution } = order;
  if (change !== undefined || resolution?.kind === "plan") return true;
  return graphs.find(threadName(runId, order, "plan")) !== undefined;
}

async function halted(ports: TaskPorts, order: TaskOrder, grounds: Grounds): Promise<TaskOutcome> {
  const task = order.task.task_id;
  const escalated = await escalate(ports, order, grounds);
  return escalated.kind === "stopped"
    ? { ...escalated, task }
    : { kind: "halted", task, escalation: escalated.escalation };
}
