// `cupel clean`: lists the workspaces that runs left behind, keeps their work in the hub and removes them; folders of
// finished rounds of the specification go, too.
import { finishedRounds, type FinishedRound, removeRounds } from "../../factory/rounds.ts";
import { cleanWorkspaces, listWorkspaces } from "../../factory/workspaces.ts";
import type { Cleaned, CleaningResult, WorkspaceState } from "../../workshop/workspace/clean.ts";
import { EXIT } from "../exit-codes.ts";
import { colorsFor, count, oneLine, printJson, printText } from "../output.ts";

interface CleanCommand {
  directory: string;
  dryRun: boolean;
  foreign: boolean;
  json: boolean;
}

export async function clean({ directory, dryRun, foreign, json }: CleanCommand): Promise<number> {
  if (dryRun) {
    const workspaces = await listWorkspaces(directory);
    const rounds = await finishedRounds(directory);
    if (json) printJson({ workspaces, rounds });
    else printText([renderList(workspaces), ...roundLines(rounds, "cupel clean also removes")].join("\n"));
    return EXIT.ok;
  }
  const result = await cleanWorkspaces(directory, { foreign });
  const rounds = await removeRounds(directory);
  if (json) printJson({ ...result, rounds });
  else printText([...renderResult(result, rounds.length), ...roundLines(rounds, "Removed")].join("\n"));
  return result.cleaned.some(({ outcome }) => outcome.kind === "kept") ? EXIT.internal : EXIT.ok;
}

function renderList(workspaces: WorkspaceState[]): string {
  if (workspaces.length === 0) return "No workspaces.";
  const stale = workspaces.flatMap((one) => (one.state === "stale" ? [one] : []));
  const bytes = stale.reduce((total, one) => total + one.bytes, 0);
  return [
    ...workspaces.map((one) => oneLine(`${one.id.padEnd(28)} ${describe(one)}`)),
    "",
    `cupel clean removes ${count(stale.length, "stale workspace")} (${size(bytes)}); what is unsaved is kept in the hub first.`,
  ].join("\n");
}

function describe(one: WorkspaceState): string {
  switch (one.state) {
    case "stale": {
      const own = one.unsavedCommits ? ", own commits or staged files" : "";
      return `${one.role.padEnd(16)} stale    ${size(one.bytes).padStart(9)}  ${count(one.unsavedFiles, "unsaved file")}${own}`;
    }
    case "in-use":
      return `${one.role.padEnd(16)} in use by process ${one.pid}`;
    case "in-use-elsewhere":
      return `${one.role.padEnd(16)} held by process ${one.pid} of another container; if that is gone: cupel clean --foreign`;
    case "damaged":
      return `damaged: ${one.why}; look at .cupel/workspaces/${one.id} and remove it by hand`;
  }
}

function renderResult({ cleaned, rubbishBytes }: CleaningResult, others: number): string[] {
  const removed = cleaned.flatMap(({ outcome }) => (outcome.kind === "removed" ? [outcome] : []));
  const freed = removed.reduce((total, { bytes }) => total + bytes, rubbishBytes);
  return [
    ...cleaned.flatMap(renderOne),
    ...(freed === 0 && removed.length === 0
      ? others === 0
        ? ["Nothing to remove."]
        : []
      : [`Removed ${count(removed.length, "workspace")}, ${size(freed)} freed.`]),
  ];
}

function renderOne({ id, outcome }: Cleaned): string[] {
  const colors = colorsFor(process.stdout);
  switch (outcome.kind) {
    case "removed": {
      const { refs, unreachable } = outcome.salvaged;
      const kept = refs.map((ref) => `      git --git-dir=.cupel/hub.git show ${ref}`);
      const lost =
        unreachable === 0
          ? []
          : [`      ${count(unreachable, "path")} that no program can open went with it`];
      const ending = kept.length === 0 ? "removed" : "removed, its work is kept:";
      return [`  ${colors.green("✓")} ${id}  ${ending}`, ...kept, ...lost];
    }
    case "in-use": {
      const hint = outcome.elsewhere ? " of another container; if that is gone: cupel clean --foreign" : "";
      return [`  – ${id}  in use by process ${outcome.pid}${hint}`];
    }
    case "gone":
      return [`  – ${id}  removed by another process`];
    case "kept":
      return [
        `  ${colors.red("✕")} ${id}  kept: ${oneLine(outcome.why)}`,
        `      look at .cupel/workspaces/${id}, then run cupel clean again or remove it by hand`,
      ];
  }
}

/** What was drafted in them lies in the store. */
function roundLines(rounds: readonly FinishedRound[], what: string): string[] {
  if (rounds.length === 0) return [];
  const bytes = rounds.reduce((total, round) => total + round.bytes, 0);
  return [
    `${what} ${count(rounds.length, "folder")} of finished rounds of the specification (${size(bytes)}).`,
  ];
}

function size(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
