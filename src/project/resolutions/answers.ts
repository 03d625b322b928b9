// Carries out what people answered while nobody worked, or while others did: each answer once, in the order they came.
import { z } from "zod";
import { CupelError, type ErrorCode } from "../../domain/error.ts";
import { parse, parseOrThrow } from "../../domain/parse.ts";
import { HumanResolution } from "../../domain/people/resolution.ts";
import { TaskId } from "../../domain/refs.ts";
import type { Answer, Question } from "../../store/port.ts";
import type { StateStore } from "../../store/state-store.ts";
import type { Project } from "../project.ts";
import { escalationFor, keepResolution } from "./keep-resolution.ts";
import { resolutionEdit } from "./resolve-task.ts";
import type { Resolving } from "./resolving.ts";

export interface Answered {
  question: Question;
  answer: Answer;
  taskId: string;
}

const AboutTask = z.looseObject({ task_id: TaskId });

/** The task that a question is about; undefined for questions of others. */
export function taskOf({ body }: Question): string | undefined {
  const parsed = parse(AboutTask, body);
  return parsed.kind === "ok" ? parsed.value.task_id : undefined;
}

/** Answers about tasks that wait to be carried out. */
export async function waitingAnswers({ inbox }: StateStore): Promise<Answered[]> {
  return (await inbox.unapplied()).flatMap(({ question, answer }) => {
    const taskId = taskOf(question);
    const ours = question.kind === "escalation" || question.kind === "interface_change";
    return taskId === undefined || !ours ? [] : [{ question, answer, taskId }];
  });
}

/** False for an answer whose time has not come: the task is still on its way to the halt that it is about. */
export async function carryOut(project: Project, answered: Answered): Promise<boolean> {
  const { question, answer, taskId } = answered;
  if (project.machine.status(taskId) === "IN_PROGRESS") return false;
  const resolution = parseOrThrow(HumanResolution, answer.answer, `the answer of ${answer.by}`);
  const { store } = project.desk;
  try {
    const resolving = await resolvingOf(project, taskId, question.body);
    const edit = resolutionEdit(resolving, resolution);
    await assertAttested(store, resolution);
    const { escalation } = resolving;
    if (escalation !== undefined)
      await keepResolution(project.desk, escalation, { question: question.id, resolution });
    const { action } = resolution;
    const resolved = { kind: "escalation_resolved", task: taskId, action } as const;
    await project.apply({
      ...edit,
      ...(escalation === undefined
        ? {}
        : { events: [{ ...resolved, escalation: escalation.escalation_id }] }),
      applies: question.id,
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await askAgain(project, answered, error);
  }
  return true;
}

export async function resolvingOf(project: Project, taskId: string, body: unknown): Promise<Resolving> {
  const { store } = project.desk;
  const task = await project.task(taskId);
  const { escalation_ref } = project.machine.entry(taskId);
  const halted = project.machine.status(taskId) === "HALTED";
  return {
    machine: project.machine,
    task,
    escalation: halted ? await escalationFor(store, body, escalation_ref) : undefined,
    paths: new Set(await store.project.paths()),
    nextIds: (count) => project.nextIds(taskId, count),
    at: project.time(),
  };
}

/** A person can only vouch for what is there. */
export async function assertAttested({ modules }: StateStore, resolution: HumanResolution): Promise<void> {
  if (resolution.action !== "ATTEST_SHIPPED") return;
  for (const ref of resolution.module_refs ?? []) {
    if ((await modules.get(ref)).sealedAt !== null) continue;
    throw new CupelError("invalid_input", `${ref} has not shipped`, { expected: "modules that are sealed" });
  }
}

/** What the rules refuse; what the environment refuses is no answer's fault. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  "usage",
  "invalid_input",
  "illegal_transition",
  "unknown_task",
  "dependency_cycle",
  "id_collision",
  "id_too_long",
  "not_found",
]);

function isRefusal(error: unknown): error is CupelError {
  return error instanceof CupelError && REFUSALS.has(error.code);
}

/** Something happened between the answer and now. The answer stays on record, and the person is told and asked again. */
async function askAgain(project: Project, { question, taskId }: Answered, why: Error): Promise<void> {
  const status = project.machine.status(taskId);
  const stillWaits = status === "HALTED" || status === "BLOCKED";
  await project.apply({
    why: "an answer could not be carried out",
    operations: [],
    asked: stillWaits
      ? [onceMore(question, `the answer before could not be carried out: ${why.message}`)]
      : [],
    applies: question.id,
  });
}

/** The same question under a new id, because each is answered once. */
export function onceMore(question: Question, why: string): Question {
  const [, base = question.id, number = "1"] = /^(.*?)(?:#(\d+))?$/s.exec(question.id) ?? [];
  const title = `${why} (${question.title})`.replaceAll(/\s+/g, " ").slice(0, 300);
  return { ...question, id: `${base}#${Number(number) + 1}`, title };
}
