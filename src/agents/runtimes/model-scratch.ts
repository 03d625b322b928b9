// Places that deepagents writes to by itself, kept in memory: an agent's own files hold its work and nothing else.
import type { FileBackend, ReadPage } from "../tools/file-backend.ts";

/** Where large tool results and summarized conversations go. */
const PLACES = ["/large_tool_results", "/conversation_history"];
const MAX_CHARACTERS = 32 * 1024 * 1024;
const DEFAULT_LINES = 500;

/** `files` outlives one run, so that a conversation that is gone on from finds what it was told about. */
export function withScratch(inner: FileBackend | undefined, files: Map<string, string>): FileBackend {
  const textOf = (path: string): string | undefined => files.get(path);
  const within = (path: string): string[] =>
    [...files.keys()].filter((file) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`));

  return {
    ls: async (path) =>
      mine(path)
        ? { files: within(path).map((file) => ({ path: file })) }
        : ((await inner?.ls(path)) ?? nothing(path)),
    read: async (path, offset, limit) => {
      if (!mine(path)) return (await inner?.read(path, offset, limit)) ?? nothing(path);
      const text = textOf(path);
      return text === undefined ? nothing(path) : pageOf(text, offset, limit);
    },
    readRaw: async (path) => {
      if (!mine(path)) return (await inner?.readRaw(path)) ?? nothing(path);
      const content = textOf(path);
      if (content === undefined) return nothing(path);
      const time = new Date(0).toISOString();
      return { data: { content, mimeType: "text/plain", created_at: time, modified_at: time } };
    },
    write: async (path, content) => {
      if (!mine(path)) return (await inner?.write(path, content)) ?? nothing(path);
      return keep(files, path, content);
    },
    edit: async (path, oldText, newText, all) => {
      if (!mine(path)) return (await inner?.edit(path, oldText, newText, all)) ?? nothing(path);
      const text = textOf(path);
      if (text === undefined || !text.includes(oldText)) return nothing(path);
      const kept = keep(files, path, text.split(oldText).join(newText));
      return { ...kept, occurrences: text.split(oldText).length - 1 };
    },
    grep: async (pattern, path, glob, maxCount) => {
      if (!mine(path)) return (await inner?.grep(pattern, path, glob, maxCount)) ?? nothing(path ?? "/");
      const matches = within(path ?? "/").flatMap((file) => linesWith(file, textOf(file) ?? "", pattern));
      const most = maxCount ?? matches.length;
      return { matches: matches.slice(0, most), truncated: matches.length > most };
    },
    glob: async (pattern, path) => {
      if (!mine(path)) return (await inner?.glob(pattern, path)) ?? nothing(path ?? "/");
      return { files: within(path ?? "/").map((file) => ({ path: file })) };
    },
  };
}

function mine(path: string | null | undefined): boolean {
  return PLACES.some((place) => path === place || path?.startsWith(`${place}/`) === true);
}

function nothing(path: string): { error: string } {
  return { error: `'${path}' does not exist` };
}

function keep(
  files: Map<string, string>,
  path: string,
  content: string,
): { error: string } | { path: string } {
  const others = [...files].reduce((sum, [file, text]) => (file === path ? sum : sum + text.length), 0);
  if (others + content.length > MAX_CHARACTERS) return { error: "there is no room left for large results" };
  files.set(path, content);
  return { path };
}

function pageOf(text: string, offset = 0, limit = DEFAULT_LINES): ReadPage {
  const lines = text.split("\n");
  if (offset >= lines.length) return { error: `it has ${lines.length} lines; offsets count from 0` };
  const end = Math.min(offset + limit, lines.length);
  return {
    content: lines.slice(offset, end).join("\n"),
    mimeType: "text/plain",
    totalLines: lines.length,
    startLine: offset + 1,
    endLine: end,
    ...(end === lines.length ? {} : { nextOffset: end }),
  };
}

function linesWith(
  path: string,
  text: string,
  pattern: string,
): { path: string; line: number; text: string }[] {
  return text
    .split("\n")
    .flatMap((line, index) => (line.includes(pattern) ? [{ path, line: index + 1, text: line }] : []));
}
