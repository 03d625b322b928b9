// Goes on with a workspace that another process made, once that process is gone.
import { CupelError } from "../../domain/error.ts";
import { existsSync } from "node:fs";
import type { Workspace } from "./create.ts";
import { isAlive, placesOf, thisProcess } from "./places.ts";
import type { Workshop } from "./places.ts";
import { readRecord, writeRecord } from "./record-file.ts";

/** Undefined when there is none, or when its maker died before an agent could be in it. */
export function adoptWorkspace({ project }: Workshop, id: string): Workspace | undefined {
  const places = placesOf(project, id);
  if (!existsSync(places.record)) return undefined;
  const record = readRecord(places.record);
  const mine = thisProcess();
  const isMine = record.holder.pid === mine.pid && record.holder.startedAt === mine.startedAt;
  if (!isMine && isAlive(record.holder)) {
    throw new CupelError("store_busy", `the workspace ${id} is held by process ${record.holder.pid}`, {
      hint: "wait until the other cupel command has ended",
    });
  }
  if (record.state === "creating") return undefined;
  const adopted = { ...record, holder: mine };
  writeRecord(places.record, adopted);
  return { record: adopted, places };
}
