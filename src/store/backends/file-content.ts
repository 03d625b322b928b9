// What is in a file: whether it is text, which page of it was asked for, and what an edit makes of it.
import { extname } from "node:path";
import { preview } from "../../domain/parse.ts";
import type { ReadResult } from "./port.ts";

/** Larger files are neither read nor written here. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
export const DEFAULT_LIMIT = 500;

const SNIFFED_BYTES = 8 * 1024;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text, or undefined for a binary file: a NUL near its start, or bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

const TEXT_TYPES: Readonly<Record<string, string>> = {
  ".json": "application/json",
  ".md": "text/markdown",
  ".html": "text/html",
  ".css": "text/css",
  ".csv": "text/csv",
  ".svg": "image/svg+xml",
};

const BINARY_TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
  ".zip": "application/zip",
  ".gz": "application/gzip",
};

/** The content decides between text and binary; the name only says which kind of it. */
export function mimeTypeOf(path: string, content: string | Uint8Array): string {
  const extension = extname(path).toLowerCase();
  if (typeof content === "string") return TEXT_TYPES[extension] ?? "text/plain";
  return BINARY_TYPES[extension] ?? "application/octet-stream";
}

/** Pages of one file, joined by line ends, are the file again. */
export function page(path: string, text: string, offset = 0, limit = DEFAULT_LIMIT): ReadResult {
  if (!Number.isSafeInteger(offset) || offset < 0) {
    return { error: `'${path}' cannot be read from line offset ${preview(offset)}; offsets count from 0` };
  }
  if (!Number.isSafeInteger(limit) || limit < 1) {
    return { error: `'${path}' cannot be read with a limit of ${preview(limit)} lines; ask for 1 or more` };
  }
  const mimeType = mimeTypeOf(path, text);
  const lines = text.split("\n");
  const totalLines = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  if (totalLines === 0 && offset === 0) return { content: text, mimeType, totalLines };
  if (offset >= totalLines) {
    return { error: `'${path}' has ${totalLines} lines; an offset of ${offset} lies behind its end` };
  }
  const end = Math.min(offset + limit, totalLines);
  const atEnd = end === totalLines;
  const content = lines.slice(offset, atEnd ? lines.length : end).join("\n");
  const place = { startLine: offset + 1, endLine: end };
  return { content, mimeType, totalLines, ...place, ...(atEnd ? {} : { nextOffset: end }) };
}

export type Replaced =
  | { kind: "ok"; text: string; occurrences: number }
  | { kind: "refused"; reason: string };

/** Literal text, never a pattern. */
export function replaced(
  path: string,
  text: string,
  oldText: string,
  newText: string,
  all: boolean,
): Replaced {
  const refused = (why: string): Replaced => ({
    kind: "refused",
    reason: `'${path}' was not edited: ${why}`,
  });
  if (oldText === "") return refused("the text to replace is empty; quote some of the file");
  if (oldText === newText) return refused("the old and the new text are the same");
  const first = text.indexOf(oldText);
  if (first === -1) return refused("the text to replace is not in it; read the file and quote it exactly");
  const parts = text.split(oldText);
  // Also counts places that overlap: which of them was meant is not for us to say.
  if (!all && text.indexOf(oldText, first + 1) !== -1) {
    return refused("the text to replace is in it more than once; quote more around it, or replace all");
  }
  return { kind: "ok", text: parts.join(newText), occurrences: parts.length - 1 };
}

/** Text that can be written and read back unchanged; otherwise why not. */
export function flawOfText(path: string, text: unknown): string | undefined {
  if (typeof text !== "string") return `'${path}' was not written: its content is not text`;
  if (!text.isWellFormed()) return `'${path}' was not written: its text holds half a character`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_FILE_BYTES) return undefined;
  return `'${path}' was not written: ${bytes} bytes are more than ${MAX_FILE_BYTES}; split it`;
}
