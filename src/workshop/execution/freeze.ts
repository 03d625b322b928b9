// Makes an installed tree read-only, and refuses one with a way out of it.
import { chmodSync, lchownSync, lstatSync, readdirSync, realpathSync } from "node:fs";

/** Says what is unsafe, or undefined; nothing is trusted to be what npm would make. */
export function freeze(root: string): string | undefined {
  if (!lstatSync(root).isDirectory()) return "node_modules is not a directory";
  const top = realpathSync(root, "buffer").toString("latin1");
  const folders = [top];
  const found = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of readdirSync(bytesOf(folder), { encoding: "latin1" })) {
      const path = `${folder}/${name}`;
      const stat = lstatSync(bytesOf(path));
      const inside = bytesOf(path)
        .subarray(bytesOf(top).length + 1)
        .toString();
      if (stat.isDirectory()) folders.push(path);
      else if (stat.isSymbolicLink()) {
        if (!staysBelow(top, path))
          return `the link ${JSON.stringify(inside)} leads out of node_modules or nowhere`;
        continue;
      } else if (!stat.isFile()) return `${JSON.stringify(inside)} is neither a file nor a directory`;
      found.push(path);
    }
  }
  // From the leaves up, since a closed directory would be in the way.
  for (const path of found.toReversed()) close(bytesOf(path));
  return undefined;
}

/** Where the whole chain of links ends, as the kernel follows it. */
function staysBelow(top: string, link: string): boolean {
  try {
    return realpathSync(bytesOf(link), "buffer").toString("latin1").startsWith(`${top}/`);
  } catch {
    return false;
  }
}

/** Also takes it back from the user that commands of the sandbox run as. */
export function close(path: Buffer): void {
  const stat = lstatSync(path);
  if (process.getuid?.() === 0) lchownSync(path, 0, 0);
  chmodSync(path, stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o555 : 0o444);
}

/** Names are bytes, not always text. */
function bytesOf(path: string): Buffer {
  return Buffer.from(path, "latin1");
}
