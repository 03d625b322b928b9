// The rows of a trial on the disk: a line each, only ever added to, and on the disk before the next run begins.
import { open, readFile } from "node:fs/promises";
import { environmentError, hasCode } from "../domain/environment-error.ts";
import { CupelError } from "../domain/error.ts";
import { parse, renderProblem } from "../domain/parse.ts";
import { runKey, TrialRow } from "../domain/trial/trial-row.ts";
import type { TrialRun } from "./port.ts";

export interface RowsFile {
  /** What was there before. */
  readonly rows: readonly TrialRow[];
  /** Rows of several players never mix. */
  append(row: TrialRow): Promise<void>;
  close(): Promise<void>;
}

/** To go on with it: what a killed process has begun to write goes, and its run is played again. */
export async function openRows(file: string, runs: readonly TrialRun[]): Promise<RowsFile> {
  const { rows, wholeBytes } = await readWhole(file, runs);
  try {
    const handle = await open(file, "a");
    await handle.truncate(wholeBytes);
    // After a row that could not be written whole, nothing may follow it.
    let last: Promise<void> = Promise.resolve();
    return {
      rows,
      async append(row) {
        const line = `${JSON.stringify(TrialRow.parse(row))}\n`;
        last = last.then(() => handle.appendFile(line)).then(() => handle.datasync());
        await last.catch((cause: unknown) => {
          throw environmentError(file, cause);
        });
      },
      async close() {
        await last.catch(() => undefined);
        await handle.close();
      },
    };
  } catch (cause) {
    throw environmentError(file, cause);
  }
}

/** Also while somebody writes them. */
export async function readRows(file: string, runs: readonly TrialRun[]): Promise<TrialRow[]> {
  return (await readWhole(file, runs)).rows;
}

async function readWhole(
  file: string,
  runs: readonly TrialRun[],
): Promise<{ rows: TrialRow[]; wholeBytes: number }> {
  const text = await readFile(file).catch((cause: unknown) => {
    if (hasCode(cause, "ENOENT")) return Buffer.alloc(0);
    throw environmentError(file, cause);
  });
  const wholeBytes = text.lastIndexOf("\n") + 1;
  const lines = text.subarray(0, wholeBytes).toString("utf8").split("\n").slice(0, -1);
  const open = new Set(runs.map(runKey));
  const rows = lines.map((line, index) => {
    const row = rowIn(line, `line ${index + 1} of ${file}`);
    if (open.delete(runKey(row))) return row;
    const what = runs.some((run) => runKey(run) === runKey(row))
      ? "is about a run that an earlier line is about"
      : "is about no run of this trial";
    throw notARow(`line ${index + 1} of ${file} ${what}: ${runKey(row)}`);
  });
  return { rows, wholeBytes };
}

function rowIn(line: string, where: string): TrialRow {
  const parsed = parse(TrialRow, jsonIn(line, where));
  if (parsed.kind === "ok") return parsed.value;
  const [first] = parsed.problems;
  throw notARow(`${where} is not a row${first === undefined ? "" : `: ${renderProblem(first)}`}`);
}

function jsonIn(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw notARow(`${where} is not a row: it is not JSON`, cause);
  }
}

function notARow(message: string, cause?: unknown): CupelError {
  return new CupelError("invalid_input", message, {
    expected: "one row for each run, as it was written; rows are only ever added to",
    hint: "put the line back as it was; or take it out, and cupel trial resume plays its run again",
    cause,
  });
}
