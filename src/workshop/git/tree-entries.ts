// The files below a tree, read object by object, where there are few folders.
import { asBytePath, type BytePath } from "./byte-path.ts";
import { readObjects } from "./object-reader.ts";

export interface TreeEntry {
  path: BytePath;
  /** 100644, 100755, 120000 (symbolic link) or 160000 (another repository's commit). */
  mode: string;
  id: string;
}

const MOST_FOLDERS = 64;
const FOLDER = "40000";

/** In git's order; undefined where there are too many folders, or no such tree. */
export async function fewEntries(gitDir: string, treeish: string): Promise<TreeEntry[] | undefined> {
  // A colon stands before a path, in which everything else would be part of the name.
  const name = treeish.includes(":") ? treeish : `${treeish}^{tree}`;
  const [root] = await readObjects(gitDir, [name]);
  if (root?.type !== "tree") return undefined;
  const folders = new Map<string, Buffer>();
  let wanted = subfoldersOf([root.content], root.id.length / 2);
  while (wanted.length > 0) {
    const lacking = [...new Set(wanted)].filter((id) => !folders.has(id));
    if (folders.size + lacking.length > MOST_FOLDERS) return undefined;
    const read = await readObjects(gitDir, lacking);
    const contents = read.flatMap((object) => (object?.type === "tree" ? [object] : []));
    if (contents.length < lacking.length) return undefined;
    for (const { id, content } of contents) folders.set(id, content);
    wanted = subfoldersOf(
      contents.map(({ content }) => content),
      root.id.length / 2,
    );
  }
  return below("", root.content, folders, root.id.length / 2);
}

function subfoldersOf(trees: readonly Buffer[], idBytes: number): string[] {
  return trees
    .flatMap((tree) => entriesIn(tree, idBytes))
    .filter(({ mode }) => mode === FOLDER)
    .map(({ id }) => id);
}

function below(
  prefix: string,
  tree: Buffer,
  folders: ReadonlyMap<string, Buffer>,
  idBytes: number,
): TreeEntry[] {
  return entriesIn(tree, idBytes).flatMap(({ mode, name, id }) => {
    const path = prefix + name;
    const folder = mode === FOLDER ? folders.get(id) : undefined;
    if (folder !== undefined) return below(`${path}/`, folder, folders, idBytes);
    return [{ path: asBytePath(path), mode, id }];
  });
}

/** Mode, a space, the name, a zero byte and the bytes of the id, again and again. Names are one character per byte. */
function entriesIn(tree: Buffer, idBytes: number): { mode: string; name: string; id: string }[] {
  const entries: { mode: string; name: string; id: string }[] = [];
  for (let at = 0; at < tree.length;) {
    const space = tree.indexOf(0x20, at);
    const end = tree.indexOf(0, space);
    const next = end + 1 + idBytes;
    entries.push({
      mode: tree.toString("latin1", at, space),
      name: tree.toString("latin1", space + 1, end),
      id: tree.toString("hex", end + 1, next),
    });
    at = next;
  }
  return entries;
}
