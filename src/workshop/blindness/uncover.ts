// Looks for canaries in bytes and in everything that can be unfolded from them.
import { type Budget, BudgetSpent, foldedIn } from "./folded.ts";
import type { Finder, Sighting } from "./disguises.ts";
import { type Unescaped, unescape } from "./escapes.ts";

export interface Uncovered {
  /** Places are those in the bytes that were handed in. */
  sightings: Sighting[];
  /** Why not everything inside was looked at, where that is so. */
  unread?: string;
}

/** Text inside JSON inside JSON is usual in transcripts. */
const ESCAPE_ROUNDS = 3;
const DEPTH = 5;

/**
 * `first`: of each canary only what the outermost layer shows. `limit`: how many bytes to unfold. `everyStart`: for
 * what is short, like names, where anything may stand before an encoded text.
 */
export function uncover(
  find: Finder,
  bytes: Uint8Array,
  want: "all" | "first",
  limit: number,
  everyStart = false,
): Uncovered {
  const sightings: Sighting[] = [];
  const budget = { bytes: limit, streams: 100_000, until: performance.now() + 60_000, everyStart };
  try {
    look({ find, want, budget }, asBuffer(bytes), DEPTH, (sighting) => {
      const known = sightings.some(({ canary }) => canary === sighting.canary);
      if (want === "all" || !known) sightings.push(sighting);
    });
  } catch (error) {
    if (error instanceof BudgetSpent) return { sightings, unread: error.message };
    throw error;
  }
  return { sightings };
}

interface Looking {
  find: Finder;
  want: "all" | "first";
  budget: Budget;
}

function look(looking: Looking, bytes: Buffer, depth: number, report: (sighting: Sighting) => void): void {
  for (const sighting of looking.find(bytes, looking.want)) report(sighting);
  lookBehindEscapes(looking, bytes, report);
  for (const stream of foldedIn(bytes, looking.budget)) {
    if (depth === 0) throw new BudgetSpent("it holds things folded in things, too deep to follow");
    look(looking, stream.bytes, depth - 1, ({ canary, disguise }) =>
      report({ canary, disguise: `${disguise}, inside ${stream.how}`, start: stream.start, end: stream.end }),
    );
  }
}

function lookBehindEscapes(
  { find, want }: Looking,
  bytes: Buffer,
  report: (sighting: Sighting) => void,
): void {
  const layers: Unescaped[] = [];
  for (let view = unescape(bytes); view !== undefined; view = unescape(view.bytes)) {
    layers.push(view);
    for (const { canary, disguise, ...inner } of find(view.bytes, want)) {
      const place = layers.reduceRight((at, layer) => layer.extent(at.start, at.end), inner);
      report({ canary, disguise: `${disguise}, escaped`, ...place });
    }
    if (layers.length === ESCAPE_ROUNDS) return;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
