// Finds the folders below one that hold code of their own; nothing of them is run, and links are not followed.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CupelError } from "../domain/error.ts";
import { roleOf } from "../toolchains/typescript/layout.ts";
import { isRealDirectory } from "../workshop/sandbox/grants.ts";

/** Folders that hold no work of anybody, or tests of the folder they lie in. */
const PASSED_OVER = new Set("node_modules dist coverage test tests __tests__".split(" "));
const MOST_FOLDERS = 10_000;

/** In a fixed order. A folder with `src/` is one module; without it, code lies in the folder itself. */
export function foldersWithCode(root: string): string[] {
  if (!isRealDirectory(root))
    throw new CupelError("usage", `there is no folder ${root}`, {
      expected: "a folder with modules below it, and no link",
      hint: "cupel trial audit DIR",
    });
  const found: string[] = [];
  const waiting = [root];
  let seen = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if ((seen += 1) > MOST_FOLDERS)
      throw new CupelError("usage", `${root} holds more than ${MOST_FOLDERS} folders`, {
        expected: "a folder nearer to the modules",
      });
    const { folders, hasCode } = lookInto(folder);
    const isModule = folders.includes("src") && holdsCode(join(folder, "src"));
    if (isModule || hasCode) found.push(folder);
    const inner = folders.filter((name) => !isModule || name !== "src");
    waiting.push(...inner.map((name) => join(folder, name)));
  }
  return found.toSorted();
}

function lookInto(folder: string): { folders: string[]; hasCode: boolean } {
  const entries = readdirSync(folder, { withFileTypes: true });
  return {
    folders: entries.flatMap((entry) =>
      entry.isDirectory() && !entry.name.startsWith(".") && !PASSED_OVER.has(entry.name) ? [entry.name] : [],
    ),
    hasCode: entries.some((entry) => entry.isFile() && roleOf(entry.name, () => "") === "source"),
  };
}

function holdsCode(folder: string): boolean {
  const { folders, hasCode } = lookInto(folder);
  return hasCode || folders.some((name) => holdsCode(join(folder, name)));
}
