// Shows the compiler a module: at a new place, or by changing what is already there, file by file, so that it looks again
// only at what has changed.
import type { Snapshot } from "typescript/unstable/sync";
import type { CompilerProcess } from "./compiler-process.ts";

export interface Showing {
  root: string;
  texts: ReadonlyMap<string, string>;
  /** Places that nobody needs any more. */
  gone: readonly string[];
}

/** One file at a time: of several at once the compiler would follow all imports anew. */
export function showFiles(compiler: CompilerProcess, { root, texts, gone }: Showing): Snapshot {
  const { api } = compiler;
  const closing = { closeProjects: gone.map(configOf) };
  const there = compiler.mounted(root);
  if (there === undefined) {
    compiler.mount(root, texts);
    const snapshot = api.updateSnapshot({ openProjects: [configOf(root)], ...closing });
    for (const each of gone) compiler.unmount(each);
    return snapshot;
  }
  const changed = [...texts].filter(([path, text]) => there.get(path) !== text);
  const snapshots = changed.map(([path, text]) => {
    compiler.mount(root, new Map([[path, text]]));
    return api.updateSnapshot({ fileChanges: { changed: [`${root}/${path}`] } });
  });
  const last = gone.length > 0 || snapshots.length === 0 ? api.updateSnapshot(closing) : snapshots.pop();
  for (const each of gone) compiler.unmount(each);
  // Not before the last one is there: it is told what has changed since the one before.
  for (const each of snapshots) each.dispose();
  if (last === undefined) throw new Error("the compiler showed no project");
  return last;
}

export function configOf(root: string): string {
  return `${root}/tsconfig.json`;
}
