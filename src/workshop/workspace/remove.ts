// Removes a workspace, after what was not taken back is safe in the hub.
import { randomUUID } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { CupelError } from "../../domain/error.ts";
import { runCommand } from "../process/run-command.ts";
import type { Workspace } from "./create.ts";
import { UNFINISHED } from "./places.ts";
import type { Workshop } from "./places.ts";
import { readRecord } from "./record-file.ts";
import { salvage } from "./salvage.ts";
import type { Salvaged } from "./salvage.ts";
import { walk } from "./walk.ts";

export async function removeWorkspace(
  workshop: Workshop,
  { places }: Pick<Workspace, "places">,
): Promise<Salvaged> {
  const saved = await salvage(workshop, places, readRecord(places.record));
  await discard(places.directory);
  return saved;
}

/** First out of the way by one rename, so that a crash in the middle leaves rubbish and not half a workspace. */
export async function discard(directory: string): Promise<void> {
  const rubbish = join(dirname(directory), `${UNFINISHED}${randomUUID()}`);
  renameSync(directory, rubbish);
  await removeAll(rubbish);
}

/** Few files go at once; many, as agents can make, must not hold up everything else in this process. */
export async function removeAll(directory: string): Promise<void> {
  if (!hasMoreFilesThan(FEW, directory) && removeNow(directory)) return;
  const options = { timeoutMs: 10 * 60_000, env: { PATH: "/usr/bin:/bin", LC_ALL: "C" } };
  let said = "";
  for (let attempt = 0; attempt < 2; attempt++) {
    const removed = await runCommand("rm", ["-rf", "--", directory], options);
    if (removed.kind === "exited" && removed.code === 0) return;
    said = removed.stderr.trim();
    // Agents can close folders to their owner; looking into each of them opens it again.
    hasMoreFilesThan(Infinity, directory);
  }
  throw new CupelError("store_readonly", `${directory} cannot be removed: ${said.split("\n")[0] ?? ""}`, {
    hint: "look at it, and remove it by hand",
  });
}

const FEW = 500;

function removeNow(directory: string): boolean {
  try {
    rmSync(directory, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

function hasMoreFilesThan(limit: number, directory: string): boolean {
  const entries = walk(directory, () => false);
  for (let seen = 0; entries.next().done !== true; seen++) if (seen === limit) return true;
  return false;
}
