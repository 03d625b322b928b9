// `cupel trial report`: what the rows of a trial show so far.
import { basename } from "node:path";
import {
  trialFolders,
  type TrialStanding,
  trialStanding,
  writeReports,
} from "../../factory/trial-standing.ts";
import { oneLine, printJson, printText } from "../output.ts";
import { standingLines } from "./trial-text.ts";

export async function trialReport(directory: string, json: boolean): Promise<void> {
  const folders = trialFolders(directory, { begun: false });
  const standings: TrialStanding[] = [];
  for (const folder of folders) standings.push(await trialStanding(folder));
  await printStandings(standings, { json, together: folders.length > 1 });
}

/** Also writes their pages. Trials that were asked for together are told by the names of their folders. */
export async function printStandings(
  standings: readonly TrialStanding[],
  { json, together }: { json: boolean; together: boolean },
): Promise<void> {
  await writeReports(standings);
  if (!json) {
    const parts = standings.map((each) => standingLines(each).map(oneLine).join("\n"));
    return printText(parts.join("\n\n"));
  }
  const named = standings.map((each) => [basename(each.folder), standingDocument(each)] as const);
  printJson(together ? { trials: Object.fromEntries(named) } : named[0]?.[1]);
}

/** Nothing of it differs when the trial is repeated. */
function standingDocument(standing: TrialStanding) {
  const { protocol, sha256, end, rows, planned, summary, success, doubts } = standing;
  const { name, primary, control } = protocol;
  const { kind, ...why } = end;
  const { counted: _, ...figures } = summary;
  const about = { trial: name, sha256, primary, control, end: kind, ...why, runs: rows.length, planned };
  return { ...about, doubts, ...figures, success };
}
