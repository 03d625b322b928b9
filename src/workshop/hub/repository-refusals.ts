// Why Cupel cannot work with a directory, each reason with the command that helps.
import { CupelError } from "../../domain/error.ts";
import type { CommandResult } from "../process/run-command.ts";

export const refusal = {
  unreadable(directory: string, result: CommandResult): CupelError {
    const said = result.stderr.trim();
    if (result.kind === "not-found") return refuse("git is not installed", "cupel doctor");
    if (said.includes("dubious ownership")) {
      return refuse(
        `${quoted(directory)} belongs to another user, and git does not trust it`,
        /git config --global --add safe\.directory .*/.exec(said)?.[0] ??
          `git config --global --add safe.directory ${quoted(directory)}`,
      );
    }
    if (/not a git repository/i.test(said)) {
      return refuse(
        `${quoted(directory)} is not in a git repository`,
        "git init && git add . && git commit -m start",
      );
    }
    return refuse(`git cannot read the repository at ${quoted(directory)}: ${said}`, "git status");
  },

  bare(directory: string): CupelError {
    return refuse(
      `${quoted(directory)} is a repository without files to work on (bare, or the inside of .git)`,
      `git clone ${quoted(directory)} work && cd work`,
    );
  },

  /** Paths in grants, configuration and results are those of the repository; half a repository has none of them. */
  subdirectory(directory: string, top: string): CupelError {
    return refuse(
      `${quoted(directory)} is a folder inside the repository ${quoted(top)}`,
      `cd ${quoted(top)} (or, for a repository of its own: git init)`,
    );
  },

  rebasing(directory: string): CupelError {
    return refuse(
      `a rebase is in progress in ${quoted(directory)}`,
      "git rebase --continue (or: git rebase --abort)",
    );
  },

  /** Results are brought to a branch; a checkout without one has nowhere to bring them to. */
  detached(directory: string, branch: string): CupelError {
    const next = branch === "" ? "git switch -c work" : `git switch ${quoted(branch)}`;
    return refuse(`no branch is checked out in ${quoted(directory)} (detached HEAD)`, next);
  },

  partial(directory: string): CupelError {
    return refuse(
      `the clone ${quoted(directory)} is partial: some of its history is still on the server`,
      "git fetch --refetch --no-filter",
    );
  },

  tracksFactory(directory: string): CupelError {
    return refuse(
      `the repository ${quoted(directory)} has files of its own in .cupel, which is Cupel's`,
      "git rm -r --cached .cupel && git commit -m 'leave .cupel to cupel' && rm -r .cupel",
    );
  },

  empty(directory: string): CupelError {
    return refuse(
      `the repository ${quoted(directory)} has no commit yet`,
      "git add . && git commit -m start",
    );
  },
} as const;

/** Groups of paths or folders that a file system without upper and lower case takes for one. */
export function caseCollisions(paths: readonly string[]): string[][] {
  const spellings = new Map<string, Set<string>>();
  for (const path of paths) {
    for (let end = path.indexOf("/"); ; end = path.indexOf("/", end + 1)) {
      const part = end === -1 ? path : path.slice(0, end);
      const folded = part.normalize("NFC").toLowerCase();
      spellings.set(folded, (spellings.get(folded) ?? new Set()).add(part));
      if (end === -1) break;
    }
  }
  return [...spellings.values()].filter((group) => group.size > 1).map((group) => [...group].toSorted());
}

/** As a shell takes it. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) && !path.startsWith("-") ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

function refuse(message: string, hint: string): CupelError {
  return new CupelError("not_a_repository", message, {
    expected: "the top folder of a git repository with a branch checked out",
    hint,
  });
}
