// The trail of finished steps of work: added to, read in order, and never changed or shortened.
import { Contribution } from "../../domain/artifact/contribution.ts";
import { canonicalJson } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { Fence } from "../port.ts";
import type { Row, Sql } from "../sql.ts";
import { fenced } from "./fence.ts";
import { readJson, readRow } from "./row.ts";

export function appendContribution(sql: Sql, fence: Fence, contribution: Contribution): void {
  fenced(sql, fence, () => insertContribution(sql, contribution));
}

/** For transactions that have checked the fence. */
export function insertContribution(sql: Sql, wanted: Contribution): void {
  const contribution = parseOrThrow(Contribution, wanted, "the contribution");
  const { contribution_id: id, task_ref: taskRef } = contribution;
  const row = sql.get("SELECT contribution_id, contribution FROM contributions WHERE contribution_id = ?", [
    id,
  ]);
  if (row !== undefined) {
    // Whoever adds it again after a crash means the same.
    if (canonicalJson(contributionOf(row)) === canonicalJson(contribution)) return;
    throw new CupelError("already_exists", `the contribution ${id} is in the trail already`, {
      expected: "a new id: what was contributed stays as it is",
    });
  }
  sql.run("INSERT INTO contributions (contribution_id, task_ref, contribution) VALUES (?, ?, ?)", [
    id,
    taskRef,
    JSON.stringify(contribution),
  ]);
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
