// A person's word about a request for another contract, carried out: the debate, the task that makes the new version, and
// the one who asked, waiting for it.
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { InterfaceChangeDecision } from "../../domain/people/interface-change.ts";
import type { TaskRecord } from "../../domain/task/task-record.ts";
import type { DecisionOrder, DecisionOutcome } from "../../engineering/interface-change/decide.ts";
import type { TaskEvent } from "../../engineering/trail.ts";
import type { Project, ProjectEdit } from "../project.ts";
import { type OrderSettings, orderOf } from "../task-order.ts";
import { anew, withAmendment } from "./amend-task.ts";
import { type Answered, onceMore } from "./answers.ts";
import { freePath, newTask } from "./split-task.ts";

export type Decide = (order: DecisionOrder) => Promise<DecisionOutcome>;

export type Decided = { kind: "carried-out" } | { kind: "stopped"; why: string };

/** The same answer again, after a crash, is the same decision about the same task. */
export async function carryOutDecision(
  project: Project,
  answered: Answered,
  settings: OrderSettings,
  decide: Decide,
): Promise<Decided> {
  const { question, answer, taskId } = answered;
  const decision = parseOrThrow(InterfaceChangeDecision, answer.answer, `the answer of ${answer.by}`);
  const task = await project.task(taskId);
  const [newId = ""] = project.nextIds(taskId, 1);
  project.reserved.add(newId);
  try {
    const order = orderOf(project, task, settings);
    const outcome = await decide({ decision, order, taskId: newId });
    if (outcome.kind === "stopped") return outcome;
    await project.apply({
      ...(await editOf(project, { task, decision, newId }, outcome)),
      applies: question.id,
    });
  } catch (error) {
    if (!(error instanceof CupelError) || error.code !== "illegal_transition") throw error;
    const asked = [onceMore(question, `the answer before could not be carried out: ${error.message}`)];
    await project.apply({ why: "refused", operations: [], asked, applies: question.id });
  } finally {
    project.reserved.delete(newId);
  }
  return { kind: "carried-out" };
}

interface Deciding {
  task: TaskRecord;
  decision: InterfaceChangeDecision;
  newId: string;
}

async function editOf(
  project: Project,
  { task, decision, newId }: Deciding,
  outcome: Exclude<DecisionOutcome, { kind: "stopped" }>,
): Promise<ProjectEdit> {
  const at = project.time();
  const { machine } = project;
  const { taskId } = task;
  switch (outcome.kind) {
    case "task_requested": {
      const { request, task: file } = outcome;
      const { pillar, epic, story, depends_on } = machine.entry(taskId);
      const path = freePath(
        task.path,
        file.task_name,
        newId,
        new Set(await project.desk.store.project.paths()),
      );
      const declared = { task_id: newId, pillar, epic, story, task: file.task_name, depends_on: [] };
      return {
        why: `${request.to} is to be made: ${decision.exception_id} was approved`,
        operations: [
          { kind: "join", at, task: taskId, tasks: [declared] },
          { kind: "amend", at, task: taskId, dependsOn: [...depends_on, newId] },
        ],
        added: [newTask(newId, path, file, request)],
        revised: [anew(machine, task)],
        events: resolved(project, taskId, "APPROVE_CHANGE"),
      };
    }
    case "requeue": {
      const rationale = `${decision.exception_id} was rejected, so the contract stays as it is: ${outcome.reason}`;
      const file = withAmendment(task.file, at, rationale, task.file.acceptance_criteria);
      return {
        why: rationale,
        operations: [{ kind: "amend", at, task: taskId }],
        revised: [{ ...anew(machine, task), file }],
        events: resolved(project, taskId, "REJECT_CHANGE"),
      };
    }
    case "stays_halted":
      // It was put before the person again, with its delta and what was said.
      return { why: `it was ${outcome.because}`, operations: [] };
    case "unresolved":
      // The debate's own escalation is in the inbox already.
      return { why: "the debate did not agree", operations: [] };
  }
}

function resolved(
  { machine }: Project,
  task: string,
  action: "APPROVE_CHANGE" | "REJECT_CHANGE",
): TaskEvent[] {
  const escalation = machine.entry(task).escalation_ref;
  return escalation === null ? [] : [{ kind: "escalation_resolved", task, escalation, action }];
}
