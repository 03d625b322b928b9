// Waits for changes below folders by looking at them: nothing is missed while a run is under way, and nothing breaks
// when a file is gone before it could be looked at.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "../domain/environment-error.ts";

const LOOK_MS = 150;

/** Where tools put what can be made again. */
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", ".git", "dist", "coverage", ".cupel"]);

/** Names, sizes and times of everything below the places, as one text. */
export function pictureOf(places: readonly string[]): string {
  const lines: string[] = [];
  const open = [...places];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const stat = lookAt(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
    lines.push(
      `${path} ${stat?.mtimeNs ?? "gone"} ${stat?.ctimeNs ?? ""} ${stat?.size ?? ""} ${stat?.ino ?? ""}`,
    );
    if (stat?.isDirectory() !== true) continue;
    const names = lookAt(() => readdirSync(path)) ?? [];
    open.push(...names.filter((name) => !LEFT_OUT.has(name)).map((name) => join(path, name)));
  }
  return lines.toSorted().join("\n");
}

/** Once something differs from the picture and has then stood still for a moment; false when the signal came first. */
export async function changedSince(
  picture: string,
  places: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  for (let before = picture; !signal.aborted;) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    const now = pictureOf(places);
    if (now !== picture && now === before) return true;
    before = now;
  }
  return false;
}

/** What is gone or closed counts as not there. */
function lookAt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG")) return undefined;
    throw error;
  }
}
