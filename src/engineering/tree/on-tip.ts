// Work that goes onto the tip of a node's branch, wherever that is by then: children are merged there at the same time.
import { z } from "zod";
import { CupelError } from "../../domain/error.ts";
import { GitId } from "../../domain/run/workspace-record.ts";
import type { NodeContext } from "../../graph/port.ts";
import { advance, type Git, nodeBranch } from "./node-branch.ts";

const Made = z.strictObject({ from: GitId, to: GitId });

const MOST_ROUNDS = 20;

/** What was made is kept before the branch moves, so that a crash between the two makes nothing twice. */
export async function onTip(
  git: Git,
  context: NodeContext,
  { name, branch }: { name: string; branch: string },
  make: (tip: string) => Promise<string>,
): Promise<string> {
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const { from, to } = await context.once(`${name}:${round}`, Made, async () => {
      const { tip } = await nodeBranch(git, branch);
      return { from: tip, to: await make(tip) };
    });
    try {
      await advance(git, branch, from, to);
      return to;
    } catch (error) {
      // Somebody was quicker: the same work on what is there now.
      if (!(error instanceof CupelError && error.code === "git_failed")) throw error;
    }
  }
  throw new CupelError("git_failed", `${branch} keeps moving while ${name} is put onto it`, {
    hint: "run the same command again",
  });
}
