// The files below a tree, read object by object, where there are few folders.
import { asBytePath, type BytePath } from "./byte-path.ts";
import { type ReadObject, readObjects } from "./object-reader.ts";

export interface TreeEntry {
  path: BytePath;
  /** 100644, 100755, 120000 (symbolic link) or 160000 (another repository's commit). */
  mode: string;
  id: string;
}

/** With the one that all of them lie in. */
const MOST_FOLDERS = 65;
const FOLDER = "40000";
/** As git writes them. It reads others too, and only git knows as what. */
const MODES = new Set(["100644", "100755", "120000", "160000", FOLDER]);

/** In git's order; undefined where only git can tell: too many folders, a tree that is not as git makes it, or none. */
export async function fewEntries(gitDir: string, treeish: string): Promise<TreeEntry[] | undefined> {
  // A colon stands before a path, in which everything else would be part of the name.
  const name = treeish.includes(":") ? treeish : `${treeish}^{tree}`;
  const folders = new Map<string, readonly Entry[]>();
  let read = await readObjects(gitDir, [name]);
  const [root] = read;
  while (read.length > 0) {
    const wanted = new Set<string>();
    for (const object of read) {
      const entries = object?.type === "tree" ? entriesIn(object) : undefined;
      if (object === undefined || entries === undefined) return undefined;
      folders.set(object.id, entries);
      for (const { mode, id } of entries) if (mode === FOLDER) wanted.add(id);
    }
    const lacking = [...wanted].filter((id) => !folders.has(id));
    if (folders.size + lacking.length > MOST_FOLDERS) return undefined;
    read = await readObjects(gitDir, lacking);
  }
  return below("", root?.id ?? "", folders);
}

function below(prefix: string, folder: string, folders: ReadonlyMap<string, readonly Entry[]>): TreeEntry[] {
  return (folders.get(folder) ?? []).flatMap(({ mode, name, id }) => {
    const path = prefix + name;
    return mode === FOLDER ? below(`${path}/`, id, folders) : [{ path: asBytePath(path), mode, id }];
  });
}

interface Entry {
  mode: string;
  /** One character per byte. */
  name: string;
  id: string;
}

/** Mode, a space, the name, a zero byte and the bytes of the id, again and again; undefined where it is anything else. */
function entriesIn({ id: own, content: tree }: ReadObject): Entry[] | undefined {
  const entries: Entry[] = [];
  for (let at = 0; at < tree.length;) {
    const space = tree.indexOf(SPACE, at);
    const end = tree.indexOf(0, at);
    const next = end + 1 + own.length / 2;
    const mode = tree.toString("latin1", at, Math.max(at, space));
    if (!MODES.has(mode) || end <= space + 1 || next > tree.length) return undefined;
    const name = tree.toString("latin1", space + 1, end);
    entries.push({ mode, name, id: tree.toString("hex", end + 1, next) });
    at = next;
  }
  return entries;
}

const SPACE = 0x20;
