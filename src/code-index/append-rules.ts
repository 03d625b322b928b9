// What may be appended: whole entries of bounded size, each key once, and the same again only with the same content.
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { CodeIndexEntry } from "../domain/plan/reuse.ts";
import { Key } from "../store/local/stored-text.ts";
import { originalOf, refOf } from "./entry-table.ts";
import type { StoredEntry } from "./entry-table.ts";

/** An entry is a summary; whatever is longer belongs into the files that it points at. */
const MOST_CHARACTERS = 1_000_000;

/** Each entry once, in the order given. */
export function checkNewEntries(entries: readonly CodeIndexEntry[]): CodeIndexEntry[] {
  const checked = new Map<string, CodeIndexEntry>();
  for (const given of entries) {
    const entry = checkNewEntry(given);
    const ref = refOf(entry);
    const before = checked.get(ref);
    if (before !== undefined && originalOf(before) !== originalOf(entry)) throw taken(ref);
    checked.set(ref, before ?? entry);
  }
  return [...checked.values()];
}

export function assertSame(before: StoredEntry, entry: CodeIndexEntry): void {
  if (before.original !== originalOf(entry)) throw taken(refOf(entry));
}

function checkNewEntry(given: CodeIndexEntry): CodeIndexEntry {
  const entry = parseOrThrow(CodeIndexEntry, given, "the Code Index entry");
  const ref = parseOrThrow(Key, refOf(entry), "the key of the Code Index entry");
  if (entry.status !== "SHIPPED") {
    throw new CupelError("invalid_input", `${ref} would begin as ${entry.status}`, {
      expected: "SHIPPED: a module is indexed when it ships, and its status is changed later",
    });
  }
  const length = originalOf(entry).length;
  if (length > MOST_CHARACTERS) {
    throw new CupelError("invalid_input", `the Code Index entry of ${ref} has ${length} characters`, {
      expected: `at most ${MOST_CHARACTERS}`,
      hint: "shorten its purpose or its I/O summary",
    });
  }
  return entry;
}

function taken(ref: string): CupelError {
  return new CupelError(
    "already_exists",
    `${ref} is in the Code Index with other content; entries never change`,
    {
      expected: "a new version, or exactly the same entry",
      hint: `cupel index show ${ref}`,
    },
  );
}
