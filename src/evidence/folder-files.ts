// Every file of a folder, also what tests read beside the code: without it neither a proof nor a key would be whole.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson, sha256Hex } from "../domain/canonical.ts";
import { CupelError } from "../domain/error.ts";
import type { Files } from "../toolchains/port.ts";

/** What is no work of anybody. */
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", ".git", ".cupel", ".cupel-tools"]);
const MOST_FILES = 5_000;

/** Links are not followed and do not count. */
export function everyFile(directory: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(directory, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (LEFT_OUT.has(entry.name)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) files.set(path, readFileSync(join(directory, path)));
    }
    if (files.size > MOST_FILES)
      throw new CupelError("usage", `${directory} holds more than ${MOST_FILES} files`, {
        expected: "fewer files beside node_modules",
      });
  }
  return files;
}

/** A path instead of texts is that of a file which is no text. */
export type Texts = Files | string;

export function asTexts(files: ReadonlyMap<string, Buffer>): Texts {
  const broken = [...files].find(([, bytes]) => !Buffer.from(bytes.toString("utf8")).equals(bytes));
  if (broken !== undefined) return broken[0];
  return Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString("utf8")]));
}

/** The same for the same names and contents, whatever the order. */
export function keyOf(...folders: readonly string[]): string {
  const hashes = folders.map((folder) =>
    Object.fromEntries([...everyFile(folder)].map(([path, bytes]) => [path, sha256Hex(bytes)])),
  );
  return sha256Hex(canonicalJson(hashes));
}
