// Brings several lines of work that began at one commit together, each change picked in turn, without a work tree. The same
// changes picked in the same order give the same commit, so that doing it again does no harm.
import { CupelError } from "../../domain/error.ts";
import { isAncestor, readCommit } from "./commits.ts";
import type { ConflictReport } from "./conflicts.ts";
import { replaySince } from "./rebase.ts";

export type PickOutcome =
  | { kind: "picked"; head: string }
  /** `at` is the commit that does not fit on what was picked before it. */
  | { kind: "conflict"; at: string; report: ConflictReport };

/** What each of the commits did itself, in this order; what it was made on may hold work of others. No ref is made. */
export async function pickOnto(
  gitDir: string,
  base: string,
  commits: readonly string[],
): Promise<PickOutcome> {
  let head = base;
  for (const commit of commits) {
    if (!(await isAncestor(gitDir, base, commit)))
      throw new CupelError("invalid_input", `${commit} does not come from ${base}`, {
        expected: "work that began at the commit it is brought together on",
      });
    const [upstream] = (await readCommit(gitDir, commit)).parents;
    const replayed = await replaySince(gitDir, { upstream, tip: commit, onto: head });
    if (replayed.kind === "conflict") return { kind: "conflict", at: commit, report: replayed.report };
    head = replayed.head;
  }
  return { kind: "picked", head };
}
