// Scripts on the disk: read whole before anything is played, written line by line while agents are recorded.
import { open, readFile, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { ScriptLine } from "../domain/agent/script-line.ts";
import { environmentError, hasCode } from "../domain/environment-error.ts";
import { CupelError } from "../domain/error.ts";
import { parseScript } from "../agents/runtimes/script.ts";

const MOST_BYTES = 256 * 1024 ** 2;

export async function readScript(file: string): Promise<ScriptLine[]> {
  const found = await stat(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  if (!found.isFile() || found.size > MOST_BYTES) {
    throw new CupelError("invalid_input", `${file} is no file that can be a script`, {
      expected: `a file of at most ${MOST_BYTES / 1024 ** 2} MB, one JSON object on each line`,
      hint: "cupel schema ScriptLine (shows what a line holds)",
    });
  }
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  const lines = parseScript(text, file);
  if (lines.length > 0) return lines;
  throw new CupelError("invalid_input", `${file} has no lines, so there is nothing to play`, {
    expected: "one JSON object on each line",
    hint: "cupel schema ScriptLine (shows what a line holds)",
  });
}

function unreadable(file: string, cause: unknown): CupelError {
  const why = hasCode(cause, "ENOENT")
    ? `there is no file ${file}`
    : `${file} cannot be read: ${String(cause)}`;
  return new CupelError("not_found", why, {
    expected: "a script, as --record writes it",
    hint: "cupel schema ScriptLine (shows what a line of a script holds)",
    cause,
  });
}

export interface RecordingFile {
  /** One line with its end; lines of several agents never mix. */
  write(line: string): Promise<void>;
  close(): Promise<void>;
}

/** For nobody else to read: what agents were asked and said is in it, if not the keys. */
const OWNER_ONLY = 0o600;

/** A file that holds something already is refused, unless told to go on after it. */
export async function openRecording(file: string, append: boolean): Promise<RecordingFile> {
  const handle = await openForAppending(file, append);
  let last: Promise<unknown> = Promise.resolve();
  return {
    async write(line) {
      const turn = last.then(() => handle.appendFile(line));
      last = turn.catch(() => undefined);
      await turn;
    },
    async close() {
      await last;
      await handle.close();
    },
  };
}

async function openForAppending(file: string, append: boolean): Promise<FileHandle> {
  try {
    return await open(file, "ax", OWNER_ONLY);
  } catch (cause) {
    if (!hasCode(cause, "EEXIST")) throw cannotRecord(file, cause);
  }
  const handle = await open(file, "a").catch((cause: unknown) => {
    throw cannotRecord(file, cause);
  });
  const found = await handle.stat();
  if (found.isFile() && (append || found.size === 0)) {
    await handle.chmod(OWNER_ONLY);
    return handle;
  }
  await handle.close();
  throw new CupelError(
    "already_exists",
    found.isFile() ? `${file} holds something already` : `${file} is no ordinary file`,
    { expected: "a file that is not there yet, or is empty", hint: "name another file to record into" },
  );
}

function cannotRecord(file: string, cause: unknown): unknown {
  if (!hasCode(cause, "ENOENT", "ENOTDIR", "EISDIR")) return environmentError(file, cause);
  return new CupelError(
    "not_found",
    `${file} cannot be written: there is no such folder, or it is one itself`,
    {
      expected: "a file in a folder that is there",
      cause,
    },
  );
}
