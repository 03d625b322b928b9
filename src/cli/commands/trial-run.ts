// `cupel trial run` and `cupel trial resume`: play what is registered; again to go on.
import { CupelError } from "../../domain/error.ts";
import { freshFolder, registerTrials } from "../../factory/trial-register.ts";
import { trialFolders, type TrialStanding } from "../../factory/trial-standing.ts";
import { EXIT } from "../exit-codes.ts";
import { untilInterrupted } from "../interrupt.ts";
import { itselfAsWorker } from "../itself-as-worker.ts";
import { usualJobs, whole } from "../numbers.ts";
import { oneLine } from "../output.ts";
import { presetNamed } from "./trial-init.ts";
import { printStandings } from "./trial-report.ts";
import { rowLine } from "./trial-text.ts";

export interface TrialRunCommand {
  preset?: string;
  jobs?: string;
  json?: boolean;
}

export async function runTrials(directory: string | undefined, command: TrialRunCommand): Promise<number> {
  const jobs = jobsOf(command);
  if (command.preset !== undefined) {
    const preset = presetNamed(command.preset);
    const folder = directory ?? freshFolder(".", preset);
    await registerTrials(folder, { preset }, { here: process.cwd(), env: process.env });
    return play([folder], jobs, command);
  }
  if (directory !== undefined) return play(trialFolders(directory, { begun: false }), jobs, command);
  throw new CupelError("usage", "which trial?", {
    expected: "the folder of a registered trial, or --preset",
    hint: "cupel trial run --preset short",
  });
}

export function resumeTrial(directory: string, command: TrialRunCommand): Promise<number> {
  return play(trialFolders(directory, { begun: true }), jobsOf(command), command);
}

function jobsOf({ jobs }: TrialRunCommand): number {
  return whole(jobs, "--jobs", 1, usualJobs());
}

/** One after the other; what stops one of them stops those behind it. */
async function play(folders: readonly string[], jobs: number, { json }: TrialRunCommand): Promise<number> {
  const { playTrial } = await import("../../factory/trial.ts");
  const signal = untilInterrupted();
  const standings: TrialStanding[] = [];
  for (const folder of folders) {
    const standing = await playTrial(folder, {
      jobs,
      worker: itselfAsWorker("trial", "worker"),
      env: process.env,
      signal,
      onBegun: () =>
        tell(`The trial is in ${folder}; Ctrl-C stops it, cupel trial resume ${folder} goes on.`),
      onPlayed: (row, left) => tell(rowLine(row, left)),
    });
    standings.push(standing);
    if (signal.aborted) break;
  }
  await printStandings(standings, { json: json === true, together: folders.length > 1 });
  return Math.max(...standings.map(exitOf));
}

/** The worst is the largest. */
function exitOf({ end, rows, doubts }: TrialStanding): number {
  if (end.kind === "interrupted") return EXIT.interrupted;
  if (rows.every(({ ended }) => ended === "crashed")) return EXIT.failed;
  if (end.kind === "stopped") return EXIT.budget;
  return doubts.length === 0 ? EXIT.ok : EXIT.gatesFailed;
}

function tell(line: string): void {
  process.stderr.write(`${oneLine(line)}\n`);
}
