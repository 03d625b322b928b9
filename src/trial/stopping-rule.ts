// When a trial stops before all of its runs are played: as it was registered, and said in words.
import type { TrialProtocol } from "../domain/trial/trial-protocol.ts";
import type { TrialRow } from "../domain/trial/trial-row.ts";

export interface TrialBudget {
  /** So many runs are about to be played. */
  begin(runs: number): void;
  spend(row: TrialRow): void;
  /** Why no block may begin any more; undefined while one may. */
  reached(): string | undefined;
}

/** Runs count from when they begin, so that it is the same ones however many are played at a time. */
export function budgetOf({ stop }: TrialProtocol, rows: readonly TrialRow[], begunRuns: number): TrialBudget {
  const { maxRuns = Infinity, maxTokens = Infinity, maxCostUsd = Infinity } = stop;
  let runs = begunRuns;
  let tokens = 0;
  let usd = 0;
  let unpriced = 0;
  const spend = (row: TrialRow) => {
    tokens += row.tokens;
    usd += row.costUsd ?? 0;
    if (row.costUsd === null) unpriced += 1;
  };
  for (const row of rows) spend(row);
  return {
    begin: (more) => void (runs += more),
    spend,
    reached() {
      if (runs >= maxRuns) return `${runs} runs were begun, and ${maxRuns} are the most`;
      if (tokens >= maxTokens) return `${tokens} tokens were used, and ${maxTokens} are the most`;
      if (unpriced > 0 && maxCostUsd < Infinity)
        return `nobody knows what ${unpriced} of the runs cost, and $${maxCostUsd.toFixed(2)} are the most`;
      if (usd >= maxCostUsd)
        return `$${usd.toFixed(2)} were spent, and $${maxCostUsd.toFixed(2)} are the most`;
      return undefined;
    },
  };
}
