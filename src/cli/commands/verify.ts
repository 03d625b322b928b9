// `cupel verify`: runs the gates on a module that anybody wrote, and says what to mend first.
import { watch } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModuleReport } from "../../evidence/module-report.ts";
import type { Reported } from "../../evidence/verify.ts";
import { openVerifier, readProof } from "../../factory.ts";
import type { VerifyOptions } from "../../factory.ts";
import { EXIT } from "../exit-codes.ts";
import { colorsFor, oneLine, printJson, printText } from "../output.ts";
import { renderJunit, renderSarif } from "./verify-formats.ts";

export interface VerifyCommand extends VerifyOptions {
  folders: string[];
  format: "text" | "json" | "junit" | "sarif";
  watch: boolean;
  /** A bundle whose verdicts are to be reached again. */
  proof?: string;
  /** Where to put the bundle of what is verified. */
  writeProof?: string;
}

export async function verify(command: VerifyCommand): Promise<number> {
  const verifier = await openVerifier(command);
  const colors = colorsFor(process.stdout);
  if (verifier.warning !== undefined) process.stderr.write(`${colors.yellow("!")} ${verifier.warning}\n`);
  try {
    if (command.proof !== undefined) return await replay(verifier, command.proof, command.format);
    let passed = await verifyAll(verifier, command, colors);
    if (command.watch) {
      const changes = changesIn(command.folders);
      while ((await changes.next()).done !== true) passed = await verifyAll(verifier, command, colors);
    }
    return passed ? EXIT.ok : EXIT.gatesFailed;
  } finally {
    await verifier.close();
  }
}

type Verifier = Awaited<ReturnType<typeof openVerifier>>;

async function verifyAll(verifier: Verifier, command: VerifyCommand, colors: Colors): Promise<boolean> {
  const reports: ModuleReport[] = [];
  for (const folder of command.folders) {
    const isText = command.format === "text";
    const onVerdict = isText ? (one: Reported) => printText(renderGate(one, colors)) : undefined;
    if (isText) printText(colors.bold(oneLine(folder)));
    const report =
      command.writeProof === undefined
        ? await verifier.verify(folder, onVerdict)
        : await proven(verifier, folder, command.writeProof, onVerdict);
    if (isText) printText(renderEnd(report, colors));
    reports.push(report);
  }
  printDocument(reports, command.format);
  return reports.every(({ passed }) => passed);
}

async function proven(
  verifier: Verifier,
  folder: string,
  file: string,
  onVerdict: ((one: Reported) => void) | undefined,
): Promise<ModuleReport> {
  const { report, proof } = await verifier.prove(folder, onVerdict);
  await writeFile(file, `${JSON.stringify(proof, null, 2)}\n`);
  process.stderr.write(`The proof is in ${file}; cupel verify --proof ${file} reaches its verdicts again.\n`);
  return report;
}

async function replay(verifier: Verifier, file: string, format: VerifyCommand["format"]): Promise<number> {
  const colors = colorsFor(process.stdout);
  const { reported, differences, otherVersions } = await verifier.replay(await readProof(file));
  if (format === "json") printJson({ reported, differences, otherVersions });
  else {
    for (const one of reported) printText(renderGate(one, colors));
    for (const line of otherVersions) printText(colors.yellow(`  ! other version: ${oneLine(line)}`));
    for (const { gate, recorded, now } of differences)
      printText(`  ${colors.red("✕")} ${gate}: recorded ${recorded}, now ${now}`);
    printText(differences.length === 0 ? colors.green("Reached again.") : colors.red("Not reached again."));
  }
  return differences.length === 0 ? EXIT.ok : EXIT.gatesFailed;
}

function printDocument(reports: ModuleReport[], format: VerifyCommand["format"]): void {
  switch (format) {
    case "json":
      return printJson(reports.length === 1 ? reports[0] : reports);
    case "junit":
      return printText(renderJunit(reports));
    case "sarif":
      return printText(renderSarif(reports));
    case "text":
      return undefined;
  }
}

type Colors = ReturnType<typeof colorsFor>;

function renderGate({ verdict, summary, blocks }: Reported, colors: Colors): string {
  const seconds = `${(verdict.durationMs / 1000).toFixed(1)} s`;
  const liveness = "liveness" in verdict && verdict.liveness !== undefined ? verdict.liveness : undefined;
  const shown = liveness === undefined ? "" : colors.dim(`  refused ${liveness.planted}`);
  const line = `${verdict.gate.padEnd(18)} ${oneLine(summary)}`;
  switch (verdict.verdict) {
    case "PASS":
      return `  ${colors.green("✓")} ${line}${shown}  ${colors.dim(seconds)}`;
    case "FAIL":
      return `  ${blocks ? colors.red("✕") : colors.yellow("!")} ${line}${blocks ? "" : " (does not block)"}  ${colors.dim(seconds)}`;
    case "ERROR":
      return `  ${colors.red("✕")} ${verdict.gate.padEnd(18)} could not decide: ${oneLine(verdict.message)}`;
    case "NOT_RUN":
      return colors.dim(`  – ${verdict.gate.padEnd(18)} not run: ${oneLine(verdict.missing.join(", "))}`);
    case "NOT_APPLICABLE":
      return colors.dim(`  – ${verdict.gate.padEnd(18)} not applicable: ${oneLine(verdict.derivedFrom)}`);
  }
}

function renderEnd({ passed, first, gates, durationMs }: ModuleReport, colors: Colors): string {
  const decided = gates.filter(({ verdict }) => verdict.verdict === "PASS").length;
  const took = `${(durationMs / 1000).toFixed(1)} s`;
  if (passed) return `${colors.green("Passed")}: ${decided} of ${gates.length} gates, ${took}.`;
  const place =
    first?.file === undefined ? "" : `${first.file}${first.line === undefined ? "" : `:${first.line}`}  `;
  const what = first === undefined ? "no gate passed" : `${place}${oneLine(first.message)} (${first.gate})`;
  return `${colors.red("Fix first")}: ${what}`;
}

/** One turn for each burst of changes below the folders. */
async function* changesIn(folders: readonly string[]): AsyncGenerator<void> {
  let wake: (() => void) | undefined;
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_event, name) => {
      if (name === null || !/(^|[/\\])(node_modules|\.git|\.cupel)([/\\]|$)/.test(join(name))) wake?.();
    }),
  );
  try {
    for (;;) {
      await new Promise<void>((resolve) => (wake = resolve));
      await new Promise((resolve) => setTimeout(resolve, 150));
      yield;
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}
