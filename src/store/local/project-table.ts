// The project in the database: its tasks and their states. One transaction for everything that one thing changes.
import { CupelError } from "../../domain/error.ts";
import { nearest } from "../../domain/nearest.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { TaskEntry } from "../../domain/task/project-state.ts";
import { TaskRecord } from "../../domain/task/task-record.ts";
import type { Fence, ProjectChange, ProjectHead, ProjectTable, UnpublishedFile } from "../port.ts";
import type { Row, Sql } from "../sql.ts";
import { fenced } from "./fence.ts";
import { appendInside } from "./journal.ts";
import { checkedQuestion, insertQuestion, markAnswerApplied, withdrawQuestion } from "./question-rows.ts";
import { readJson, readRow } from "./row.ts";
import { Key } from "./stored-text.ts";

const SELECT = "SELECT task_id, entry, path, file, attempt, resolution, change, policy, revision FROM tasks";

export class LocalProjectTable implements ProjectTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async takeRun(fence: Fence, runId: string): Promise<string> {
    const id = parseOrThrow(Key, runId, "the id of the run");
    return fenced(this.#sql, fence, () => {
      const current = this.#currentRun();
      if (current === undefined) this.#sql.run("INSERT INTO current_run (id, run_id) VALUES (1, ?)", [id]);
      return current ?? id;
    });
  }

  async currentRun(): Promise<string | undefined> {
    return this.#currentRun();
  }

  async begin(fence: Fence, head: ProjectHead, tasks: Iterable<TaskRecord>, why: string): Promise<void> {
    fenced(this.#sql, fence, () => {
      if (this.#head() !== undefined) throw exists();
      const { projectId, specVersion, specRef, updatedAt: at } = head;
      this.#sql.run(
        "INSERT INTO project (id, project_id, spec_version, spec_ref, updated_at) VALUES (1, ?, ?, ?, ?)",
        [projectId, specVersion, specRef, at],
      );
      const runId = this.#currentRun() ?? projectId;
      for (const task of tasks) {
        this.#insert(task);
        const { taskId, entry } = task;
        const about = { at, runId, task: taskId, from: null, to: entry.status, why } as const;
        appendInside(this.#sql, { kind: "task_transitioned", ...about });
      }
    });
  }

  async head(): Promise<ProjectHead | undefined> {
    return this.#head();
  }

  async entries(): Promise<[string, TaskEntry][]> {
    return this.#sql
      .all("SELECT task_id, entry FROM tasks ORDER BY place")
      .map((row) => [String(row["task_id"]), entryOf(row)]);
  }

  async task(taskId: string): Promise<TaskRecord> {
    const row = this.#sql.get(`${SELECT} WHERE task_id = ?`, [taskId]);
    if (row !== undefined) return recordOf(row);
    const meant = nearest(taskId, this.#sql.all("SELECT task_id FROM tasks").map(idIn));
    throw new CupelError("unknown_task", `there is no task ${taskId}`, {
      expected: "the id of a task of this project",
      hint: meant === undefined ? "cupel status" : `did you mean ${meant}?`,
    });
  }

  async paths(): Promise<string[]> {
    return this.#sql.all("SELECT path FROM tasks ORDER BY place").map((row) => String(row["path"]));
  }

  async commit(fence: Fence, change: ProjectChange): Promise<boolean> {
    const asked = (change.asked ?? []).map(checkedQuestion);
    return fenced(this.#sql, fence, () => {
      const { at, applies } = change;
      if (applies !== undefined && !markAnswerApplied(this.#sql, applies, at)) return false;
      for (const [taskId, entry] of change.entries ?? []) this.#setEntry(taskId, entry);
      for (const task of change.revised ?? []) this.#revise(task);
      for (const task of change.added ?? []) this.#insert(task);
      for (const event of change.events) appendInside(this.#sql, event);
      for (const id of change.withdrawn ?? []) withdrawQuestion(this.#sql, id, at);
      for (const question of asked) insertQuestion(this.#sql, question);
      this.#sql.run("UPDATE project SET updated_at = ?", [at]);
      return true;
    });
  }

  async unpublished(limit: number): Promise<UnpublishedFile[]> {
    const rows = this.#sql.all(`${SELECT} WHERE published < revision ORDER BY place LIMIT ?`, [limit]);
    return rows.map((row) => {
      const { taskId, path, file } = recordOf(row);
      return { taskId, path, file, revision: Number(row["revision"]) };
    });
  }

  async published(
    fence: Fence,
    files: readonly Pick<UnpublishedFile, "taskId" | "revision">[],
  ): Promise<void> {
    fenced(this.#sql, fence, () => {
      for (const { taskId, revision } of files)
        this.#sql.run("UPDATE tasks SET published = ? WHERE task_id = ?", [revision, taskId]);
    });
  }

  #currentRun(): string | undefined {
    const row = this.#sql.get("SELECT run_id FROM current_run");
    return row === undefined ? undefined : String(row["run_id"]);
  }

  #head(): ProjectHead | undefined {
    const row = this.#sql.get("SELECT project_id, spec_version, spec_ref, updated_at FROM project");
    if (row === undefined) return undefined;
    const { project_id, spec_version, spec_ref, updated_at } = row;
    return {
      projectId: String(project_id),
      specVersion: String(spec_version),
      specRef: String(spec_ref),
      updatedAt: String(updated_at),
    };
  }

  #insert(task: TaskRecord): void {
    const record = parseOrThrow(TaskRecord, task, "the task");
    this.#sql.run(
      `INSERT INTO tasks (place, task_id, entry, path, file, attempt, resolution, change, policy, revision, published)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0)`,
      [
        record.entry.declaration_order,
        record.taskId,
        JSON.stringify(record.entry),
        record.path,
        JSON.stringify(record.file),
        record.attempt,
        orNull(record.resolution),
        orNull(record.change),
        orNull(record.policy),
      ],
    );
  }

  #setEntry(taskId: string, entry: TaskEntry): void {
    const text = JSON.stringify(parseOrThrow(TaskEntry, entry, "the state of the task"));
    this.#one("UPDATE tasks SET entry = ? WHERE task_id = ?", [text, taskId], taskId);
  }

  #revise(task: TaskRecord): void {
    const { taskId, file, attempt, resolution, policy } = parseOrThrow(TaskRecord, task, "the task");
    const text = JSON.stringify(file);
    this.#one(
      `UPDATE tasks SET revision = revision + (file <> ?1), file = ?1, attempt = ?2, resolution = ?3, policy = ?4
       WHERE task_id = ?5`,
      [text, attempt, orNull(resolution), orNull(policy), taskId],
      taskId,
    );
  }

  #one(statement: string, parameters: (string | number | null)[], taskId: string): void {
    if (this.#sql.run(statement, parameters) === 1) return;
    throw new CupelError("unknown_task", `there is no task ${taskId}`);
  }
}

function entryOf(row: Row): TaskEntry {
  const place = { table: "tasks", key: idIn(row) };
  return readRow(TaskEntry, readJson(row["entry"], place), place);
}

function recordOf(row: Row): TaskRecord {
  const place = { table: "tasks", key: idIn(row) };
  const json = (column: string): unknown => (row[column] === null ? null : readJson(row[column], place));
  const { task_id: taskId, path, attempt } = row;
  const [file, resolution, change, policy] = ["file", "resolution", "change", "policy"].map(json);
  return readRow(
    TaskRecord,
    { taskId, entry: json("entry"), path, file, attempt, resolution, change, policy },
    place,
  );
}

function idIn(row: Row): string {
  return String(row["task_id"]);
}

function orNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function exists(): CupelError {
  return new CupelError("already_exists", "the project has its tasks already", {
    expected: "a store without a project",
    hint: "cupel run --resume",
  });
}
