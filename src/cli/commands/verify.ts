// `cupel verify`: runs the gates on a module that anybody wrote, and says what to mend first.
import { writeFile } from "node:fs/promises";
import { CupelError } from "../../domain/error.ts";
import type { ProofBundle } from "../../domain/evidence/proof-bundle.ts";
import type { ModuleReport } from "../../evidence/module-report.ts";
import type { Reported } from "../../evidence/verify.ts";
import { openVerifier, readProof } from "../../factory/verifier.ts";
import { changedSince, pictureOf } from "../changes.ts";
import { EXIT } from "../exit-codes.ts";
import { untilInterrupted } from "../interrupt.ts";
import { colorsFor, oneLine, printError, printJson, printText } from "../output.ts";
import { renderJunit, renderSarif } from "./verify-formats.ts";
import { checkVerifyOptions } from "./verify-options.ts";
import type { VerifyCommand } from "./verify-options.ts";
import { renderEnd, renderGate, renderReplay } from "./verify-text.ts";

export async function verify(given: VerifyCommand): Promise<number> {
  checkVerifyOptions(given);
  const command = given.folders.length === 0 ? { ...given, folders: ["."] } : given;
  const signal = untilInterrupted();
  if (command.watch) return await watch(command, signal);
  const bundle = command.proof === undefined ? undefined : await readProof(command.proof, command.directory);
  const verifier = await opened(command);
  try {
    const passed =
      bundle === undefined
        ? await verifyAll(verifier, command, signal)
        : await replay(verifier, bundle, command, signal);
    return signal.aborted ? EXIT.interrupted : passed ? EXIT.ok : EXIT.gatesFailed;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    await verifier.close();
  }
}

type Verifier = Awaited<ReturnType<typeof openVerifier>>;

async function opened(command: VerifyCommand): Promise<Verifier> {
  const verifier = await openVerifier(command);
  const { warning } = verifier;
  if (warning !== undefined) process.stderr.write(`${colorsFor(process.stderr).yellow("!")} ${warning}\n`);
  return verifier;
}

/** Until Ctrl-C. What cannot be verified for a moment, because a file is half written, is said and tried again. */
async function watch(command: VerifyCommand, signal: AbortSignal): Promise<number> {
  const { folders, contract, claims, base, skeleton } = command;
  const inputs = [contract, claims, base, skeleton].filter((path) => path !== undefined);
  const places = [...folders, ...inputs];
  let verifier: Verifier | undefined;
  let read = "";
  try {
    for (let picture = ""; picture === "" || (await changedSince(picture, places, signal));) {
      const isFirst = picture === "";
      picture = pictureOf(places);
      try {
        if (verifier === undefined || read !== pictureOf(inputs)) {
          await verifier?.close();
          read = pictureOf(inputs);
          verifier = await opened(command);
        }
        await verifyAll(verifier, command, signal);
      } catch (error) {
        if (signal.aborted) break;
        if (isFirst || !(error instanceof CupelError)) throw error;
        printError(error, false);
      }
    }
  } finally {
    await verifier?.close();
  }
  return EXIT.interrupted;
}

async function verifyAll(verifier: Verifier, command: VerifyCommand, signal: AbortSignal): Promise<boolean> {
  const colors = colorsFor(process.stdout);
  const isText = command.formats.length === 0;
  const reports: ModuleReport[] = [];
  for (const folder of command.folders) {
    const onVerdict = (one: Reported) => {
      if (isText && !signal.aborted) printText(renderGate(one, colors));
    };
    if (isText) printText(colors.bold(oneLine(folder)));
    const report =
      command.writeProof === undefined
        ? await verifier.verify(folder, onVerdict, signal)
        : await proven(verifier, { folder, file: command.writeProof, onVerdict, signal });
    if (signal.aborted) return false;
    if (isText) printText(renderEnd(report, colors));
    reports.push(report);
  }
  printDocument(reports, command.formats[0]);
  return reports.every(({ passed }) => passed);
}

interface Proving {
  folder: string;
  file: string;
  onVerdict: (one: Reported) => void;
  signal: AbortSignal;
}

async function proven(
  verifier: Verifier,
  { folder, file, onVerdict, signal }: Proving,
): Promise<ModuleReport> {
  const { report, proof } = await verifier.prove(folder, onVerdict, signal);
  if (signal.aborted) return report;
  try {
    await writeFile(file, `${JSON.stringify(proof, null, 2)}\n`);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CupelError("usage", `the proof cannot be written: ${why}`, { expected: "a file", cause });
  }
  process.stderr.write(`The proof is in ${file}; cupel verify --proof ${file} reaches its verdicts again.\n`);
  return report;
}

async function replay(
  verifier: Verifier,
  bundle: ProofBundle,
  { anyVersion, formats }: VerifyCommand,
  signal: AbortSignal,
): Promise<boolean> {
  const result = await verifier.replay(bundle, { anyVersion, signal });
  if (signal.aborted) return false;
  if (formats[0] === "json") printJson(result);
  else printText(renderReplay(result, bundle, colorsFor(process.stdout)));
  return result.differences.length === 0 && result.passed;
}

function printDocument(reports: ModuleReport[], format: VerifyCommand["formats"][0] | undefined): void {
  switch (format) {
    case "json":
      return printJson(reports.length === 1 ? reports[0] : reports);
    case "junit":
      return printText(renderJunit(reports));
    case "sarif":
      return printText(renderSarif(reports, process.cwd()));
    case undefined:
      return undefined;
  }
}
