// A person's answer about a task: checked against the project as it is, kept in the inbox, and carried out at once where
// nobody works on the run.
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import type { EscalationArtifact } from "../domain/people/escalation.ts";
import { InterfaceChangeDecision } from "../domain/people/interface-change.ts";
import { HumanResolution } from "../domain/people/resolution.ts";
import type { TaskStatus } from "../domain/task/task-status.ts";
import { Project, type ProjectDesk } from "../project/project.ts";
import {
  assertAttested,
  carryOut,
  resolvingOf,
  taskOf,
  waitingAnswers,
} from "../project/resolutions/answers.ts";
import { resolutionEdit } from "../project/resolutions/resolve-task.ts";
import type { AnswerResult, Question } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";
import { releaseDeadLeases } from "./dead-leases.ts";
import { withStore } from "./stores.ts";

export interface Resolved {
  task: string;
  status: TaskStatus;
  /** False: whoever works on the run carries it out soon. */
  carriedOut: boolean;
}

/** Why a task waits for a person; undefined where it does not wait for an escalation. */
export async function whatHalted(directory: string, task: string): Promise<EscalationArtifact | undefined> {
  return withStore(directory, async (store) => {
    const project = await looking(store);
    const question = await openQuestion(store, task);
    return (await resolvingOf(project, task, question?.body)).escalation;
  });
}

export async function resolveTask(
  directory: string,
  { task, resolution: given, by }: { task: string; resolution: unknown; by: string },
): Promise<Resolved> {
  const resolution = parseOrThrow(HumanResolution, given, "the resolution");
  return withStore(directory, async (store) => {
    const question = await openQuestion(store, task);
    await assertUnanswered(store, task);
    // Last: an answer that was carried out meanwhile has left neither of the two, but it has changed the project.
    const project = await looking(store);
    const { operations } = resolutionEdit(await resolvingOf(project, task, question?.body), resolution);
    // On a state machine that nobody else has: what would be refused later is refused now.
    for (const operation of operations) project.machine.apply(operation);
    await assertAttested(store, resolution);
    assertAccepted(task, await put(store, { task, question, resolution, by }));
    return { task, ...(await carriedOut(store, task)) };
  });
}

/** The decision is carried out by the next run: it may need a debate. */
export async function decideChange(directory: string, given: unknown, by: string): Promise<{ task: string }> {
  const decision = parseOrThrow(InterfaceChangeDecision, given, "the decision");
  return withStore(directory, async (store) => {
    const open = (await store.inbox.open()).find(
      ({ kind, body }) =>
        kind === "interface_change" && JSON.stringify(body).includes(`"${decision.exception_id}"`),
    );
    if (open === undefined) {
      throw new CupelError("not_found", `nobody waits for a decision about ${decision.exception_id}`, {
        expected: "a request that is open",
        hint: "cupel ice",
      });
    }
    const task = taskOf(open) ?? "";
    assertAccepted(task, await store.inbox.answer(open.id, decision, by));
    return { task };
  });
}

interface Given {
  task: string;
  question: Question | undefined;
  resolution: HumanResolution;
  by: string;
}

/** In answer to the question about the task, or in its place where that one asks for something else. */
async function put(
  { inbox, project }: StateStore,
  { task, question, resolution, by }: Given,
): Promise<AnswerResult> {
  if (question?.answerSchema === "HumanResolution") return inbox.answer(question.id, resolution, by);
  const own: Question = {
    id: `word:${task}:${randomBytes(4).toString("hex")}`,
    kind: "escalation",
    runId: (await project.currentRun()) ?? "",
    title: `${resolution.action} for ${task}, unasked`,
    body: question?.body ?? { task_id: task },
    answerSchema: "HumanResolution",
    askedAt: new Date().toISOString(),
  };
  return inbox.volunteer(own, resolution, by, question?.id);
}

const LEASE_MS = 30_000;

async function carriedOut(store: StateStore, task: string): Promise<Omit<Resolved, "task">> {
  const runId = (await store.project.currentRun()) ?? "";
  await releaseDeadLeases(store.leases);
  const holder = `process ${process.pid} on ${hostname()} (${randomBytes(3).toString("hex")})`;
  const lease = await store.leases.acquire(`run:${runId}`, holder, LEASE_MS);
  if (lease.kind === "held")
    return { status: (await store.project.task(task)).entry.status, carriedOut: false };
  const { fence } = lease;
  try {
    const project = await Project.open({ ...deskOf(store, runId), fence });
    for (const answered of await waitingAnswers(store)) {
      if (answered.question.answerSchema === "HumanResolution") await carryOut(project, answered);
    }
    await store.showProject(fence, project.machine.toState());
    return { status: project.machine.status(task), carriedOut: true };
  } finally {
    await store.leases.release(fence);
  }
}

async function assertUnanswered(store: StateStore, task: string): Promise<void> {
  const before = (await waitingAnswers(store)).find(({ taskId }) => taskId === task);
  if (before !== undefined) throw alreadyAnswered(task, before.answer.by, before.answer.answeredAt);
}

function assertAccepted(task: string, result: AnswerResult): void {
  switch (result.kind) {
    case "accepted":
      return;
    case "already-answered":
      throw alreadyAnswered(task, result.first.by, result.first.answeredAt);
    case "invalid":
      throw new CupelError("invalid_input", result.problems.join("\n"), {
        hint: "cupel schema HumanResolution",
      });
    case "unknown-question":
      throw new CupelError("not_found", `nobody asks about ${task} any more`, { hint: "cupel next" });
  }
}

function alreadyAnswered(task: string, by: string, at: string): CupelError {
  return new CupelError("already_exists", `${by} answered for ${task} at ${at}; the first answer counts`, {
    expected: "a task that nobody has answered for",
    hint: "cupel status",
  });
}

async function openQuestion({ inbox }: StateStore, task: string): Promise<Question | undefined> {
  return (await inbox.open()).find((question) => taskOf(question) === task);
}

/** To look only: nothing can be written with it. */
function looking(store: StateStore): Promise<Project> {
  return Project.open(deskOf(store, ""));
}

function deskOf(store: StateStore, runId: string): ProjectDesk {
  return { store, fence: { name: "nobody", token: 0 }, runId, now: () => new Date() };
}

export { taskOf };
