// Whether a script is the one that Cupel brings: what it plays was written by Cupel itself, so it may do without a sandbox.
import { readFileSync } from "node:fs";

const DEMO_SCRIPT = new URL("../../demo/script.jsonl", import.meta.url);

/** To the byte: whatever somebody changed in it is theirs. */
export function isOwnScript(file: string | undefined): boolean {
  if (file === undefined) return false;
  try {
    return readFileSync(file).equals(readFileSync(DEMO_SCRIPT));
  } catch {
    return false;
  }
}
