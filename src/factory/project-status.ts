// Where a product stands, for whoever asks: from the store alone, while others work on it or nobody does.
import { CupelError } from "../domain/error.ts";
import type { NotShown } from "../domain/evidence/e2e-suite.ts";
import type { Rigor } from "../domain/evidence/rigor.ts";
import type { TreeRow } from "../domain/fractal/tree-view.ts";
import { otherRigor } from "../domain/task/task-policy.ts";
import type { TaskStatus } from "../domain/task/task-status.ts";
import { parse } from "../domain/parse.ts";
import { EscalationArtifact } from "../domain/people/escalation.ts";
import { loadMachine } from "../project/project.ts";
import { taskOf } from "../project/resolutions/answers.ts";
import { behindAbandoned } from "../project/resolutions/blocked-questions.ts";
import type { StateMachine } from "../domain/task/state-machine.ts";
import type { Question } from "../store/port.ts";
import { suitesIn } from "../release/e2e/suite-files.ts";
import { manifestsIn } from "../release/released-before.ts";
import type { StateStore } from "../store/state-store.ts";
import { readConfig } from "./project.ts";
import { E2E } from "./resolve-e2e.ts";
import { withStore } from "./stores.ts";
import { treesByTask } from "./trees.ts";
import { type WorkLeft, workLeft } from "./work-left.ts";

export interface ProjectStatus {
  runId: string | null;
  /** How its agents behave, where they are simulated. */
  simulated: string | null;
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
  /** Acceptance criteria that no end-to-end test shows, and why. */
  notShown: NotShown[];
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
  /** What it was dispatched under, where that is another than what is configured now. */
  rigor: string | null;
  /** What it has grown into, where its protocol is fractal. */
  tree: TreeRow[] | null;
}

export interface WaitingView {
  id: string;
  kind: Question["kind"];
  task: string | null;
  title: string;
  command: string;
}

export async function projectStatus(directory: string): Promise<ProjectStatus> {
  const now = await rigorNow(directory);
  return withStore(directory, (store) => statusIn(store, now));
}

/** A configuration that cannot be read is told by whoever needs it. */
async function rigorNow(directory: string): Promise<Rigor | undefined> {
  try {
    return (await readConfig(directory)).rigor;
  } catch (error) {
    if (error instanceof CupelError && error.code === "invalid_config") return undefined;
    throw error;
  }
}

export async function statusIn(store: StateStore, now?: Rigor): Promise<ProjectStatus> {
  const runId = (await store.project.currentRun()) ?? null;
  const machine = (await store.project.head()) === undefined ? undefined : await loadMachine(store);
  const tasks = machine === undefined ? [] : await tasksOf(machine, store, now);
  const waiting = (await store.inbox.open()).map(waitingView);
  const budget = runId === null ? undefined : await store.budgets.find(runId);
  const status = {
    runId,
    simulated: runId === null ? null : await simulatedIn(store, runId),
    worker: await workerOf(store, runId),
    counts: countsOf(tasks),
    tasks,
    waiting,
    answered: (await store.inbox.unapplied()).length,
    spentUsd: budget === undefined ? null : budget.run.microUsd / 1e6,
    capUsd: budget?.caps.run.usd ?? null,
    unpriced: budget?.unpriced ?? 0,
    left: await workLeft(store),
    notShown: await notShownIn(store),
  };
  const released = machine?.finished === true && (await isReleased(store));
  return { ...status, next: released ? "cupel report --out report.html" : nextOf(status, machine) };
}

async function notShownIn(store: StateStore): Promise<NotShown[]> {
  return (await suitesIn(store)).at(-1)?.not_shown ?? [];
}

/** As the run was opened the first time. */
async function simulatedIn(store: StateStore, runId: string): Promise<string | null> {
  const [first] = await store.journal.read(0, 1, runId);
  return first?.kind === "run_opened" ? (first.simulated ?? null) : null;
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
  if (kind === "e2e") return `cupel resolve ${E2E}`;
  return kind === "escalation" && task !== null ? `cupel resolve ${task}` : `cupel show ${id}`;
}

async function tasksOf(
  machine: StateMachine,
  store: StateStore,
  now: Rigor | undefined,
): Promise<TaskView[]> {
  const views: TaskView[] = [];
  const trees = await treesByTask(store);
  for (const [id, entry] of Object.entries(machine.toState().tasks)) {
    const isAtWork = entry.status === "IN_PROGRESS" || entry.status === "HALTED";
    const policy = isAtWork && now !== undefined ? (await store.project.task(id)).policy : null;
    views.push({
      id,
      name: entry.task,
      status: entry.status,
      why: entry.status === "BLOCKED" ? `waits for ${machine.stoppedBy(id).join(", ")}` : entry.halted_reason,
      modules: entry.module_refs,
      rigor: now === undefined ? null : otherRigor(policy, now),
      tree: trees.get(id) ?? null,
    });
  }
  return views;
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
