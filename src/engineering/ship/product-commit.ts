// Puts a shipped module onto the product's branch in the hub: at most once, on whatever the tip is by then.
import { randomUUID } from "node:crypto";
import { CupelError } from "../../domain/error.ts";
import type { ShipRecord } from "../../domain/run/ship-record.ts";
import { renderCommitMessage } from "../../workshop/git/commit-message.ts";
import { importCommit } from "../../workshop/git/fast-import.ts";
import { listRefs, moveBranchNoted, moveRef, readRef, tipOf } from "../../workshop/git/refs.ts";
import { refresh } from "../../workshop/hub/hub.ts";
import type { ShipPorts } from "./port.ts";
import { productChanges } from "./product-tree.ts";
import type { Shelf } from "./shelf.ts";

/** Which commit brought a version; made together with the move of the branch, so that nothing is ever brought twice. */
const SHIPS = "refs/cupel/ships/";
/** Holds a commit until it is on the branch. */
const DRAFTS = "refs/cupel/ship-drafts/";
const ATTEMPTS = 20;

/** The commit on the branch. */
export async function commitProduct(ports: ShipPorts, record: ShipRecord, shelf: Shelf): Promise<string> {
  const { hub } = ports;
  const { gitDir, branch } = hub;
  const note = `${SHIPS}${record.module}`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const arrived = await readRef(gitDir, note);
    if (arrived !== undefined) return arrived;
    // A person may have committed meanwhile; what parted from the hub is theirs to merge.
    await refresh(hub);
    const tip = await tipOf(gitDir, branch);
    const draft = `${DRAFTS}${randomUUID()}`;
    const commit = await importCommit({
      gitDir,
      ref: draft,
      parent: tip,
      message: messageOf(record),
      at: Math.floor(Date.parse(record.shippedAt) / 1000),
      changes: await productChanges(ports, record, shelf, tip),
    });
    ports.onStep?.("committed");
    const moved = await moveBranchNoted(gitDir, { branch, from: tip, to: commit, note });
    await moveRef(gitDir, draft, commit, undefined);
    if (moved.kind === "moved") {
      ports.onStep?.("merged");
      return commit;
    }
  }
  throw new CupelError("git_failed", `${branch} of the hub keeps changing`, {
    hint: "run the same command again when nothing else commits there",
  });
}

/** What a crash left; somebody who is just at it needs the commit, which stays, and not its ref. */
export async function clearDrafts({ hub }: Pick<ShipPorts, "hub">): Promise<void> {
  for (const { name, commit } of await listRefs(hub.gitDir, DRAFTS))
    await moveRef(hub.gitDir, name, commit, undefined);
}

function messageOf({ module, folder, task, runId, shipId, entry }: ShipRecord): string {
  const notes = entry.notes === "" ? [] : ["", entry.notes];
  return renderCommitMessage({
    phase: `ship(${folder})`,
    description: `${module} ${entry.purpose}`,
    body: [`Task ${task}, evidence ${shipId}.`, ...notes].join("\n"),
    session: runId,
    node: `ship ${module}`,
    // Nothing but the harness works here.
    costUsd: 0,
  });
}
