// Brings task files to the product's branch in the hub: what the database has and the product does not, in one commit.
import { renderTaskFile } from "../domain/task/task-file.ts";
import type { UnpublishedFile } from "../store/port.ts";
import { toBytePath } from "../workshop/git/byte-path.ts";
import { renderCommitMessage } from "../workshop/git/commit-message.ts";
import { moveBranch } from "../workshop/git/refs.ts";
import { commitOnTip } from "../workshop/hub/commit-on-tip.ts";
import type { Hub } from "../workshop/hub/hub.ts";
import type { ProjectDesk } from "./project.ts";

/** Holds a commit until it is on the branch. */
const DRAFTS = "refs/cupel/task-drafts/";
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
  await commitOnTip(hub, {
    drafts: DRAFTS,
    message: messageFor(desk, files),
    at: desk.now(),
    async arrived() {
      await desk.store.leases.assert(desk.fence);
      return undefined;
    },
    changes: async () => changesOf(files),
    move: (from, to) => moveBranch(hub.gitDir, hub.branch, from, to),
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
