// `cupel release`: releases what has shipped, or says which gate and which module stand in the way and what to type.
import { writeFile } from "node:fs/promises";
import { CupelError } from "../../domain/error.ts";
import type { ReleaseManifest } from "../../domain/people/release.ts";
import { projectAround } from "../../factory/project.ts";
import { releaseProject, type ReleasedByHand } from "../../factory/release.ts";
import { EXIT } from "../exit-codes.ts";
import { untilInterrupted } from "../interrupt.ts";
import { colorsFor, count, oneLine, printJson, printText } from "../output.ts";
import { releaseJunit, releasePullRequest, releaseSarif } from "./release-formats.ts";

export interface ReleaseCommand {
  directory: string;
  json: boolean;
  /** Tasks; undefined for a full release. */
  partial?: readonly string[];
  /** Files to write. */
  junit?: string;
  sarif?: string;
  prBody?: string;
  unsafeNoSandbox: boolean;
}

export async function release(command: ReleaseCommand): Promise<number> {
  const { directory, partial, json, unsafeNoSandbox } = command;
  const signal = untilInterrupted();
  const order =
    partial === undefined
      ? ({ scope: "full", signal } as const)
      : ({ scope: "partial", tasks: partial, signal } as const);
  const result = await releaseProject(projectAround(directory), order, { unsafeNoSandbox });
  const { outcome } = result;
  if ("manifest" in outcome) await writeFiles(command, outcome.manifest);
  if (json) printJson(result);
  else printText(rendered(result));
  switch (outcome.kind) {
    case "released":
      return EXIT.ok;
    case "failed":
      return EXIT.gatesFailed;
    case "not-ready":
      return outcome.tasks.some(({ status }) => status === "HALTED") ? EXIT.halted : EXIT.awaitingPerson;
    case "stopped":
      return EXIT.interrupted;
  }
}

async function writeFiles(
  { junit, sarif, prBody }: ReleaseCommand,
  manifest: ReleaseManifest,
): Promise<void> {
  const files: [string | undefined, (manifest: ReleaseManifest) => string][] = [
    [junit, releaseJunit],
    [sarif, releaseSarif],
    [prBody, releasePullRequest],
  ];
  for (const [file, render] of files) {
    if (file === undefined) continue;
    try {
      await writeFile(file, render(manifest));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new CupelError("usage", `${file} cannot be written: ${why}`, { expected: "a file", cause });
    }
  }
}

function rendered({ outcome, delivery }: ReleasedByHand): string {
  const colors = colorsFor(process.stdout);
  switch (outcome.kind) {
    case "released": {
      const { manifest, tag, again } = outcome;
      const scope = manifest.scope === "full" ? "" : "partial, ";
      const head = `${colors.green("✓")} ${colors.bold(`released ${manifest.version}`)} (${scope}${manifest.release_id})${again ? ", as before: nothing has changed since" : ""}`;
      return [
        ...gateLines(manifest),
        head,
        `  ${count(manifest.modules.length, "module")} from ${count(manifest.tasks.length, "task")}${abandoned(manifest)}`,
        ...delivered(delivery),
        outcome.delivery.kind === "left"
          ? `  ${colors.yellow("!")} ${outcome.delivery.why}; to get it under another name: ${outcome.delivery.command}`
          : `  git show ${tag}`,
        `  cupel report --out report.html`,
      ].join("\n");
    }
    case "failed": {
      const { manifest, report } = outcome;
      const lines = report.failures.flatMap(({ gate, violations }) =>
        violations.map(({ module_ref, explanation, next }) =>
          [
            `  ${colors.red("✕")} ${gate} ${module_ref ?? "the product"}: ${oneLine(explanation)}`,
            `    next: ${oneLine(next)}`,
          ].join("\n"),
        ),
      );
      return [
        ...gateLines(manifest),
        `${colors.red("✕")} ${colors.bold(`${manifest.version} was not released`)} (${report.release_id})`,
        ...lines,
        `  then: cupel release`,
      ].join("\n");
    }
    case "not-ready":
      return [
        `${colors.yellow("!")} nothing was released: ${outcome.why}`,
        ...outcome.tasks.slice(0, SHOWN).map(({ task, status }) => `  ${status.padEnd(11)} ${task}`),
        ...(outcome.tasks.length > SHOWN ? [`  and ${outcome.tasks.length - SHOWN} more`] : []),
        `  next: ${outcome.next}`,
      ].join("\n");
    case "stopped":
      return `nothing was released: ${outcome.why}\n  next: cupel release`;
  }
}

const SHOWN = 10;

function gateLines({ evidence }: ReleaseManifest): string[] {
  const colors = colorsFor(process.stdout);
  return evidence.map((verdict) => {
    const mark = verdict.result === "PASS" ? colors.green("✓") : colors.red("✕");
    const planted = verdict.result === "PASS" ? colors.dim(` · refused ${oneLine(verdict.planted)}`) : "";
    return `${mark} ${verdict.gate.padEnd(17)} ${oneLine(verdict.summary)}${planted}`;
  });
}

function abandoned({ abandoned_tasks }: ReleaseManifest): string {
  return abandoned_tasks.length === 0 ? "" : `; ${count(abandoned_tasks.length, "task")} abandoned`;
}

function delivered(delivery: ReleasedByHand["delivery"]): string[] {
  if (delivery?.kind !== "left") return [];
  return [`  ! your checkout was left as it is: ${oneLine(delivery.why)}`, `    next: ${delivery.command}`];
}
