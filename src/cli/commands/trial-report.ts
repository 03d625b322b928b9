// `cupel trial report`: what the rows of a trial show so far.
import { basename } from "node:path";
import { trialFolders, type TrialStanding, trialStanding } from "../../factory/trial-standing.ts";
import { oneLine, printJson, printText } from "../output.ts";
import { standingLines } from "./trial-text.ts";

export async function trialReport(directory: string, json: boolean): Promise<void> {
  const standings: TrialStanding[] = [];
  for (const folder of trialFolders(directory, { begun: false })) standings.push(await trialStanding(folder));
  printStandings(standings, json);
}

/** Several trials are told by the names of their folders. */
export function printStandings(standings: readonly TrialStanding[], json: boolean): void {
  if (!json) {
    const parts = standings.map((each) => standingLines(each).map(oneLine).join("\n"));
    return printText(parts.join("\n\n"));
  }
  const [first, ...others] = standings.map(standingDocument);
  if (others.length === 0) return printJson(first);
  const named = standings.map((each) => [basename(each.folder), standingDocument(each)] as const);
  printJson({ trials: Object.fromEntries(named) });
}

/** Nothing of it differs when the trial is repeated. */
function standingDocument({ protocol, sha256, end, rows, planned, summary }: TrialStanding) {
  const { name, primary, control } = protocol;
  const { kind, ...why } = end;
  return { trial: name, sha256, primary, control, end: kind, ...why, runs: rows.length, planned, ...summary };
}
