// The only changes an entry sees after it was appended: its status, one way, its successor, and more lines of notes.
import { z } from "zod";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { mayChangeIndexStatus } from "../domain/plan/reuse.ts";
import { ModuleRef } from "../domain/refs.ts";
import { fenced } from "../store/local/fence.ts";
import type { Fence } from "../store/port.ts";
import type { Sql } from "../store/sql.ts";
import { changeEntry, findEntry } from "./entry-table.ts";
import type { StoredEntry } from "./entry-table.ts";
import type { StatusChange } from "./port.ts";

const Note = z.string().trim().min(1).max(10_000);
const Change = z.strictObject({
  to: z.enum(["DEPRECATED", "SUPERSEDED"]),
  successor: ModuleRef.optional(),
  note: Note,
});

export function setStatus(sql: Sql, fence: Fence, ref: string, given: StatusChange, at: string): boolean {
  const { to, successor, note } = parseOrThrow(Change, given, "the change of status");
  return fenced(sql, fence, () => {
    const { seq, entry } = known(sql, ref);
    const { status, superseded_by, notes } = entry;
    if (status === to && superseded_by === successor) return false;
    if (!mayChangeIndexStatus(status, to)) {
      throw new CupelError("illegal_transition", `${ref} is ${status} and cannot become ${to}`, {
        expected: "SHIPPED to DEPRECATED or SUPERSEDED, or DEPRECATED to SUPERSEDED",
        hint: `cupel index show ${ref}`,
      });
    }
    if (to === "SUPERSEDED" && successor === undefined) {
      throw new CupelError("invalid_input", `${ref} cannot be superseded by nothing`, {
        expected: "the module version that takes its place",
      });
    }
    if (successor !== undefined) assertLeadsOn(sql, ref, successor);
    const what = successor === undefined ? to : `${to} by ${successor}`;
    changeEntry(sql, seq, {
      status: to,
      ...(successor === undefined ? {} : { superseded_by: successor }),
      notes: withLine(notes, `${at} ${what}: ${note}`),
    });
    return true;
  });
}

export function addNote(sql: Sql, fence: Fence, ref: string, note: string, at: string): void {
  const line = `${at} ${parseOrThrow(Note, note, "the note")}`;
  fenced(sql, fence, () => {
    const { seq, entry } = known(sql, ref);
    changeEntry(sql, seq, { ...entry, notes: withLine(entry.notes, line) });
  });
}

/** Whoever follows the successors must arrive somewhere. */
function assertLeadsOn(sql: Sql, ref: string, successor: string): void {
  for (let next: string | undefined = successor; next !== undefined;) {
    if (next === ref) {
      throw new CupelError("dependency_cycle", `${ref} and ${successor} would supersede each other`, {
        expected: "a successor that does not lead back",
        hint: `cupel index show ${successor}`,
      });
    }
    next = known(sql, next).entry.superseded_by;
  }
}

function known(sql: Sql, ref: string): StoredEntry {
  const found = findEntry(sql, parseOrThrow(ModuleRef, ref, "the module reference"));
  if (found !== undefined) return found;
  throw new CupelError("not_found", `${ref} is not in the Code Index`, {
    expected: "a module version that shipped",
    hint: "cupel index search WORDS",
  });
}

function withLine(notes: string, line: string): string {
  return notes === "" ? line : `${notes}\n${line}`;
}
