// Puts a shipped module onto the product's branch in the hub: at most once, on whatever the tip is by then.
import type { ShipRecord } from "../../domain/run/ship-record.ts";
import { renderCommitMessage } from "../../workshop/git/commit-message.ts";
import { listRefs, moveBranchNoted, moveRef, readRef } from "../../workshop/git/refs.ts";
import { commitOnTip } from "../../workshop/hub/commit-on-tip.ts";
import type { ShipPorts } from "./port.ts";
import { productChanges } from "./product-tree.ts";
import type { Shelf } from "./shelf.ts";

/** Which commit brought a version; made together with the move of the branch, so that nothing is ever brought twice. */
const SHIPS = "refs/cupel/ships/";
/** Holds a commit until it is on the branch. */
const DRAFTS = "refs/cupel/ship-drafts/";

/** The commit on the branch. */
export async function commitProduct(ports: ShipPorts, record: ShipRecord, shelf: Shelf): Promise<string> {
  const { gitDir, branch } = ports.hub;
  const note = `${SHIPS}${record.module}`;
  const { kind, commit } = await commitOnTip(ports.hub, {
    drafts: DRAFTS,
    message: messageOf(record),
    at: new Date(record.shippedAt),
    arrived: () => readRef(gitDir, note),
    changes: (tip) => productChanges(ports, record, shelf, tip),
    move(from, to) {
      ports.onStep?.("committed");
      return moveBranchNoted(gitDir, { branch, from, to, note });
    },
  });
  if (kind === "committed") ports.onStep?.("merged");
  return commit;
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
