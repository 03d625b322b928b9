// Brings several lines of work that began at one commit together, each change picked in turn, without a work tree. The same
// changes picked in the same order give the same commit, so that doing it again does no harm.
import { CupelError } from "../../domain/error.ts";
import { isAncestor, logSince } from "./commits.ts";
import type { ConflictReport } from "./conflicts.ts";
import { replay } from "./rebase.ts";

export type PickOutcome =
  | { kind: "picked"; head: string }
  /** `at` is the commit that does not fit on what was picked before it. */
  | { kind: "conflict"; at: string; report: ConflictReport };

/** Everything that each of `tips` did since `base`, in this order; no ref is made. */
export async function pickOnto(gitDir: string, base: string, tips: readonly string[]): Promise<PickOutcome> {
  let head = base;
  for (const tip of tips) {
    if (!(await isAncestor(gitDir, base, tip)))
      throw new CupelError("invalid_input", `${tip} does not come from ${base}`, {
        expected: "work that began at the commit it is brought together on",
      });
    for (const commit of await logSince(gitDir, base, tip)) {
      const replayed = await replay(gitDir, commit, head);
      if (replayed.kind === "conflict")
        return { kind: "conflict", at: commit.commit, report: replayed.report };
      head = replayed.commit ?? head;
    }
  }
  return { kind: "picked", head };
}
