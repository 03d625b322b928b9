// One budget for all calls of a process: changes one after the other, each kept before anyone goes on with it.
import type { BudgetState } from "../domain/agent/budget-state.ts";
import type { CapReached } from "../domain/agent/role-call-outcome.ts";
import type { Spent } from "../domain/run/run-event.ts";
import { reserve, settle, toRecord, type WorstCase } from "./budget.ts";
import type { BudgetNotice, Payer } from "./budget-accounts.ts";

/** What calls need of a budget; a factory on many machines brings one that lives in its database. */
export interface BudgetKeeper {
  reserve(id: string, payer: Payer, worst: WorstCase): Promise<Granted>;
  settle(id: string, spent: Spent & { ms: number }): Promise<{ notices: BudgetNotice[] }>;
}

export type Granted = { notices: BudgetNotice[] } & (
  | { kind: "reserved" }
  | { kind: "over"; cap: CapReached }
);

/** `keep` must have made the record durable when it ends; when it throws, the change has not happened. */
export function budgetKeeper(
  opened: BudgetState,
  keep: (record: BudgetState) => Promise<void>,
): BudgetKeeper & { state(): BudgetState } {
  let state = opened;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T extends { state: BudgetState }>(change: (state: BudgetState) => T): Promise<T> {
    const turn = last.then(async () => {
      const changed = change(state);
      if (changed.state !== state) await keep(toRecord(changed.state));
      state = changed.state;
      return changed;
    });
    last = turn.catch(() => {});
    return turn;
  }

  return {
    state: () => state,
    reserve: (id, payer, worst) => inTurn((current) => reserve(current, id, payer, worst)),
    settle: (id, spent) => inTurn((current) => settle(current, id, spent)),
  };
}
