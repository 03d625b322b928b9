// What must be done to a commit of the hub so that it holds what a workspace holds.
import { setImmediate } from "node:timers/promises";
import type { TakenWork } from "../../domain/run/workspace-record.ts";
import { toBytePath, toText } from "../git/byte-path.ts";
import type { BytePath } from "../git/byte-path.ts";
import type { FileChange } from "../git/fast-import.ts";
import { readBaseline } from "./baseline.ts";
import { contentOf, describe } from "./changes.ts";
import type { Change } from "./changes.ts";
import type { WorkspacePlaces } from "./places.ts";

/** A changed path; contents are read when it is their turn, since all together they need not fit into memory. */
export interface Edit {
  path: BytePath;
  read: () => FileChange;
}

/** From the base, or from what was taken before; also what has since become again as the base had it. */
export function editsSince(
  taken: TakenWork | null,
  changes: readonly Change[],
  { tree, baseline }: WorkspacePlaces,
): Edit[] {
  const before = new Map(Object.entries(taken?.paths ?? {}));
  const edits: Edit[] = [];
  for (const change of changes) {
    const name = toText(change.path);
    const isNew = !before.has(name) || before.get(name) !== describe(change.now);
    before.delete(name);
    if (isNew) edits.push({ path: change.path, read: () => editOf(change, tree) });
  }
  if (before.size === 0) return edits;
  const { versions } = readBaseline(baseline);
  for (const name of before.keys()) {
    const path = toBytePath(name);
    const version = versions.get(path);
    const edit: FileChange =
      version === undefined ? { kind: "delete", path } : { kind: "point", path, ...version };
    edits.push({ path, read: () => edit });
  }
  return edits;
}

/** For the importer, one at a time, with room for others in between. */
export async function* readEdits(edits: readonly Edit[]): AsyncGenerator<FileChange> {
  for (const { read } of edits) {
    yield read();
    await setImmediate();
  }
}

function editOf(change: Change, tree: string): FileChange {
  const { path, now } = change;
  if (now === undefined) return { kind: "delete", path };
  return { kind: "write", path, mode: now.mode, content: contentOf(tree, change) };
}
