// Keeps the record of a workspace in a file that is whole at every moment, whatever is killed when.
import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { WorkspaceRecord } from "../../domain/run/workspace-record.ts";

export function writeRecord(path: string, record: WorkspaceRecord): void {
  const temporary = `${path}.${randomUUID()}`;
  writeFileSync(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}

export function readRecord(path: string): WorkspaceRecord {
  return parseOrThrow(WorkspaceRecord, parsedJson(path), path);
}

function parsedJson(path: string): unknown {
  const text = readFileSync(path, "utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CupelError("store_damaged", `its record ${basename(path)} is not whole`, { cause });
  }
}
