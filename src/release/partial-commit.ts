// The commit of a partial release: the product without the modules that are not in it.
import { CupelError } from "../domain/error.ts";
import { manifestText } from "../engineering/ship/manifest.ts";
import type { Placed } from "../engineering/ship/shelf.ts";
import { toBytePath } from "../workshop/git/byte-path.ts";
import { objectId } from "../workshop/git/commits.ts";
import { importCommit } from "../workshop/git/fast-import.ts";
import type { FileChange } from "../workshop/git/fast-import.ts";
import { git } from "../workshop/git/git.ts";
import { moveRef } from "../workshop/git/refs.ts";
import type { ReleasePorts } from "./port.ts";

/** Holds the commit until it has its tag; nothing is cleared away in the hub. */
const DRAFT = "refs/cupel/release-draft";

/** The tip itself where nothing is left out. The same content on the same tip is the same commit. */
export async function partialCommit(
  { hub }: ReleasePorts,
  tip: string,
  placed: readonly Placed[],
): Promise<string> {
  const { gitDir } = hub;
  const names = new Set(placed.map(({ name }) => name));
  const listing = await git(["ls-tree", "-z", "--name-only", objectId(tip), "--", "modules/"], { gitDir });
  const there = listing.split("\0").filter((path) => path !== "");
  const left = there.filter((path) => !names.has(path.slice("modules/".length)));
  if (left.length === 0) return tip;
  const text = manifestText({
    text: await git(["cat-file", "blob", `${objectId(tip)}:package.json`], { gitDir }),
    names: [...names],
    // Nothing is added to what the person or the ships have put there.
    versions: {},
    hasLock: true,
  });
  if (text === undefined)
    throw new CupelError("invalid_input", "package.json of the product is not JSON", {
      hint: `correct package.json on ${hub.branch}, commit it and run the same command again`,
    });
  const changes: FileChange[] = [
    // Its end-to-end tests try the whole product, which is not in it.
    ...[...left, "e2e"].map((path) => ({ kind: "delete" as const, path: toBytePath(path) })),
    { kind: "write", path: toBytePath("package.json"), mode: "100644", content: Buffer.from(text) },
  ];
  const time = (await git(["show", "-s", "--format=%ct", objectId(tip)], { gitDir })).trim();
  const message = `release: only ${[...names].toSorted().join(", ")}\n`;
  const commit = await importCommit({ gitDir, ref: DRAFT, parent: tip, message, at: Number(time), changes });
  await moveRef(gitDir, DRAFT, commit, undefined);
  return commit;
}
