// The trail of finished steps of work: added to, read in order, and never changed or shortened.
import { Contribution } from "../../domain/artifact/contribution.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { Fence } from "../port.ts";
import type { Row, Sql } from "../sql.ts";
import { fenced } from "./fence.ts";
import { readJson, readRow } from "./row.ts";

export function appendContribution(sql: Sql, fence: Fence, wanted: Contribution): void {
  const contribution = parseOrThrow(Contribution, wanted, "the contribution");
  const { contribution_id: id, task_ref: taskRef } = contribution;
  fenced(sql, fence, () => {
    if (sql.get("SELECT seq FROM contributions WHERE contribution_id = ?", [id]) !== undefined) {
      throw new CupelError("already_exists", `the contribution ${id} is in the trail already`, {
        expected: "a new id: what was contributed stays as it is",
      });
    }
    sql.run("INSERT INTO contributions (contribution_id, task_ref, contribution) VALUES (?, ?, ?)", [
      id,
      taskRef,
      JSON.stringify(contribution),
    ]);
  });
}

export function readContributions(sql: Sql, taskRef?: string): Contribution[] {
  const select = "SELECT contribution_id, contribution FROM contributions";
  const rows =
    taskRef === undefined
      ? sql.all(`${select} ORDER BY seq`)
      : sql.all(`${select} WHERE task_ref = ? ORDER BY seq`, [taskRef]);
  return rows.map(contributionOf);
}

function contributionOf(row: Row): Contribution {
  const place = { table: "contributions", key: String(row["contribution_id"]) };
  return readRow(Contribution, readJson(row["contribution"], place), place);
}
