// The mark in each workspace that must never turn up anywhere else, and how it is kept out of what agents see.
import { randomBytes } from "node:crypto";
import { CupelError } from "../../domain/error.ts";
import { type Finder, finderFor, type Sighting } from "./disguises.ts";
import { uncover } from "./uncover.ts";

/** Where it lies inside a workspace. */
export const CANARY_FILE = ".cupel-canary";
/** So that a person can grep for all of them. */
export const CANARY_BEGINNING = "cupel-canary-";

export interface Canary {
  /** The beginning and 32 hexadecimal digits that nobody can guess. */
  token: string;
  file: typeof CANARY_FILE;
  /** What stands in the file. */
  text: string;
}

export function makeCanary(): Canary {
  const token = `${CANARY_BEGINNING}${randomBytes(16).toString("hex")}`;
  const text = `${token} marks this workspace. It is not part of the work: do not copy it anywhere.\n`;
  return { token, file: CANARY_FILE, text };
}

/** Which canaries were found, by their place in the list that was handed in, and how they were written. */
export type Found = { canary: number; disguise: string }[];

export interface Filtered {
  text: string;
  found: Found;
  /** Why everything was withheld, where it was: then `found` need not name what is in it. */
  unread: string | undefined;
}

export const REMOVED = "[canary removed]";

/** For the output of commands before an agent sees it: whole texts, since a token can be cut at a chunk's border. */
export function withoutCanaries(text: string, canaries: readonly string[]): Filtered {
  return canaryFilter(canaries).text(text);
}

export interface CanaryFilter {
  text(text: string): Filtered;
  bytes(bytes: Uint8Array): { bytes: Uint8Array; found: Found; unread: string | undefined };
}

/** The same for many texts. Where nothing is looked for, nothing is opened, and so nothing withheld for its depth. */
export function canaryFilter(canaries: readonly string[], find = canaryFinder(canaries)): CanaryFilter {
  if (canaries.length === 0) return EVERYTHING;
  return {
    text: (text) => {
      const whole = Buffer.from(text);
      const { bytes, found, unread } = filtered(whole, find);
      return { text: bytes === whole ? text : bytes.toString(), found, unread };
    },
    bytes: (bytes) => filtered(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), find),
  };
}

const EVERYTHING: CanaryFilter = {
  text: (text) => ({ text, found: [], unread: undefined }),
  bytes: (bytes) => ({ bytes, found: [], unread: undefined }),
};

function filtered(bytes: Buffer, find: Finder): { bytes: Buffer; found: Found; unread: string | undefined } {
  const seen = new Map<string, Found[number]>();
  const withheld = (why: string) => {
    const words = `[output withheld: ${why}, so it cannot be shown without canaries]`;
    return { bytes: Buffer.from(words), found: [...seen.values()], unread: why };
  };
  let left = bytes;
  // What stood apart can come together when something between it is cut out.
  for (let round = 0; round < ROUNDS; round++) {
    const { sightings, unread } = uncover(find, left, "all", OPENED_LIMIT);
    for (const { canary, disguise } of sightings) seen.set(`${canary} ${disguise}`, { canary, disguise });
    if (unread !== undefined) return withheld(unread);
    if (sightings.length === 0) return { bytes: left, found: [...seen.values()], unread: undefined };
    left = cut(left, sightings);
  }
  return withheld("it holds canaries again and again");
}

/** Looks for the digits alone: whoever drops the beginning still carries the canary. */
export function canaryFinder(canaries: readonly string[]): Finder {
  return finderFor(canaries.map(digitsOf));
}

const ROUNDS = 5;
const OPENED_LIMIT = 64 << 20;

function digitsOf(token: string): string {
  const digits = token.slice(CANARY_BEGINNING.length);
  if (token.startsWith(CANARY_BEGINNING) && /^[0-9a-f]{32}$/.test(digits)) return digits;
  throw new CupelError("usage", "this is not a canary", {
    expected: `${CANARY_BEGINNING} and 32 hexadecimal digits, as makeCanary gives`,
  });
}

function cut(bytes: Buffer, sightings: readonly Sighting[]): Buffer {
  const parts: Buffer[] = [];
  let done = 0;
  for (const { start, end } of sightings.toSorted((a, b) => a.start - b.start)) {
    if (start >= done) parts.push(withoutBeginning(bytes.subarray(done, start)), Buffer.from(REMOVED));
    done = Math.max(done, end);
  }
  parts.push(bytes.subarray(done));
  return Buffer.concat(parts);
}

/** The beginning is no secret, but half a token left behind looks like one that got through. */
function withoutBeginning(before: Buffer): Buffer {
  const tail = before.subarray(-CANARY_BEGINNING.length).toString("latin1").toLowerCase();
  return tail === CANARY_BEGINNING ? before.subarray(0, -CANARY_BEGINNING.length) : before;
}
