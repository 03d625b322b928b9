// Brings task files to the product's branch in the hub: what the database has and the product does not, in one commit.
import { randomUUID } from "node:crypto";
import { CupelError } from "../domain/error.ts";
import { renderTaskFile } from "../domain/task/task-file.ts";
import type { UnpublishedFile } from "../store/port.ts";
import { branchRef } from "../workshop/git/branch-names.ts";
import { toBytePath } from "../workshop/git/byte-path.ts";
import { renderCommitMessage } from "../workshop/git/commit-message.ts";
import { importCommit } from "../workshop/git/fast-import.ts";
import { moveRef, tipOf } from "../workshop/git/refs.ts";
import { type Hub, refresh } from "../workshop/hub/hub.ts";
import type { ProjectDesk } from "./project.ts";

/** Holds a commit until it is on the branch. */
const DRAFTS = "refs/cupel/task-drafts/";
const ATTEMPTS = 20;
/** More than a specification can hold in practice; what is beyond comes with the next commit. */
const MOST_FILES = 100_000;

/** How many. Again after a crash: the same files give a commit that changes nothing, and that is all. */
export async function publishTaskFiles(desk: ProjectDesk, hub: Hub): Promise<number> {
  const files = await desk.store.project.unpublished(MOST_FILES);
  if (files.length === 0) return 0;
  await commitFiles(desk, hub, files);
  await desk.store.project.published(desk.fence, files);
  return files.length;
}

async function commitFiles(desk: ProjectDesk, hub: Hub, files: readonly UnpublishedFile[]): Promise<void> {
  const { gitDir, branch } = hub;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await desk.store.leases.assert(desk.fence);
    // A person may have committed meanwhile; what parted from the hub is theirs to merge.
    await refresh(hub);
    const tip = await tipOf(gitDir, branch);
    const draft = `${DRAFTS}${randomUUID()}`;
    const commit = await importCommit({
      gitDir,
      ref: draft,
      parent: tip,
      message: messageFor(desk, files),
      at: Math.floor(desk.now().getTime() / 1000),
      changes: changesOf(files),
    });
    const moved = await moveRef(gitDir, branchRef(branch), tip, commit);
    await moveRef(gitDir, draft, commit, undefined);
    if (moved.kind === "moved") return;
  }
  throw new CupelError("git_failed", `${branch} of the hub keeps changing`, {
    hint: "run the same command again when nothing else commits there",
  });
}

function* changesOf(files: readonly UnpublishedFile[]) {
  for (const { path, file } of files) {
    const content = Buffer.from(renderTaskFile(file));
    yield { kind: "write", path: toBytePath(path), mode: "100644", content } as const;
  }
}

function messageFor({ runId }: ProjectDesk, files: readonly UnpublishedFile[]): string {
  const [first] = files;
  const what = files.length === 1 ? (first?.taskId ?? "") : `${files.length} task files`;
  return renderCommitMessage({
    phase: "project",
    description: what,
    body: "",
    session: runId,
    node: "project",
    // Nothing but the harness works here.
    costUsd: 0,
  });
}
