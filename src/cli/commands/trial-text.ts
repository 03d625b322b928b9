// A trial as people read it: what is registered, a line for each run while it is played, and a table of its arms.
import type { TrialProtocol } from "../../domain/trial/trial-protocol.ts";
import type { TrialRow } from "../../domain/trial/trial-row.ts";
import type { TrialStanding } from "../../factory/trial-standing.ts";
import { runsOf } from "../../trial/schedule.ts";
import { count } from "../output.ts";

export function registeredLine(folder: string, protocol: TrialProtocol): string {
  const { tasks, seeds, arms, primary, workers, stop } = protocol;
  const sizes = [count(tasks.length, "task"), count(arms.length, "arm"), count(seeds.length, "seed")];
  const runs = count(runsOf(protocol).length, "run");
  const names = arms.map(({ name }) => name).join(", ");
  const who =
    workers.kind === "simulated" ? "simulated workers" : `${workers.runtime} ${workers.model ?? ""}`;
  const most = stop.maxCostUsd === undefined ? "" : `, at most $${stop.maxCostUsd.toFixed(2)}`;
  return `${folder}: ${sizes.join(" × ")} = ${runs} (${names}); ${primary} is what counts; ${who.trim()}${most}`;
}

export function rowLine(row: TrialRow, left: number): string {
  const { task, seed, arm, ended, right, caughtBy, why, seconds } = row;
  const verdict = right === null ? "" : right ? ", right" : ", wrong";
  const caught = caughtBy === null ? "" : `, caught by ${caughtBy}`;
  const because =
    ended === "shipped" ? "" : `: ${why.length > MOST_WHY ? `${why.slice(0, MOST_WHY)}…` : why}`;
  const run = `${task} ${seed} ${arm}`.padEnd(36);
  return `${run} ${ended}${verdict}${caught} · ${seconds.toFixed(1)} s · ${left} left${because}`;
}

/** The row has all of it. */
const MOST_WHY = 160;

const COLUMNS = [
  ["tasks", "tasks"],
  ["escaped", "escaped"],
  ["falseRejections", "false rejections"],
  ["crashRate", "crash rate"],
  ["correctness", "correctness"],
  ["coverage", "coverage"],
  ["staticPass", "static pass"],
  ["calls", "calls"],
  ["tokens", "tokens"],
] as const;

const SHARES: readonly string[] = ["crashRate", "correctness", "coverage", "staticPass"];

export function standingLines(standing: TrialStanding): string[] {
  const { protocol, rows, planned, summary, doubts, folder } = standing;
  const head = `${protocol.name}: ${rows.length} of ${count(planned, "run")}${endText(standing)}`;
  const table = [
    ["arm", ...COLUMNS.map(([, title]) => title)],
    ...Object.entries(summary.arms).map(([arm, figures]) => [
      arm === protocol.control ? `${arm} (control)` : arm,
      ...COLUMNS.map(([key]) => figureText(figures[key], SHARES.includes(key))),
    ]),
  ];
  const mark = doubts.length > 0 ? "?" : "✓";
  return [
    `${mark} ${head}`,
    ...doubts.map(({ kind, words }) => `! not to be believed, ${kind}: ${words}`),
    ...aligned(table),
    ...successLines(standing),
    `The rows are in ${folder}/rows.jsonl, a page with pictures is ${folder}/report.html.`,
  ];
}

/** What each arm but the control has reached of its targets; with doubts it has reached none. */
function successLines({ success, protocol, doubts }: TrialStanding): string[] {
  if (doubts.length > 0) return [];
  return success
    .filter(({ arm }) => arm !== protocol.control)
    .map(({ arm, lines }) => {
      const reached = lines.filter(({ verdict }) => verdict === "reached").length;
      const others = lines
        .filter(({ verdict }) => verdict !== "reached")
        .map(({ name, target, verdict }) => `${name} (${target}): ${verdict}`);
      return `${arm}: ${reached} of ${lines.length} targets reached${others.length === 0 ? "" : `; ${others.join("; ")}`}`;
    });
}

function endText({ end, rows, folder }: TrialStanding): string {
  switch (end.kind) {
    case "complete":
      return "";
    case "stopped":
      return `; stopped: ${end.why}`;
    case "interrupted":
    case "unfinished":
      // What has not begun cannot be resumed.
      return rows.length === 0
        ? `; cupel trial run ${folder} plays it`
        : `; cupel trial resume ${folder} goes on`;
  }
}

/** Where nothing was counted there is no share. */
function figureText(figure: number | null, isShare: boolean): string {
  if (figure === null) return "–";
  return isShare ? `${(figure * 100).toFixed(1)} %` : String(figure);
}

function aligned(table: readonly (readonly string[])[]): string[] {
  const [head = []] = table;
  const widths = head.map((_, column) => Math.max(...table.map((line) => (line[column] ?? "").length)));
  return table.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  "),
  );
}
