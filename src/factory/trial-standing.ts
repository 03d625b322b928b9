// What the rows of a trial say by now: the one place where they become figures, doubts and a report.
import { CupelError } from "../domain/error.ts";
import { summarize, type TrialSummary } from "../domain/trial/summary.ts";
import { protocolHash, type TrialProtocol } from "../domain/trial/trial-protocol.ts";
import type { TrialRow } from "../domain/trial/trial-row.ts";
import { readRows } from "../trial/rows-file.ts";
import type { TrialEnd } from "../trial/run-trial.ts";
import { inOrder, runsOf } from "../trial/schedule.ts";
import { isLocked, placesOf, protocolIn, trialsIn } from "../trial/trial-folder.ts";

export interface TrialStanding {
  folder: string;
  protocol: TrialProtocol;
  sha256: string;
  end: TrialEnd | { kind: "unfinished" };
  /** As they are registered: by task, then seed, then arm. */
  rows: readonly TrialRow[];
  planned: number;
  summary: TrialSummary;
}

export function standingOf(
  about: Pick<TrialStanding, "folder" | "protocol" | "end" | "rows">,
): TrialStanding {
  const { protocol, rows } = about;
  const summary = summarize(protocol, rows);
  return { ...about, sha256: protocolHash(protocol), planned: runsOf(protocol).length, summary };
}

/** Nothing is played and nothing is changed. */
export async function trialStanding(folder: string): Promise<TrialStanding> {
  const protocol = await protocolIn(folder);
  const runs = runsOf(protocol);
  const rows = inOrder(runs, await readRows(placesOf(folder).rows, runs));
  const end = rows.length === runs.length ? "complete" : "unfinished";
  return standingOf({ folder, protocol, rows, end: { kind: end } });
}

/** The trials of a folder; with `begun`, refused unless each has been begun. */
export function trialFolders(folder: string, { begun }: { begun: boolean }): string[] {
  const folders = trialsIn(folder);
  const never = begun ? folders.find((each) => !isLocked(each)) : undefined;
  if (never === undefined) return folders;
  throw new CupelError("usage", `the trial in ${never} has not begun, so there is nothing to go on with`, {
    hint: `cupel trial run ${folder}`,
  });
}
