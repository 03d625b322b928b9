// Where a product stands, for whoever asks: from the store alone, while others work on it or nobody does.
import type { TaskStatus } from "../domain/task/task-status.ts";
import { parse } from "../domain/parse.ts";
import { EscalationArtifact } from "../domain/people/escalation.ts";
import { loadMachine } from "../project/project.ts";
import { taskOf } from "../project/resolutions/answers.ts";
import { behindAbandoned } from "../project/resolutions/blocked-questions.ts";
import type { StateMachine } from "../domain/task/state-machine.ts";
import type { Question } from "../store/port.ts";
import { manifestsIn } from "../release/released-before.ts";
import type { StateStore } from "../store/state-store.ts";
import { withStore } from "./stores.ts";
import { type WorkLeft, workLeft } from "./work-left.ts";

export interface ProjectStatus {
  runId: string | null;
  /** Who works on it now. */
  worker: string | null;
  counts: Record<TaskStatus, number>;
  tasks: TaskView[];
  /** Everything that waits for a person. */
  waiting: WaitingView[];
  /** What was answered and nobody has carried out yet. */
  answered: number;
  spentUsd: number | null;
  capUsd: number | null;
  /** Calls whose price nobody knows; their money is in no sum. */
  unpriced: number;
  /** What adversaries found and nobody has done anything about. */
  left: WorkLeft[];
  /** What to type next. */
  next: string;
}

export interface TaskView {
  id: string;
  name: string;
  status: TaskStatus;
  /** Why it halted, or what keeps it from going on. */
  why: string | null;
  modules: string[];
}

export interface WaitingView {
  id: string;
  kind: Question["kind"];
  task: string | null;
  title: string;
  command: string;
}

export async function projectStatus(directory: string): Promise<ProjectStatus> {
  return withStore(directory, statusIn);
}

export async function statusIn(store: StateStore): Promise<ProjectStatus> {
  const runId = (await store.project.currentRun()) ?? null;
  const machine = (await store.project.head()) === undefined ? undefined : await loadMachine(store);
  const tasks = machine === undefined ? [] : tasksOf(machine);
  const waiting = (await store.inbox.open()).map(waitingView);
  const budget = runId === null ? undefined : await store.budgets.find(runId);
  const status = {
    runId,
    worker: await workerOf(store, runId),
    counts: countsOf(tasks),
    tasks,
    waiting,
    answered: (await store.inbox.unapplied()).length,
    spentUsd: budget === undefined ? null : budget.run.microUsd / 1e6,
    capUsd: budget?.caps.run.usd ?? null,
    unpriced: budget?.unpriced ?? 0,
    left: await workLeft(store),
  };
  const released = machine?.finished === true && (await isReleased(store));
  return { ...status, next: released ? "cupel report --out report.html" : nextOf(status, machine) };
}

async function isReleased(store: StateStore): Promise<boolean> {
  const manifests = await manifestsIn(store);
  return manifests.some(({ scope, overall_result }) => scope === "full" && overall_result === "PASS");
}

type Unfinished = Omit<ProjectStatus, "next">;

function nextOf({ waiting, worker, answered, tasks }: Unfinished, machine: StateMachine | undefined): string {
  const [first] = waiting;
  if (first !== undefined) return first.command;
  if (machine?.finished === true) return "cupel release";
  if (worker !== null) return "cupel status --watch";
  const stuck = machine && tasks.find(({ id }) => behindAbandoned(machine, id));
  if (stuck !== undefined && answered === 0 && machine?.eligible(1).length === 0)
    return `cupel resolve ${stuck.id}`;
  return machine === undefined ? "cupel run" : "cupel run --resume";
}

function waitingView(question: Question): WaitingView {
  const { id, kind, title, body } = question;
  const task = taskOf(question) ?? null;
  return { id, kind, task, title, command: commandFor(kind, id, task, body) };
}

function commandFor(kind: Question["kind"], id: string, task: string | null, body: unknown): string {
  if (kind === "interface_change") {
    const escalation = parse(EscalationArtifact, body);
    const change = escalation.kind === "ok" ? escalation.value.interface_change_ref : undefined;
    return `cupel ice ${change ?? ""}`.trim();
  }
  return kind === "escalation" && task !== null ? `cupel resolve ${task}` : `cupel show ${id}`;
}

function tasksOf(machine: StateMachine): TaskView[] {
  return Object.entries(machine.toState().tasks).map(([id, entry]) => ({
    id,
    name: entry.task,
    status: entry.status,
    why: entry.status === "BLOCKED" ? `waits for ${machine.stoppedBy(id).join(", ")}` : entry.halted_reason,
    modules: entry.module_refs,
  }));
}

function countsOf(tasks: readonly TaskView[]): Record<TaskStatus, number> {
  const counts = { PENDING: 0, IN_PROGRESS: 0, SHIPPED: 0, HALTED: 0, BLOCKED: 0, ABANDONED: 0 };
  for (const { status } of tasks) counts[status] += 1;
  return counts;
}

async function workerOf({ leases }: StateStore, runId: string | null): Promise<string | null> {
  const now = new Date().toISOString();
  const held = (await leases.list()).find(({ name }) => name === `run:${runId ?? ""}`);
  return held !== undefined && held.expiresAt > now ? held.holder : null;
}
