// Looks for canaries in the names of things and in the targets of links, and shows such names without them.
import { type CanaryFilter, REMOVED } from "./canary.ts";
import type { Finder, Sighting } from "./disguises.ts";
import { type BytePath, isText, toText } from "../git/byte-path.ts";
import { type Uncovered, uncover } from "./uncover.ts";

/** A name is short: whatever unfolds to more than this was made to. */
export const NAME_LIMIT = 64 << 10;

/** Looks at the whole path, since a canary can be cut by slashes, and at its parts, since a slash is base64 too. */
export function uncoverName(find: Finder, path: Uint8Array, parts: "all" | "last"): Uncovered {
  const sightings = new Map<number, Sighting>();
  for (const { start, bytes } of viewsOf(path, parts)) {
    const seen = uncover(find, bytes, "first", NAME_LIMIT, true);
    for (const each of seen.sightings) {
      if (sightings.has(each.canary)) continue;
      sightings.set(each.canary, { ...each, start: start + each.start, end: start + each.end });
    }
    if (seen.unread !== undefined) return { sightings: [...sightings.values()], unread: seen.unread };
  }
  return { sightings: [...sightings.values()] };
}

function* viewsOf(path: Uint8Array, parts: "all" | "last"): Generator<{ start: number; bytes: Uint8Array }> {
  yield { start: 0, bytes: path };
  for (let end = path.length; end > 0;) {
    const start = path.lastIndexOf(SLASH, end - 1) + 1;
    if (start === 0 && end === path.length) return;
    if (start < end) yield { start, bytes: path.subarray(start, end) };
    if (parts === "last") return;
    end = start - 1;
  }
}

const SLASH = 0x2f;

/** What is reported must not carry a canary on; what the filter cannot cut out is not shown at all. */
export function withoutCanariesInName(find: Finder, filter: CanaryFilter, path: string): string {
  const { text } = filter.text(path);
  const { sightings, unread } = uncoverName(find, Buffer.from(text), "all");
  if (unread !== undefined) return `[name withheld: ${unread}]`;
  return sightings.length === 0 ? text : REMOVED;
}

export function shown(path: BytePath): string {
  if (path === "") return ".";
  if (isText(path)) return onOneLine(toText(path));
  return onOneLine(path.replaceAll(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`));
}

/** A name can hold line ends and codes for the terminal, or nothing that one can see; then it is quoted. */
export function onOneLine(text: string): string {
  return text !== "" && text === text.trim() && !/\p{C}/u.test(text) ? text : JSON.stringify(text);
}
