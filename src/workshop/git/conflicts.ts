// Turns what `git merge-tree -z` says about a failed merge into a report: which files, why, which lines.
import { asBytePath, toText } from "./byte-path.ts";
import type { BytePath } from "./byte-path.ts";
import { conflictHunks } from "./conflict-hunks.ts";
import type { ConflictHunk, ConflictSide, ConflictSides } from "./conflict-hunks.ts";
import { splitNul } from "./git-bytes.ts";

export type ConflictKind =
  | "content"
  | "add/add"
  | "binary"
  | "modify/delete"
  | "rename/delete"
  | "rename/rename"
  | "rename/add"
  | "directory/file"
  | "mode"
  | "type"
  | "submodule"
  | "other";

export interface ConflictReport {
  files: FileConflict[];
}

/** In a rebase or a cherry-pick `ours` is what is there already, `theirs` the change that is brought. */
export interface FileConflict {
  path: string;
  bytes: BytePath;
  kind: ConflictKind;
  base: ConflictSide | undefined;
  ours: ConflictSide | undefined;
  theirs: ConflictSide | undefined;
  /** Empty where lines cannot be compared. */
  hunks: ConflictHunk[];
  /** In git's words. */
  messages: string[];
}

/** The output of a `merge-tree --write-tree -z` that exited with 1. */
export async function readConflicts(gitDir: string, output: Buffer): Promise<ConflictReport> {
  const { stages, messages } = readSections(splitNul(output));
  const files: FileConflict[] = [];
  for (const [bytes, sides] of stages) {
    const about = messages.filter(({ paths }) => paths.includes(bytes));
    const kind = kindOf(sides, about);
    const hunks = COMPARABLE.has(kind) ? await conflictHunks(gitDir, sides) : [];
    const { base, ours, theirs } = sides;
    const said = about.map(({ text }) => text);
    files.push({ path: toText(bytes), bytes, kind, base, ours, theirs, hunks, messages: said });
  }
  return { files };
}

/**
 * The fields that a rebaser reports. It is the draft: its own change is the one that was brought, and the sibling's
 * is what was there.
 */
export function asRebaseConflict(report: ConflictReport): {
  conflictFile: string;
  ourChange: string;
  theirChange: string;
} {
  const [file] = report.files;
  if (file === undefined) return { conflictFile: "", ourChange: "", theirChange: "" };
  const { path, hunks, ours, theirs, kind } = file;
  if (hunks.length === 0) {
    return { conflictFile: path, ourChange: inWords(theirs, kind), theirChange: inWords(ours, kind) };
  }
  return {
    conflictFile: path,
    ourChange: hunks.map((hunk) => hunk.theirs.text).join("\n"),
    theirChange: hunks.map((hunk) => hunk.ours.text).join("\n"),
  };
}

interface Message {
  paths: string[];
  type: string;
  text: string;
}

/** The tree, then one field per stage of each path, an empty field, then the messages. */
function readSections(fields: string[]): { stages: Map<BytePath, ConflictSides>; messages: Message[] } {
  const stages = new Map<BytePath, ConflictSides>();
  let at = 1;
  for (; at < fields.length && fields[at] !== ""; at += 1) {
    const match = STAGE.exec(fields[at] ?? "");
    const { mode = "", id = "", stage = "", path = "" } = match?.groups ?? {};
    const bytes = asBytePath(path);
    const sides = stages.get(bytes) ?? { base: undefined, ours: undefined, theirs: undefined };
    sides[SIDE_OF_STAGE[stage] ?? "base"] = { mode, id };
    stages.set(bytes, sides);
  }
  return { stages, messages: readMessages(fields.slice(at + 1)) };
}

const STAGE = /^(?<mode>\d+) (?<id>[0-9a-f]+) (?<stage>[123])\t(?<path>[^]*)$/;
const SIDE_OF_STAGE: Readonly<Record<string, keyof ConflictSides>> = { 1: "base", 2: "ours", 3: "theirs" };

/** How many paths, the paths, a stable name for the kind of message, the message. */
function readMessages(fields: string[]): Message[] {
  const messages: Message[] = [];
  let at = 0;
  while (at < fields.length) {
    const count = Number(fields[at]);
    const paths = fields.slice(at + 1, at + 1 + count);
    const [type = "", text = ""] = fields.slice(at + 1 + count, at + 3 + count);
    messages.push({ paths, type, text: Buffer.from(text, "latin1").toString("utf8").trim() });
    at += count + 3;
  }
  return messages;
}

/** First match wins: a binary file, for one, is also said to conflict in its contents. */
const KINDS: readonly (readonly [RegExp, ConflictKind])[] = [
  [/submodule/, "submodule"],
  [/binary/, "binary"],
  [/file\/directory|directory\/file/, "directory/file"],
  [/distinct (types|modes)/, "type"],
  [/rename\/rename/, "rename/rename"],
  [/rename\/delete/, "rename/delete"],
  [/rename\/add|rename involved in collision/, "rename/add"],
  [/modify\/delete/, "modify/delete"],
  [/contents/, "content"],
];

function kindOf(sides: ConflictSides, messages: readonly Message[]): ConflictKind {
  const types = messages.map(({ type }) => type).filter((type) => type.startsWith("CONFLICT"));
  const found = KINDS.find(([pattern]) => types.some((type) => pattern.test(type)))?.[1] ?? "other";
  if (found !== "content") return found;
  if (sides.ours?.id === sides.theirs?.id && sides.ours?.mode !== sides.theirs?.mode) return "mode";
  return sides.base === undefined ? "add/add" : "content";
}

const COMPARABLE: ReadonlySet<ConflictKind> = new Set<ConflictKind>([
  "content",
  "add/add",
  "rename/rename",
  "rename/add",
]);

function inWords(side: ConflictSide | undefined, kind: ConflictKind): string {
  if (side === undefined) return `(${kind}) not there`;
  return `(${kind}) mode ${side.mode}, content ${side.id}`;
}
