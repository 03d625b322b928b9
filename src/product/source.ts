// Reads what a person hands over; whatever is no readable text of a sensible size is refused with what to do instead.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { sha256Hex } from "../domain/canonical.ts";
import { hasCode } from "../domain/environment-error.ts";
import { CupelError } from "../domain/error.ts";
import { thrownText } from "../domain/thrown.ts";
import type { ProductSource } from "./port.ts";
import { isTemplate } from "./spec-template.ts";

/** About 60,000 tokens; more belongs into documents, which are read as needed. */
const MOST_TEXT = 256 * 1024;
/** More than ten thousand tasks. */
const MOST_SPEC = 64 * 1024 ** 2;

/** A file that ends in .json is a finished specification, any other is text. */
export async function readSource(path: string): Promise<ProductSource> {
  const name = basename(path);
  const isSpec = /\.json$/i.test(name);
  const text = await readText(path, isSpec ? MOST_SPEC : MOST_TEXT, isSpec);
  const hash = sha256Hex(text);
  if (isSpec) return { kind: "spec", name, hash, spec: jsonOf(text, path) };
  if (isTemplate(text)) throw refused(`${path} is still the template that cupel init wrote`, FILL_IN);
  return { kind: "text", name, hash, text };
}

/** What stands in the file of a finished specification, whatever the file is called; nobody has checked it. */
export async function readSpecFile(path: string): Promise<unknown> {
  return jsonOf(await readText(path, MOST_SPEC, true), path);
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refused(`${path} is not JSON: ${thrownText(cause, 200)}`, SHOW_SCHEMA);
  }
}

const FILL_IN = "write into it what you want, in your own words, and run the same command again";
const SHOW_SCHEMA = "cupel schema ProductSpec (shows what belongs into it)";

async function readText(path: string, most: number, isSpec: boolean): Promise<string> {
  const bytes = await readBytes(path, most, isSpec);
  const text = decoded(bytes);
  if (text === undefined || text.includes("\0"))
    throw refused(`${path} is no text in UTF-8`, "save it as plain UTF-8 text");
  if (text.trim() === "") throw refused(`${path} is empty`, isSpec ? SHOW_SCHEMA : FILL_IN);
  return text;
}

/** Not waiting for a writer, should it be a pipe, and never more than so many bytes. */
async function readBytes(path: string, most: number, isSpec: boolean): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    if (!hasCode(cause, "ENOENT", "ENOTDIR"))
      throw refused(`${path} cannot be read: ${thrownText(cause, 200)}`, "look at its permissions");
    throw new CupelError("not_found", `there is no file ${path}`, {
      expected: isSpec ? "a finished specification" : "a file that says what you want",
      hint: isSpec ? SHOW_SCHEMA : "cupel init (writes a SPEC.md to fill in)",
      cause,
    });
  });
  try {
    const { size, isFile } = await file
      .stat()
      .then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
    if (!isFile) throw refused(`${path} is no plain file`, "name the file itself");
    if (size > most) {
      const advice = isSpec ? SHOW_SCHEMA : "say it shorter, and put what is longer into cupel/documents";
      throw refused(`${path} has ${size} bytes; at most ${most} are read`, advice);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function refused(message: string, hint: string): CupelError {
  return new CupelError("invalid_input", message, { hint });
}
