// Carries out what a person decided about a request for another contract, and says what the project is to do next.
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import {
  InterfaceChangeDecision,
  type InterfaceChangeException,
  type TaskRequest,
} from "../../domain/people/interface-change.ts";
import type { EscalationArtifact } from "../../domain/people/escalation.ts";
import { moduleIdOf, type TaskId } from "../../domain/refs.ts";
import type { TaskFile } from "../../domain/task/task-file.ts";
import type { Halt } from "../../protocols/outcome.ts";
import { closeCalls } from "../calls/close-calls.ts";
import { escalate } from "../escalation.ts";
import { groundsOfChange } from "../grounds.ts";
import type { TaskOrder, TaskPorts } from "../port.ts";
import { askAgain } from "./ask-again.ts";
import { changedModule } from "./agreed-contract.ts";
import { changePorts } from "./change-ports.ts";
import { changeTask } from "./change-task.ts";
import { annotate, isSame, type RaisedChange, raisedChange } from "./decisions.ts";
import { interfaceChangeGraph, resolveInterfaceChange } from "./resolve.ts";

export interface DecisionOrder {
  decision: InterfaceChangeDecision;
  /** Of the task that halted. */
  order: TaskOrder;
  /** What the task that makes the new version is called, should there be one. */
  taskId: TaskId;
}

export type DecisionOutcome =
  /** A task for the new version joins the project, and the halted one waits for it. */
  | { kind: "task_requested"; request: TaskRequest; task: TaskFile }
  /** The halted task begins another attempt with the contract as it is. */
  | { kind: "requeue"; reason: string }
  /** And a person is asked again: about the request where it was put off, about the task where it was rejected. */
  | { kind: "stays_halted"; because: "rejected" | "deferred"; escalation: EscalationArtifact }
  /** The debate did not agree on the change; a person is asked again with all that was said. */
  | { kind: "unresolved"; escalation: EscalationArtifact }
  /** Drained, aborted or held elsewhere: goes on with the same decision. */
  | { kind: "stopped"; why: string };

/** The same decision again comes to the same end. Until one was carried out, another may take its place. */
export async function decideInterfaceChange(
  ports: TaskPorts,
  given: DecisionOrder,
): Promise<DecisionOutcome> {
  const decision = parseOrThrow(InterfaceChangeDecision, given.decision, "the decision");
  const raised = await raisedChange(ports.store, decision.exception_id);
  await assertOpen(ports, raised, decision);
  switch (decision.decision) {
    case "APPROVE_CHANGE":
      return approve(ports, given, raised);
    case "REJECT_CHANGE":
      if (!decision.requeue) return stayHalted(ports, given, raised, "rejected");
      await annotate(ports, raised, decision);
      return { kind: "requeue", reason: decision.reason };
    case "DEFER":
      return stayHalted(ports, given, raised, "deferred");
  }
}

/** A task that went back to work, or one that was asked for, cannot be called back by another word about the request. */
async function assertOpen(
  { graphs }: TaskPorts,
  { exception, annotations }: RaisedChange,
  decision: InterfaceChangeDecision,
): Promise<void> {
  const last = annotations.at(-1);
  if (last === undefined || isSame(last.decision, decision)) return;
  const id = exception.exception_id;
  const thread = threadOf(id, last.number);
  const carriedOut =
    last.decision.decision === "REJECT_CHANGE"
      ? last.decision.requeue && "the task went back to work without it"
      : graphs.find(thread)?.endedWith?.["request"] != null && "a task makes the new version";
  if (carriedOut === false) return;
  throw new CupelError("illegal_transition", `${id} is ${last.status} already, and ${carriedOut}`, {
    expected: `${last.decision.decision} again, or nothing`,
    hint: `cupel store show ${id}`,
  });
}

async function stayHalted(
  ports: TaskPorts,
  { decision, order }: DecisionOrder,
  raised: RaisedChange,
  because: "rejected" | "deferred",
): Promise<DecisionOutcome> {
  const annotation = await annotate(ports, raised, decision);
  const asked = await askAgain(ports, order, raised.exception, annotation);
  return asked.kind === "stopped" ? asked : { kind: "stays_halted", because, escalation: asked.escalation };
}

async function approve(
  ports: TaskPorts,
  { decision, order, taskId }: DecisionOrder,
  raised: RaisedChange,
): Promise<DecisionOutcome> {
  const { exception } = raised;
  const { number } = await annotate(ports, raised, decision);
  const thread = threadOf(exception.exception_id, number);
  const change = await changePorts(ports, { exception, order, taskId, thread, number });
  const outcome = await resolveInterfaceChange(ports.graphs, { thread, runId: ports.runId, ports: change });
  if (outcome.kind !== "stopped") await closeCalls(ports, thread, change.assignment);
  switch (outcome.kind) {
    case "stopped":
      return outcome;
    case "resolved": {
      const { request } = outcome;
      return {
        kind: "task_requested",
        request,
        task: changeTask(taskId, order.task, await changedModule(ports, request)),
      };
    }
    case "unresolved":
      return unresolved(ports, order, exception, outcome.halt, number);
  }
}

async function unresolved(
  ports: TaskPorts,
  order: TaskOrder,
  exception: InterfaceChangeException,
  halt: Halt,
  number: number,
): Promise<DecisionOutcome> {
  const grounds = groundsOfChange(exception.exception_id, moduleIdOf(exception.target_module), halt);
  const round = `${exception.exception_id}-${number}`;
  const escalated = await escalate(ports, order, grounds, round);
  return escalated.kind === "stopped" ? escalated : { kind: "unresolved", escalation: escalated.escalation };
}

/** Whoever approves again after another word begins another debate. */
function threadOf(exceptionId: string, number: number): string {
  return `${interfaceChangeGraph.name}/${exceptionId}/${number}`;
}
