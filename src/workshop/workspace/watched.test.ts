// Workspaces of a thread stay to be looked at: closed, killed half-way or cleaned up in between, each is known.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { sampleWorkshop, sampleWorkspace } from "../../../test/workshop-samples.ts";
import { CANARY_FILE } from "../blindness/canary.ts";
import { listRefs } from "../git/refs.ts";
import { clean } from "./clean.ts";
import { readRecord, writeRecord } from "./record-file.ts";
import { removeWorkspace } from "./remove.ts";
import {
  forgetWatched,
  removeOldWatched,
  restWorkspace,
  watchedWorkspaces,
  watchWorkspace,
} from "./watched.ts";

async function watched() {
  const workshop = await sampleWorkshop(temporaryDirectory());
  const workspace = await sampleWorkspace(workshop);
  watchWorkspace(workshop, "t/1", workspace);
  return { workshop, workspace, id: workspace.record.id };
}

test("from its first moment, while it is open and when it is closed", async () => {
  const { workshop, workspace, id } = await watched();
  const [open] = watchedWorkspaces(workshop, "t/1");
  expect(open).toMatchObject({
    record: { id, canary: workspace.record.canary },
    tree: workspace.places.tree,
  });
  writeFileSync(join(workspace.places.tree, "unsaved.txt"), "mine");
  await restWorkspace(workshop, "t/1", workspace);
  expect(existsSync(workspace.places.directory)).toBe(false);
  const [rested] = watchedWorkspaces(workshop, "t/1");
  expect(readFileSync(join(rested?.tree ?? "", CANARY_FILE), "utf8")).toContain(workspace.record.canary);
  expect(readFileSync(join(rested?.tree ?? "", "unsaved.txt"), "utf8")).toBe("mine");
  // What was not taken back is in the hub as well, as if it had been removed.
  expect(await listRefs(workshop.hub, `refs/salvage/${id}/`)).not.toEqual([]);
  expect(watchedWorkspaces(workshop, "t/2")).toEqual([]);
  await forgetWatched(workshop, "t/1");
  expect(watchedWorkspaces(workshop, "t/1")).toEqual([]);
});

test("one that somebody removed is still known, and its files are missed", async () => {
  const { workshop, workspace, id } = await watched();
  await removeWorkspace(workshop, workspace);
  const [gone] = watchedWorkspaces(workshop, "t/1");
  expect(gone?.record.id).toBe(id);
  expect(existsSync(gone?.tree ?? "")).toBe(false);
});

test("what rests is no stale workspace; only what nobody asked about for a month goes", async () => {
  const { workshop, workspace } = await watched();
  const record = readRecord(workspace.places.record);
  await restWorkspace(workshop, "t/1", workspace);
  const [rested] = watchedWorkspaces(workshop, "t/1");
  writeRecord(join(rested?.tree ?? "", "..", "workspace.json"), {
    ...record,
    holder: { ...record.holder, startedAt: "another life" },
  });
  expect((await clean(workshop)).cleaned).toEqual([]);
  await removeOldWatched(workshop, Date.now() + 29 * 24 * 60 * 60_000);
  expect(watchedWorkspaces(workshop, "t/1")).toHaveLength(1);
  await removeOldWatched(workshop, Date.now() + 31 * 24 * 60 * 60_000);
  expect(watchedWorkspaces(workshop, "t/1")).toEqual([]);
});
