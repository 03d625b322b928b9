// The budget of each run, as it was after its last change.
import { BudgetState } from "../../domain/agent/budget-state.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { Budgets, Fence } from "../port.ts";
import type { Sql } from "../sql.ts";
import { fenced } from "./fence.ts";
import { readJson, readRow } from "./row.ts";
import { Key } from "./stored-text.ts";

export class LocalBudgets implements Budgets {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async keep(fence: Fence, runId: string, budget: BudgetState): Promise<void> {
    parseOrThrow(Key, runId, "the id of the run");
    const text = JSON.stringify(parseOrThrow(BudgetState, budget, "the budget of the run"));
    fenced(this.#sql, fence, () =>
      this.#sql.run(
        `INSERT INTO run_budgets (run_id, budget) VALUES (?, ?)
         ON CONFLICT (run_id) DO UPDATE SET budget = excluded.budget`,
        [runId, text],
      ),
    );
  }

  async find(runId: string): Promise<BudgetState | undefined> {
    const row = this.#sql.get("SELECT run_id, budget FROM run_budgets WHERE run_id = ?", [runId]);
    // The driver mends broken characters on the way in, which could find the budget of another run.
    if (row === undefined || row["run_id"] !== runId) return undefined;
    const place = { table: "run_budgets", key: runId };
    return readRow(BudgetState, readJson(row["budget"], place), place);
  }
}
