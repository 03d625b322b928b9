// `cupel clean`: lists the workspaces that runs left behind, keeps their work in the hub and removes them.
import { cleanWorkspaces, listWorkspaces } from "../../factory.ts";
import type { Cleaned, WorkspaceState } from "../../workshop/workspace/clean.ts";
import { EXIT } from "../exit-codes.ts";
import { colorsFor, oneLine, printJson, printText } from "../output.ts";

interface CleanCommand {
  directory: string;
  dryRun: boolean;
  json: boolean;
}

export async function clean({ directory, dryRun, json }: CleanCommand): Promise<number> {
  if (dryRun) {
    const workspaces = listWorkspaces(directory);
    if (json) printJson({ workspaces });
    else printText(renderList(workspaces));
    return EXIT.ok;
  }
  const result = await cleanWorkspaces(directory);
  if (json) printJson(result);
  else printText(renderResult(result));
  return result.cleaned.some(isStuck) ? EXIT.internal : EXIT.ok;
}

function renderList(workspaces: WorkspaceState[]): string {
  if (workspaces.length === 0) return "No workspaces.";
  const stale = workspaces.filter(({ state }) => state === "stale");
  return [
    ...workspaces.map(({ id, role, state, unsavedFiles, unsavedCommits, bytes }) => {
      const unsaved = [count(unsavedFiles, "unsaved file"), ...(unsavedCommits ? ["own commits"] : [])];
      return oneLine(
        `${id.padEnd(28)} ${(role ?? "?").padEnd(16)} ${state.padEnd(8)} ${size(bytes).padStart(9)}  ${unsaved.join(", ")}`,
      );
    }),
    "",
    `cupel clean removes ${count(stale.length, "stale workspace")} (${size(sum(stale))}); what is unsaved is kept in the hub first.`,
  ].join("\n");
}

function renderResult({ cleaned, rubbishBytes }: { cleaned: Cleaned[]; rubbishBytes: number }): string {
  const colors = colorsFor(process.stdout);
  const removed = cleaned.filter(({ outcome }) => outcome === "removed");
  const freed = sum(removed) + rubbishBytes;
  return [
    ...cleaned.flatMap((one) => {
      if (one.outcome === "kept")
        return [oneLine(`  ${isStuck(one) ? colors.red("✕") : "–"} ${one.id}  kept: ${one.why}`)];
      const kept = one.salvaged.refs.map((ref) => oneLine(`      git --git-dir=.cupel/hub.git show ${ref}`));
      return [
        oneLine(`  ${colors.green("✓")} ${one.id}  removed`) + (kept.length > 0 ? ", its work is kept:" : ""),
        ...kept,
      ];
    }),
    freed === 0 && removed.length === 0
      ? "Nothing to remove."
      : `Removed ${count(removed.length, "workspace")}, ${size(freed)} freed.`,
  ].join("\n");
}

/** What is in use will go by itself; what cannot be made safe waits for a person. */
function isStuck(one: Cleaned): boolean {
  return one.outcome === "kept" && one.state !== "in-use";
}

function sum(workspaces: readonly { bytes: number }[]): number {
  return workspaces.reduce((total, { bytes }) => total + bytes, 0);
}

function size(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
