// What the rows of a trial say by now: the one place where they become figures, doubts and a report.
import { basename } from "node:path";
import { CupelError } from "../domain/error.ts";
import { type Doubt, doubtsOf } from "../domain/trial/doubts.ts";
import { type ArmSuccess, successTable } from "../domain/trial/success-table.ts";
import { summarize, type TrialSummary } from "../domain/trial/summary.ts";
import { protocolHash, type TrialProtocol } from "../domain/trial/trial-protocol.ts";
import { brokenOraclesIn, type TrialRow } from "../domain/trial/trial-row.ts";
import { renderTrialReport } from "../report/trial-report.ts";
import type { Sweep } from "../report/trial-report-data.ts";
import { writeAtomically } from "../store/atomic-file.ts";
import { readRows } from "../trial/rows-file.ts";
import type { TrialEnd } from "../trial/run-trial.ts";
import { inOrder, runsOf } from "../trial/schedule.ts";
import { isLocked, placesOf, protocolIn, trialsIn } from "../trial/trial-folder.ts";
import { cupelVersion } from "../version.ts";

export interface TrialStanding {
  folder: string;
  protocol: TrialProtocol;
  sha256: string;
  end: TrialEnd | { kind: "unfinished" };
  /** As they are registered: by task, then seed, then arm. */
  rows: readonly TrialRow[];
  planned: number;
  summary: TrialSummary;
  success: readonly ArmSuccess[];
  /** Why none of it is to be believed. */
  doubts: readonly Doubt[];
}

export function standingOf(
  about: Pick<TrialStanding, "folder" | "protocol" | "end" | "rows">,
): TrialStanding {
  const { protocol, rows } = about;
  const summary = summarize(protocol, rows);
  const success = successTable(protocol, summary);
  const doubts = doubtsOf({ protocol, summary, brokenOracles: brokenOraclesIn(rows) });
  const planned = runsOf(protocol).length;
  return { ...about, sha256: protocolHash(protocol), planned, summary, success, doubts };
}

/** One page for each trial, beside its rows; trials that were swept together show each other. */
export async function writeReports(standings: readonly TrialStanding[]): Promise<string[]> {
  const pages: string[] = [];
  for (const standing of standings) {
    const { protocol, sha256: hash, rows, summary, doubts, folder } = standing;
    const { report, rows: rowsFile } = placesOf(folder);
    const page = renderTrialReport({
      protocol,
      hash,
      rows,
      summary,
      doubts,
      sweeps: sweepsOf(standings),
      rowsFile: basename(rowsFile),
      generatedAt: new Date().toISOString(),
      cupelVersion: cupelVersion(),
    });
    await writeAtomically(report, page, "full");
    pages.push(report);
  }
  return pages;
}

function sweepsOf(standings: readonly TrialStanding[]): Sweep[] {
  if (standings.length < 2) return [];
  return standings.flatMap(({ folder, protocol: { workers }, summary }) =>
    workers.kind === "simulated"
      ? [{ label: basename(folder), parameters: workers.parameters, summary }]
      : [],
  );
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
