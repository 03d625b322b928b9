// Whether the Proposer really did what the Arbiter asked for when it approved with amendments.
import { CupelError } from "../error.ts";
import type { Amendment, AppliedAmendment } from "./debate-records.ts";

/** Every function, contract field, test and file by name, with its text or the hash of it. */
export type Deliverable = ReadonlyMap<string, string>;

export interface UnappliedAmendment {
  amendment_index: number;
  /** Absent when a record speaks of an amendment that does not exist. */
  amendment?: Amendment;
  reason: string;
  /** The Proposer's own explanation, for the person who has to decide. */
  note?: string;
}

export type AmendmentsCheck = { kind: "applied" } | { kind: "unapplied"; unapplied: UnappliedAmendment[] };

/** Believes neither the records alone nor the difference alone: both must say that each amendment was applied. */
export function verifyAmendments(
  amendments: readonly Amendment[],
  applied: readonly AppliedAmendment[],
  before: Deliverable,
  after: Deliverable,
): AmendmentsCheck {
  if (amendments.length === 0) {
    throw new CupelError("usage", "there are no amendments to verify", {
      expected: "the amendments of an APPROVE_WITH_AMENDMENTS",
    });
  }
  const missed = amendments.flatMap((amendment, index): UnappliedAmendment[] => {
    const records = applied.filter((record) => record.amendment_index === index);
    const reason = recordReason(records) ?? differenceReason(amendment, before, after);
    if (reason === undefined) return [];
    const note = records.map((record) => record.note).find((text) => text.trim() !== "");
    return [{ amendment_index: index, amendment, reason, ...(note === undefined ? {} : { note }) }];
  });
  const stray = applied
    .map((record) => record.amendment_index)
    .filter((index) => amendments[index] === undefined)
    .map((index) => ({ amendment_index: index, reason: `there is no amendment ${index}` }));
  const unapplied = [...missed, ...stray];
  return unapplied.length === 0 ? { kind: "applied" } : { kind: "unapplied", unapplied };
}

function recordReason(records: readonly AppliedAmendment[]): string | undefined {
  if (records.length === 0) return "the Proposer left no record of it";
  if (records.length > 1) return `the Proposer left ${records.length} records of it`;
  return records[0]?.applied === true ? undefined : "the Proposer could not apply it";
}

function differenceReason(
  { action, target }: Amendment,
  before: Deliverable,
  after: Deliverable,
): string | undefined {
  switch (action) {
    case "MODIFY":
      if (!before.has(target)) return `"${target}" did not exist, so it cannot have been modified`;
      if (!after.has(target)) return `"${target}" was removed instead of modified`;
      return before.get(target) === after.get(target) ? `"${target}" is unchanged` : undefined;
    case "ADD":
      if (before.has(target)) return `"${target}" existed already, so it cannot have been added`;
      return after.has(target) ? undefined : `"${target}" was not added`;
    case "REMOVE":
      if (!before.has(target)) return `"${target}" did not exist, so it cannot have been removed`;
      return after.has(target) ? `"${target}" is still there` : undefined;
    default:
      throw new CupelError("usage", `there is no amendment action ${String(action satisfies never)}`);
  }
}
