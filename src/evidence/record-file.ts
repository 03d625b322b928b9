// Reads a record that a person hands over as a file of JSON; whatever is not one is refused with what to type next.
import { createReadStream } from "node:fs";
import type { z } from "zod";
import { hasCode } from "../domain/environment-error.ts";
import { CupelError } from "../domain/error.ts";
import { parse, renderProblems } from "../domain/parse.ts";

/** What the file should hold, and the name under which `cupel schema` knows it. */
export interface RecordKind {
  what: string;
  schema: string;
}

/** The path `-` is the standard input. */
export async function readRecord<S extends z.ZodType>(
  schema: S,
  path: string,
  kind: RecordKind,
): Promise<z.output<S>> {
  return checked(schema, await readJson(path, kind), nameOf(path), kind);
}

/** A list of such records, at least one. */
export async function readRecords<S extends z.ZodType>(
  schema: S,
  path: string,
  kind: RecordKind,
): Promise<z.output<S>[]> {
  const list = await readJson(path, kind);
  if (!Array.isArray(list) || list.length === 0)
    throw refusal(`${path} is not a list with ${kind.what} in it`, kind);
  return list.map((each: unknown, index) => checked(schema, each, `entry ${index} of ${path}`, kind));
}

function checked<S extends z.ZodType>(
  schema: S,
  input: unknown,
  where: string,
  kind: RecordKind,
): z.output<S> {
  const parsed = parse(schema, input);
  if (parsed.kind === "ok") return parsed.value;
  const { problems } = parsed;
  const more = problems.length > MOST_PROBLEMS ? `\n  and ${problems.length - MOST_PROBLEMS} more` : "";
  throw refusal(
    `${where} is not ${kind.what}:\n${renderProblems(problems.slice(0, MOST_PROBLEMS))}${more}`,
    kind,
  );
}

const MOST_PROBLEMS = 10;

/** No record of a module comes near it. */
export const MOST_BYTES = 128 * 1024 ** 2;

async function readJson(path: string, kind: RecordKind): Promise<unknown> {
  const text = await readText(path, kind);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replaceAll(/\s+/g, " ").slice(0, 200) : "";
    const ends = text.trimEnd().length === 0 ? "it is empty" : `${why}${placeOf(why, text)}`;
    throw refusal(`${nameOf(path)} is not JSON: ${ends}`, kind, cause);
  }
}

/** Older versions of Node count characters from the beginning, which nobody can find. */
function placeOf(why: string, text: string): string {
  const position = /at position (\d+)\b(?! \(line)/.exec(why)?.[1];
  const before = text.slice(0, position === undefined ? text.length : Number(position)).split("\n");
  if (position === undefined && !why.includes("end of JSON")) return "";
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

/** What a person calls the standard input on a command line. */
const STANDARD_INPUT = "-";

function nameOf(path: string): string {
  return path === STANDARD_INPUT ? "the standard input" : path;
}

/** At most so many bytes are ever read, also from a device or a pipe. */
async function readText(path: string, kind: RecordKind): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    const stream = path === STANDARD_INPUT ? process.stdin : createReadStream(path, { end: MOST_BYTES });
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk)) continue;
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_BYTES) break;
    }
  } catch (cause) {
    const isThere = !hasCode(cause, "ENOENT");
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CupelError(
      "not_found",
      isThere ? `${path} cannot be read: ${why}` : `there is no file ${path}`,
      {
        expected: `a file with ${kind.what}`,
        hint: `cupel schema ${kind.schema} (shows what belongs into it)`,
        cause,
      },
    );
  }
  if (size > MOST_BYTES) throw refusal(`${nameOf(path)} is larger than ${MOST_BYTES / 1024 ** 2} MB`, kind);
  return Buffer.concat(chunks).toString("utf8");
}

function refusal(message: string, { what, schema }: RecordKind, cause?: unknown): CupelError {
  return new CupelError("invalid_input", message, {
    expected: `a file with ${what}`,
    hint: `cupel schema ${schema} (shows what belongs into it)`,
    cause,
  });
}
