// The part of the check that looks at the project: every task by its schema, and all of them as a state machine.
import { CupelError } from "../domain/error.ts";
import type { ProjectState } from "../domain/task/project-state.ts";
import { StateMachine } from "../domain/task/state-machine.ts";
import { TaskRecord } from "../domain/task/task-record.ts";
import type { FsckProblem } from "./fsck-report.ts";
import { json, parsed } from "./fsck-rows.ts";
import type { Row, Sql } from "./sql.ts";

export interface CheckedProject {
  problems: FsckProblem[];
  tasks: number;
  /** What `project/state_machine.json` is to say. */
  state: ProjectState | undefined;
  specRef: string | undefined;
}

export function checkProject(sql: Sql): CheckedProject {
  const problems: FsckProblem[] = [];
  const records = sql.all("SELECT * FROM tasks ORDER BY place").flatMap((row) => taskIn(row, problems));
  const [head] = sql.all("SELECT * FROM project");
  if (head === undefined) {
    if (records.length > 0) problems.push({ where: "project", what: "there are tasks without a project" });
    return { problems, tasks: records.length, state: undefined, specRef: undefined };
  }
  const state = stateOf(head, records, problems);
  return { problems, tasks: records.length, state, specRef: String(head["spec_ref"]) };
}

function taskIn(row: Row, problems: FsckProblem[]): TaskRecord[] {
  const where = `task ${String(row["task_id"])}`;
  const { task_id: taskId, path, attempt } = row;
  const [entry, file, resolution, change, policy] = ["entry", "file", "resolution", "change", "policy"].map(
    (column) => (row[column] === null ? null : json(row[column])),
  );
  const record = parsed(
    TaskRecord,
    { taskId, entry, path, file, attempt, resolution, change, policy },
    where,
    problems,
  );
  if (record !== undefined && record.entry.declaration_order !== row["place"])
    problems.push({ where, what: "its row is not at the place that its state names" });
  return record === undefined ? [] : [record];
}

/** A state that the rules could not have produced is a problem, too. */
function stateOf(
  head: Row,
  records: readonly TaskRecord[],
  problems: FsckProblem[],
): ProjectState | undefined {
  try {
    return StateMachine.load({
      project_id: head["project_id"],
      spec_version: head["spec_version"],
      updated_at: head["updated_at"],
      tasks: Object.fromEntries(records.map(({ taskId, entry }) => [taskId, entry])),
    }).toState();
  } catch (error) {
    if (!(error instanceof CupelError)) throw error;
    problems.push({ where: "project", what: error.message });
    return undefined;
  }
}
