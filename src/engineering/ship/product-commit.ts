// Puts a shipped module onto the product's branch in the hub: at most once, on whatever the tip is by then.
import { CupelError } from "../../domain/error.ts";
import type { ShipRecord } from "../../domain/run/ship-record.ts";
import { renderCommitMessage } from "../../workshop/git/commit-message.ts";
import { isAncestor } from "../../workshop/git/commits.ts";
import { importCommit } from "../../workshop/git/fast-import.ts";
import { listRefs, moveBranch, moveRef, readRef, tipOf } from "../../workshop/git/refs.ts";
import { refresh } from "../../workshop/hub/hub.ts";
import type { ShipPorts } from "./port.ts";
import { productChanges } from "./product-tree.ts";
import type { Shelf } from "./shelf.ts";

/** Commits that are on their way to the branch, so that one that arrived before a crash is known again. */
const SHIPS = "refs/cupel/ships/";
const ATTEMPTS = 20;

/** The commit on the branch. */
export async function commitProduct(ports: ShipPorts, record: ShipRecord, shelf: Shelf): Promise<string> {
  const { hub, onStep } = ports;
  const { gitDir, branch } = hub;
  const ref = `${SHIPS}${record.module}`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // A person may have committed meanwhile; what parted from the hub is theirs to merge.
    await refresh(hub);
    const tip = await tipOf(gitDir, branch);
    const known = await readRef(gitDir, ref);
    if (known !== undefined && (await isAncestor(gitDir, known, tip))) return known;
    const commit = await importCommit({
      gitDir,
      ref,
      parent: tip,
      message: messageOf(record),
      at: Math.floor(Date.parse(record.shippedAt) / 1000),
      changes: await productChanges(ports, record, shelf, tip),
    });
    onStep?.("committed");
    const moved = await moveBranch(gitDir, branch, tip, commit);
    if (moved.kind === "moved") {
      onStep?.("merged");
      return commit;
    }
  }
  throw new CupelError("git_failed", `${branch} of the hub keeps changing`, {
    hint: "run the same command again when nothing else commits there",
  });
}

/** The notes of ships that are finished; what they named is part of the branch. */
export async function clearArrived({ hub, store }: ShipPorts): Promise<void> {
  for (const { name, commit } of await listRefs(hub.gitDir, SHIPS)) {
    const ship = await store.ships.get(name.slice(SHIPS.length));
    if (ship?.commit !== null && ship?.commit !== undefined)
      await moveRef(hub.gitDir, name, commit, undefined);
  }
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
