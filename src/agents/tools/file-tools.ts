// Reading, changing and finding files through the backend that an agent was given.
import { z } from "zod";
import type { AgentTool } from "../port.ts";
import { defineTool } from "./define-tool.ts";
import type { FileBackend, ReadPage } from "./file-backend.ts";

export function fileTools(backend: FileBackend): AgentTool[] {
  return [
    readTool(backend),
    writeTool(backend),
    editTool(backend),
    lsTool(backend),
    globTool(backend),
    grepTool(backend),
  ];
}

/** Agents write paths with and without the leading slash and mean the same; the backend wants it. */
const Path = z
  .string()
  .min(1)
  .max(4096)
  .describe("A path from the root of your files, for example /src/index.ts.");
const MAX_TEXT = 1_000_000;
const Content = z.string().max(MAX_TEXT);
const DEFAULT_LINES = 500;
const MAX_LINES = 5000;
const MAX_MATCHES = 200;
const MAX_ENTRIES = 500;
/** A longer line of a search result says nothing more about where it is. */
const MAX_LINE = 400;

function readTool(backend: FileBackend): AgentTool {
  return defineTool({
    name: "read",
    description:
      "Reads a text file. Gives the text exactly as it is, so that parts of it can be used in edit, under one line that " +
      "says which lines they are. Read a file before you change it. For long files ask for the lines you need.",
    input: z.strictObject({
      path: Path,
      from: z.int().min(1).default(1).describe("The first line, counted from 1."),
      lines: z.int().min(1).max(MAX_LINES).default(DEFAULT_LINES).describe("How many lines at most."),
    }),
    narrow: "ask for fewer lines",
    async run({ path, from, lines }) {
      const page = await backend.read(absolute(path), from - 1, lines);
      if (page.error !== undefined) return page.error;
      const { content = "" } = page;
      if (typeof content !== "string")
        return `${absolute(path)} is no text (${page.mimeType ?? "binary"}, ${content.byteLength} bytes) and cannot be shown.`;
      return `${placeOf(absolute(path), page)}\n${content}`;
    },
  });
}

function placeOf(path: string, { totalLines, startLine, endLine, nextOffset }: ReadPage): string {
  if (totalLines === 0) return `${path} is empty.`;
  const rest = nextOffset === undefined ? "" : `; go on with from: ${nextOffset + 1}`;
  return `${path}, lines ${startLine ?? "?"} to ${endLine ?? "?"} of ${totalLines ?? "?"}${rest}:`;
}

function writeTool(backend: FileBackend): AgentTool {
  return defineTool({
    name: "write",
    description:
      "Writes a whole text file, with the folders on the way to it; a file that is there already is replaced. Use edit to " +
      "change a part of a file.",
    input: z.strictObject({ path: Path, content: Content.describe("All of the new text.") }),
    narrow: "",
    async run({ path, content }) {
      const { error, path: written } = await backend.write(absolute(path), content);
      return error ?? `Wrote ${written ?? absolute(path)}, ${content.length} characters.`;
    },
  });
}

function editTool(backend: FileBackend): AgentTool {
  return defineTool({
    name: "edit",
    description:
      "Replaces a piece of a text file. `old` must be in the file exactly as given, white space and line ends included, " +
      "and only once; take in the lines around it until it is, or set `all`.",
    input: z.strictObject({
      path: Path,
      old: Content.min(1).describe("The text that is there now, copied from what read gave."),
      new: Content.describe("What stands there afterwards; empty to remove it."),
      all: z.boolean().default(false).describe("Replaces every place instead of the only one."),
    }),
    narrow: "",
    async run({ path, old, new: fresh, all }) {
      if (old === fresh) return `${absolute(path)} was not edited: old and new are the same text.`;
      const { error, occurrences = 1 } = await backend.edit(absolute(path), old, fresh, all);
      return error ?? `Edited ${absolute(path)} in ${occurrences} ${occurrences === 1 ? "place" : "places"}.`;
    },
  });
}

function lsTool(backend: FileBackend): AgentTool {
  return defineTool({
    name: "ls",
    description: "Lists what is in one folder, with sizes in bytes. Folders end in a slash.",
    input: z.strictObject({ path: Path.default("/") }),
    narrow: "list a folder below it, or use glob",
    async run({ path }) {
      const { error, files = [] } = await backend.ls(absolute(path));
      if (error !== undefined) return error;
      return listed(
        files.map(({ path, is_dir, size }) =>
          is_dir === true || size === undefined ? path : `${path} (${size})`,
        ),
        `${absolute(path)} is empty.`,
        "list a folder below it, or use glob",
      );
    },
  });
}

function globTool(backend: FileBackend): AgentTool {
  return defineTool({
    name: "glob",
    description: "Finds files by their names: * within one folder, ** over any depth, ? for one character.",
    input: z.strictObject({
      pattern: z.string().min(1).max(1000).describe("For example **/*.test.ts."),
      path: Path.default("/").describe("The folder to look in."),
    }),
    narrow: "use a narrower pattern",
    async run({ pattern, path }) {
      const { error, files = [], truncated = false } = await backend.glob(pattern, absolute(path));
      if (error !== undefined) return error;
      const found = listed(
        files.map((file) => file.path),
        `Nothing below ${absolute(path)} fits ${pattern}.`,
        "use a narrower pattern",
      );
      return truncated ? `${found}\n… there are more; use a narrower pattern.` : found;
    },
  });
}

function grepTool(backend: FileBackend): AgentTool {
  return defineTool({
    name: "grep",
    description:
      "Finds the lines that hold a piece of text, taken literally: no regular expressions. Gives path:line: text.",
    input: z.strictObject({
      text: z.string().min(1).max(1000),
      path: Path.default("/").describe("The folder or file to look in."),
      glob: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe("Only in files whose paths fit, for example *.ts."),
    }),
    narrow: "search for more text, or in a smaller folder",
    async run({ text, path, glob }) {
      const result = await backend.grep(text, absolute(path), glob ?? null, MAX_MATCHES);
      if (result.error !== undefined) return result.error;
      const { matches = [], truncated = false } = result;
      const lines = matches.map(({ path, line, text }) => `${path}:${line}: ${cut(text)}`);
      const found = listed(
        lines,
        `No line below ${absolute(path)} holds that text.`,
        "search for more text, or in a smaller folder",
      );
      return truncated ? `${found}\n… there are more; search for more text, or in a smaller folder.` : found;
    },
  });
}

function absolute(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
}

function listed(lines: readonly string[], none: string, narrow: string): string {
  if (lines.length === 0) return none;
  if (lines.length <= MAX_ENTRIES) return lines.join("\n");
  const left = lines.length - MAX_ENTRIES;
  return `${lines.slice(0, MAX_ENTRIES).join("\n")}\n… ${left} more left out; ${narrow}.`;
}

function cut(line: string): string {
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
