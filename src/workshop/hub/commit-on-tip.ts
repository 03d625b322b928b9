// Puts a commit onto the product's branch in the hub, on whatever its tip is by then: others may commit meanwhile.
import { randomUUID } from "node:crypto";
import { CupelError } from "../../domain/error.ts";
import { importCommit, type FileChange } from "../git/fast-import.ts";
import { moveRef, type RefMove, tipOf } from "../git/refs.ts";
import { type Hub, refresh } from "./hub.ts";

export interface TipCommit {
  /** Refs below it hold a commit until it is on the branch. */
  drafts: string;
  message: string;
  at: Date;
  /** Before each attempt: the commit that has made this one needless, or a throw where nothing may be written any more. */
  arrived(): Promise<string | undefined>;
  changes(tip: string): Promise<Iterable<FileChange>>;
  move(from: string, to: string): Promise<RefMove>;
}

const ATTEMPTS = 20;

export async function commitOnTip(
  hub: Hub,
  wanted: TipCommit,
): Promise<{ kind: "arrived" | "committed"; commit: string }> {
  const { gitDir, branch } = hub;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const arrived = await wanted.arrived();
    if (arrived !== undefined) return { kind: "arrived", commit: arrived };
    // A person may have committed meanwhile; what parted from the hub is theirs to merge.
    await refresh(hub);
    const tip = await tipOf(gitDir, branch);
    const draft = `${wanted.drafts}${randomUUID()}`;
    const commit = await importCommit({
      gitDir,
      ref: draft,
      parent: tip,
      message: wanted.message,
      at: Math.floor(wanted.at.getTime() / 1000),
      changes: await wanted.changes(tip),
    });
    const moved = await wanted.move(tip, commit);
    await moveRef(gitDir, draft, commit, undefined);
    if (moved.kind === "moved") return { kind: "committed", commit };
  }
  throw new CupelError("git_failed", `${branch} of the hub keeps changing`, {
    hint: "run the same command again when nothing else commits there",
  });
}
