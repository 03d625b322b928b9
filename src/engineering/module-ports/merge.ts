// Brings the work of several roles on one base together, in a branch of its own that nobody else moves.
import { canonicalHash } from "../../domain/canonical.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ToMerge } from "../../protocols/port.ts";
import { Merged } from "../../protocols/seen.ts";
import { branchName } from "../../workshop/git/branch-names.ts";
import { renderCommitMessage } from "../../workshop/git/commit-message.ts";
import { commitTree, readCommit } from "../../workshop/git/commits.ts";
import { pickOnto } from "../../workshop/git/pick.ts";
import { createBranch } from "../../workshop/git/refs.ts";
import type { Desk } from "./desk.ts";

/** The same work brought together again, also after a crash half-way, is the same commit. */
export function merge({ engineering, making }: Desk, context: NodeContext, work: ToMerge): Promise<Merged> {
  const { gitDir } = engineering.hub;
  const { base, commits, description } = work;
  const name = canonicalHash([context.thread, base, commits]).slice(0, 16);
  return context.once(`merge:${name}`, Merged, async (): Promise<Merged> => {
    const picked = await pickOnto(gitDir, base, commits);
    if (picked.kind === "conflict") {
      const home = `modules/${making.assignment.folder}/`;
      return { kind: "conflict", files: picked.report.files.map(({ path }) => path.replace(home, "")) };
    }
    const { tree, at } = await readCommit(gitDir, picked.head);
    const message = renderCommitMessage({
      phase: "merge",
      description: `${making.assignment.module.name}: ${description}`,
      body: "",
      session: context.thread,
      node: context.node,
      costUsd: 0,
    });
    const commit = await commitTree(gitDir, { tree, parents: [picked.head], message, at });
    const branch = branchName("merge", name);
    const made = await createBranch(gitDir, branch, commit);
    // Whoever made it before a crash made the very same.
    if (made.kind === "lost" && made.found !== commit)
      throw new Error(`the branch ${branch} holds ${made.found ?? "nothing"} instead of ${commit}`);
    return { kind: "merged", commit };
  });
}
