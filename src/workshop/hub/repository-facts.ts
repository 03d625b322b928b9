// What Cupel found out about the person's repository, and how it says so.

export interface RepositoryFacts {
  /** The top of the work tree, without symbolic links. */
  top: string;
  /** Where git keeps this checkout; for a linked work tree not below `top`. */
  gitDir: string;
  branch: string;
  commit: string;
  objectFormat: "sha1" | "sha256";
  shallow: boolean;
  linkedWorktree: boolean;
  /** Paths of other repositories inside this one; agents see none of their content. */
  submodules: string[];
  /** Paths kept by Git LFS; agents see pointers and may not change them. */
  lfs: string[];
  /** Paths that are one on a file system that ignores case. */
  caseCollisions: string[][];
  /** Files that differ from the last commit, which is all that Cupel works on. */
  uncommitted: string[];
  inProgress: "merge" | "cherry-pick" | "revert" | "bisect" | undefined;
  /** Sentences about the above for the person; empty when there is nothing to say. */
  notes: string[];
}

/** One sentence for each thing that the person should know. */
export function notesOn(facts: Omit<RepositoryFacts, "notes">): string[] {
  const { uncommitted, submodules, lfs, caseCollisions: collisions, shallow, inProgress } = facts;
  const says: [boolean, string][] = [
    [
      uncommitted.length > 0,
      `works on the last commit and does not see ${some(uncommitted, "uncommitted file")}`,
    ],
    [
      inProgress !== undefined,
      `a ${inProgress ?? ""} is in progress; results are not brought to the checkout until it ends`,
    ],
    [submodules.length > 0, `agents do not see the content of ${some(submodules, "submodule")}`],
    [
      lfs.length > 0,
      `agents see pointers instead of, and may not change, ${some(lfs, "file")} kept by Git LFS`,
    ],
    [
      collisions.length > 0,
      `names that differ only in case: ${some(
        collisions.map((group) => group.join(" and ")),
        "group",
      )}`,
    ],
    [shallow, "the clone is shallow; history ends where it was cut"],
  ];
  return says.filter(([applies]) => applies).map(([, sentence]) => sentence);
}

function some(names: readonly string[], what: string): string {
  const shown = names
    .slice(0, 3)
    .map((name) => JSON.stringify(name))
    .join(", ");
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return `${names.length} ${what}${names.length === 1 ? "" : "s"} (${shown}${more})`;
}
