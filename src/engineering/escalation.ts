// Puts a halt before a person: one escalation with everything that is needed to decide, kept, filed and asked once.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { artifactId, idOfType } from "../domain/artifact/artifact-type.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { EscalationArtifact } from "../domain/people/escalation.ts";
import { questionTitle } from "../domain/people/question-title.ts";
import { IsoTime } from "../domain/refs.ts";
import { ProjectState } from "../domain/task/project-state.ts";
import { defineGraph, stateKey } from "../graph/define-graph.ts";
import type { NodeContext } from "../graph/port.ts";
import { goOn } from "../graph/go-on.ts";
import { raisedChange } from "./interface-change/decisions.ts";
import type { EngineeringPorts, TaskOrder } from "./port.ts";
import { pillarOf, resolutionHash, threadName } from "./subject.ts";
import { tellOnce } from "./trail.ts";

/** What differs from halt to halt; the rest is the same for every escalation of a task. */
export type Grounds = Omit<
  EscalationArtifact,
  | "escalation_id"
  | "task_id"
  | "task_ref"
  | "created_at"
  | "state_machine_snapshot"
  | "interface_change"
  | "resolution"
>;

export type Escalated =
  | { kind: "escalated"; escalation: EscalationArtifact }
  | { kind: "stopped"; why: string };

/** For each thing that a person decided there is at most one: the same order gives the same escalation, in each round. */
export async function escalate(
  engineering: EngineeringPorts,
  order: TaskOrder,
  grounds: Grounds,
  round = roundOf(order),
): Promise<Escalated> {
  const went = await goOn(engineering.graphs, escalationGraph, {
    thread: threadName(engineering.runId, order, `escalation/${round}`),
    runId: engineering.runId,
    ports: { engineering, order, grounds },
  });
  if (went.kind === "stopped") return went;
  const { escalation } = went.state;
  if (escalation === null) throw new Error("an escalation ended without a record");
  return { kind: "escalated", escalation };
}

function roundOf({ resolution }: TaskOrder): string {
  return resolution === undefined ? "first" : resolutionHash(resolution);
}

interface Ports {
  engineering: EngineeringPorts;
  order: TaskOrder;
  grounds: Grounds;
}

const escalationGraph = defineGraph({
  name: "escalation",
  version: 1,
  state: { escalation: stateKey({ schema: EscalationArtifact.nullable(), initial: () => null }) },
  nodes: {
    escalate: {
      run: async (_: unknown, ports: Ports, context) => ({
        update: { escalation: await raise(ports, context) },
      }),
      to: ["end"],
      timeoutMs: 10 * 60_000,
      retries: 2,
      lane: "harness",
      does: "puts the halt before a person",
    },
  },
  entries: { start: "escalate" },
});

const Start = z.strictObject({
  id: idOfType("ESCALATION"),
  at: IsoTime,
  snapshot: ProjectState,
});

/** Of a larger state the address is told, so that nobody's inbox holds a project. */
const LARGEST_SNAPSHOT = 64 * 1024;

async function raise(
  { engineering, order, grounds }: Ports,
  context: NodeContext,
): Promise<EscalationArtifact> {
  const { store, fence, runId, now } = engineering;
  const { task, path } = order;
  const start = await context.once("escalation:start", Start, async () => ({
    id: artifactId("ESCALATION", randomUUID()),
    at: now().toISOString(),
    snapshot: order.snapshot(),
  }));
  const change = grounds.interface_change_ref;
  const request = change === undefined ? undefined : (await raisedChange(store, change)).exception;
  const state = JSON.stringify(start.snapshot);
  const escalation = parseOrThrow(
    EscalationArtifact,
    {
      escalation_id: start.id,
      task_id: task.task_id,
      task_ref: path,
      created_at: start.at,
      state_machine_snapshot:
        state.length > LARGEST_SNAPSHOT ? await store.payloads.put(state) : start.snapshot,
      resolution: null,
      ...grounds,
      ...(request === undefined ? {} : { interface_change: request }),
    },
    "the escalation",
  );
  await store.artifacts.create(fence, {
    id: start.id,
    type: "ESCALATION",
    pillar: pillarOf(task),
    createdBy: { role: "harness", run_id: runId },
    contextPackRef: null,
    notes: task.task_id,
    body: { "escalation.json": JSON.stringify(escalation, null, 2) },
  });
  await store.documents.write(fence, "escalations", `${start.id}.json`, escalation);
  await tellOnce(engineering, context, "escalation", [
    { kind: "escalation_raised", task: task.task_id, escalation: start.id },
  ]);
  // What was rejected for good is no question about the contract any more, but about the task.
  const isRequest =
    change !== undefined && escalation.interface_change_decision?.decision !== "REJECT_CHANGE";
  await store.inbox.ask(fence, {
    id: start.id,
    kind: isRequest ? "interface_change" : "escalation",
    runId,
    title: questionTitle(`${task.task_id} halted: ${escalation.minimal_decision_required}`),
    body: escalation,
    answerSchema: isRequest ? "InterfaceChangeDecision" : "HumanResolution",
    askedAt: start.at,
  });
  return escalation;
}
