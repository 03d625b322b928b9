// What identifies a draft in a commit: the content of its folder and of everything it is built upon. The same content is
// never built or run twice, whatever commit it lies in.
import { canonicalHash } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import type { ModuleRef } from "../../domain/refs.ts";
import type { Toolchain } from "../../toolchains/port.ts";
import { objectId } from "../../workshop/git/commits.ts";
import { git } from "../../workshop/git/git.ts";
import type { Hub } from "../../workshop/hub/hub.ts";

/** A module that is not sealed yet. */
export interface Draft {
  /** What it will be when it ships. */
  ref: ModuleRef;
  /** Below `modules/`, and its name in imports. */
  folder: string;
  /** Other drafts, or what has shipped. */
  dependencies: readonly ModuleRef[];
}

/** Undefined where the commit holds no such folder. */
export type ContentKey = (draft: Draft, commit: string) => Promise<string | undefined>;

export function contentKeys(
  { hub, toolchain }: { hub: Pick<Hub, "gitDir">; toolchain: Pick<Toolchain, "versions"> },
  drafts: readonly Draft[],
): ContentKey {
  assertNoLoop(drafts);
  const commits = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const foldersOf = (commit: string): Promise<ReadonlyMap<string, string>> => {
    const known = commits.get(commit) ?? folderTrees(hub.gitDir, commit);
    commits.set(commit, known);
    return known;
  };
  let versions: ReturnType<Toolchain["versions"]> | undefined;
  const keyOf = async (draft: Draft, commit: string): Promise<string | undefined> => {
    const tree = (await foldersOf(commit)).get(draft.folder);
    if (tree === undefined) return undefined;
    const parts = draft.dependencies.toSorted().map(async (ref) => {
      const other = drafts.find((each) => each.ref === ref);
      return [ref, other === undefined ? "sealed" : ((await keyOf(other, commit)) ?? "absent")];
    });
    versions ??= toolchain.versions();
    return canonicalHash([draft.folder, tree, await versions, await Promise.all(parts)]);
  };
  return keyOf;
}

/** Each folder below `modules/` with the tree in it. */
async function folderTrees(gitDir: string, commit: string): Promise<ReadonlyMap<string, string>> {
  const args = ["ls-tree", "-z", "--full-tree", "-d", objectId(commit), "--", "modules/"];
  const lines = (await git(args, { gitDir })).split("\0").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const [, , tree = ""] = line.slice(0, line.indexOf("\t")).split(" ");
      return [line.slice(line.indexOf("\tmodules/") + "\tmodules/".length), tree] as const;
    }),
  );
}

/** What is built upon itself can be built by nobody. */
function assertNoLoop(drafts: readonly Draft[]): void {
  const done = new Set<string>();
  const visit = ({ ref, folder, dependencies }: Draft, way: readonly string[]): void => {
    if (way.includes(folder)) {
      const loop = [...way.slice(way.indexOf(folder)), folder].join(" → ");
      throw new CupelError("invalid_input", `these modules are built upon each other: ${loop}`, {
        expected: "modules of which each can be built before those that import it",
        hint: "move what both need into a module of its own",
      });
    }
    if (done.has(ref)) return;
    for (const other of drafts.filter((each) => dependencies.includes(each.ref)))
      visit(other, [...way, folder]);
    done.add(ref);
  };
  for (const draft of drafts) visit(draft, []);
}
