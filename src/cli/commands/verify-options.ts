// Which options of `cupel verify` go together; what does not is refused before anything runs.
import { statSync } from "node:fs";
import { CupelError } from "../../domain/error.ts";
import type { VerifyOptions } from "../../factory/verifier.ts";

export interface VerifyCommand extends VerifyOptions {
  folders: string[];
  formats: ("json" | "junit" | "sarif")[];
  watch: boolean;
  /** A bundle whose verdicts are to be reached again. */
  proof?: string;
  /** Also with tools of other versions. */
  anyVersion: boolean;
  /** Where to put the bundle of what is verified. */
  writeProof?: string;
}

export function checkVerifyOptions(command: VerifyCommand): void {
  const { folders, formats, watch, proof, anyVersion, only } = command;
  if (formats.length > 1)
    throw refusal(`--${formats.join(" and --")} are different documents`, "one of them");
  if (watch && formats.length > 0)
    throw refusal(`--watch does not go with --${formats.join("")}, which is one document`, "text");
  if (only?.every((name) => name.trim() === "") === true)
    throw refusal("--only names no gate", "names of gates, separated by commas");
  if (proof !== undefined) checkReplay(command);
  else if (anyVersion) throw refusal("--any-version is about a proof", "--proof FILE");
  if (folders.length > 1) checkSeveral(command);
}

/** A bundle holds everything; what is said beside it would be silently ignored. */
function checkReplay(command: VerifyCommand): void {
  const { folders, formats, all, watch } = command;
  const beside = [
    ...optionsIn(command, ["contract", "claims", "base", "skeleton", "rigor", "only", "writeProof"]),
    ...(all ? ["--all"] : []),
    ...(watch ? ["--watch"] : []),
    ...formats.filter((format) => format !== "json").map((format) => `--${format}`),
    ...folders,
  ];
  if (beside.length > 0)
    throw refusal(
      `--proof does not go with ${beside.join(", ")}: the file holds the module and everything that decides`,
      `cupel verify --proof ${command.proof ?? "FILE"}`,
    );
}

/** One contract cannot be that of two modules. */
function checkSeveral(command: VerifyCommand): void {
  const { folders, base } = command;
  const single = optionsIn(command, ["contract", "claims", "skeleton", "writeProof"]);
  const isFolder = base !== undefined && statSync(base, { throwIfNoEntry: false })?.isDirectory() === true;
  const one = [...single, ...(isFolder ? ["--base with a directory"] : [])];
  if (one.length > 0)
    throw refusal(
      `${one.join(", ")} can only be about one module, and there are ${folders.length} folders`,
      "one folder",
      `cupel verify ${folders[0] ?? "FOLDER"} …, then the next`,
    );
}

type Named = "contract" | "claims" | "base" | "skeleton" | "rigor" | "only" | "writeProof";

function optionsIn(command: VerifyCommand, names: readonly Named[]): string[] {
  return names.flatMap((name) =>
    command[name] === undefined ? [] : [name === "writeProof" ? "--write-proof" : `--${name}`],
  );
}

function refusal(message: string, expected: string, hint = "cupel verify --help"): CupelError {
  return new CupelError("usage", message, { expected, hint });
}
