// What the factory asks of its database. The local adapter keeps it in one SQLite file; a shared one can take its place.
import type { BudgetState } from "../domain/agent/budget-state.ts";
import type { ArtifactEnvelope } from "../domain/artifact/artifact-envelope.ts";
import type { Contribution } from "../domain/artifact/contribution.ts";
import type { RunEvent } from "../domain/run/run-event.ts";
import type { TaskEntry } from "../domain/task/project-state.ts";
import type { TaskFile } from "../domain/task/task-file.ts";
import type { TaskRecord } from "../domain/task/task-record.ts";

/** Proof of a lease. Every mutating call takes one and is refused, in the same transaction, when it is stale. */
export interface Fence {
  /** What is leased, for example `run:r-7f3a` or `thread:…`. */
  name: string;
  /** Grows with every take-over. */
  token: number;
}

export interface Leases {
  /** Takes a lease that is free or expired; refused while somebody else's is alive. */
  acquire(name: string, holder: string, ttlMs: number): Promise<LeaseResult>;
  /** Prolongs it; refused (`stale_fence`) when it was taken over. */
  heartbeat(fence: Fence, ttlMs: number): Promise<void>;
  release(fence: Fence): Promise<void>;
  /** Refuses (`stale_fence`) who lost it; for writes that are no rows. */
  assert(fence: Fence): Promise<void>;
  list(): Promise<LeaseInfo[]>;
}

export type LeaseResult =
  | { kind: "acquired"; fence: Fence }
  | { kind: "held"; by: string; expiresAt: string };

export interface LeaseInfo {
  name: string;
  holder: string;
  token: number;
  expiresAt: string;
}

/** An event before the journal gives it its place. */
export type UnnumberedEvent = RunEvent extends infer Event
  ? Event extends RunEvent
    ? Omit<Event, "seq">
    : never
  : never;

export interface Journal {
  /** All or none; returns them with their places. The sequence starts at 1 and has no gaps. */
  append(fence: Fence, events: UnnumberedEvent[]): Promise<RunEvent[]>;
  /** Events with a place greater than `after`, in order, at most `limit`. */
  read(after: number, limit: number, runId?: string): Promise<RunEvent[]>;
  /** The place of the newest event; 0 when there is none. */
  latest(): Promise<number>;
}

/** Waits for a person. `answerSchema` names the schema (see `cupel schema`) that an answer must match. */
export interface Question {
  id: string;
  kind: "spec_approval" | "escalation" | "interface_change" | "e2e" | "clarification" | "budget";
  runId: string;
  /** One line for a list. */
  title: string;
  body: unknown;
  answerSchema: string;
  askedAt: string;
}

export interface Answer {
  questionId: string;
  answer: unknown;
  by: string;
  answeredAt: string;
  /** When the factory acted on it; null until then. */
  appliedAt: string | null;
}

export type AnswerResult =
  | { kind: "accepted"; answer: Answer }
  | { kind: "already-answered"; first: Answer }
  | { kind: "invalid"; problems: string[] }
  | { kind: "unknown-question" };

export interface Inbox {
  /** Asking the same id again changes nothing, so that a crash between asking and noting it is harmless. */
  ask(fence: Fence, question: Question): Promise<void>;
  /** The first valid answer wins. People answer without a lease. */
  answer(questionId: string, answer: unknown, by: string): Promise<AnswerResult>;
  /** True for exactly one caller per answer. */
  markApplied(fence: Fence, questionId: string): Promise<boolean>;
  /** A person's word that nobody asked for, as a question with its answer; `instead` of an open one, which it closes. */
  volunteer(question: Question, answer: unknown, by: string, instead?: string): Promise<AnswerResult>;
  open(): Promise<Question[]>;
  /** Those with an answer that the factory has not acted on, in the order of the answers. */
  unapplied(): Promise<{ question: Question; answer: Answer }[]>;
  find(questionId: string): Promise<{ question: Question; answer: Answer | null } | undefined>;
}

/** One artifact as the database knows it: the commit point of everything that lies in files. */
export interface ArtifactRow {
  envelope: ArtifactEnvelope;
  /** What the versions of one logical artifact share. */
  lineage: string;
  pillar: string;
  /** Body files by relative path, each a payload. */
  body: Record<string, string>;
}

export interface ArtifactQuery {
  type?: ArtifactEnvelope["artifact_type"];
  status?: ArtifactEnvelope["status"];
  lineage?: string;
  pillar?: string;
}

export interface ArtifactTable {
  insert(fence: Fence, row: ArtifactRow): Promise<void>;
  /** Changes the status if it still is `from`; false if it is not. */
  setStatus(fence: Fence, artifactId: string, from: string, to: string): Promise<boolean>;
  get(artifactId: string): Promise<ArtifactRow | undefined>;
  query(query: ArtifactQuery): Promise<ArtifactRow[]>;
  appendContribution(fence: Fence, contribution: Contribution): Promise<void>;
  contributions(taskRef?: string): Promise<Contribution[]>;
}

/** What each run has spent and holds back; the newest record is the truth, also after a crash. */
export interface Budgets {
  /** Takes the place of what was kept for the run before. */
  keep(fence: Fence, runId: string, budget: BudgetState): Promise<void>;
  find(runId: string): Promise<BudgetState | undefined>;
}

/** The project as a whole: from which specification it came, and under which run it is worked on. */
export interface ProjectHead {
  projectId: string;
  specVersion: string;
  /** The payload of the approved specification. */
  specRef: string;
  updatedAt: string;
}

/** Everything that one thing that happened changes: all of it, or nothing. */
export interface ProjectChange {
  at: string;
  /** The state of tasks that have another one now. */
  entries?: Iterable<[taskId: string, entry: TaskEntry]>;
  /** Tasks that have another file, attempt or resolution now; their state is not looked at. */
  revised?: readonly TaskRecord[];
  added?: readonly TaskRecord[];
  events: readonly UnnumberedEvent[];
  asked?: readonly Question[];
  /** Questions that nobody needs to answer any more. */
  withdrawn?: readonly string[];
  /** The question whose answer is carried out by this. */
  applies?: string;
}

/** A task file that the product does not have in this form yet. */
export interface UnpublishedFile {
  taskId: string;
  path: string;
  file: TaskFile;
  revision: number;
}

export interface ProjectTable {
  /** The run that everything happens under: the one there is, or this one from now on. */
  takeRun(fence: Fence, runId: string): Promise<string>;
  currentRun(): Promise<string | undefined>;
  /** A project comes to be once, as a whole; refused (`already_exists`) where there is one. */
  begin(fence: Fence, head: ProjectHead, tasks: Iterable<TaskRecord>, why: string): Promise<void>;
  head(): Promise<ProjectHead | undefined>;
  /** In declaration order. */
  entries(): Promise<[taskId: string, entry: TaskEntry][]>;
  task(taskId: string): Promise<TaskRecord>;
  /** Of the files of all tasks. */
  paths(): Promise<string[]>;
  /** False when the answer that it applies was applied before: then nothing has changed. */
  commit(fence: Fence, change: ProjectChange): Promise<boolean>;
  unpublished(limit: number): Promise<UnpublishedFile[]>;
  /** What was revised since stays unpublished. */
  published(fence: Fence, files: readonly Pick<UnpublishedFile, "taskId" | "revision">[]): Promise<void>;
}

export interface StoreDatabase {
  leases: Leases;
  journal: Journal;
  inbox: Inbox;
  budgets: Budgets;
  artifacts: ArtifactTable;
  project: ProjectTable;
  close(): Promise<void>;
}
