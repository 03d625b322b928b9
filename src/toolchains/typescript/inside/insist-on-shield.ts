// Ends a program that should be shielded from other processes and is not; see shielded-node.ts.
import { accessSync, constants, writeSync } from "node:fs";

/** `node` is what other processes are started with from now on. */
export function insistOnShield({ shielded, node }: { shielded: boolean; node: string }): void {
  if (shielded && isReadable(process.execPath)) {
    writeSync(2, "the runner is not shielded from the code that it runs");
    process.exit(1);
  }
  process.execPath = node;
  if (process.argv[0] !== undefined) process.argv[0] = node;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
