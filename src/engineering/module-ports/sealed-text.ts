// Keeps the code of dependencies out of what a test run or a build tells an agent. Tests run together with built packages, so
// they can print them; whatever of a report is such code, plain or in a common disguise, gives way to the words of §12.5.
//
// What this cannot do: a test that turns code into something with no likeness to it (its own cipher, one character per run,
// lengths and timings) still carries a little out in every report. Each run is on the audit trail, reports are bounded, and
// what an agent learns that way is code that its module then has no right to depend upon; but it is no wall.
import type { Sighting } from "../../workshop/blindness/disguises.ts";
import { uncover } from "../../workshop/blindness/uncover.ts";
import { sealedError } from "../../store/backends/refusal.ts";

export interface SealedCode {
  /** As an agent would ask for it: `/modules/<name>`. */
  path: string;
  texts: readonly string[];
}

export interface Unsealed {
  text: string;
  /** The dependencies whose code was in it, by their place in the list. */
  found: number[];
}

/** `open` is what the agent may read anyway: its own files, and the types and examples of the dependencies. */
export function sealedTextFilter(
  sealed: readonly SealedCode[],
  open: readonly string[],
): (text: string) => Unsealed {
  const find = finderOf(sealed, open);
  return (text) => {
    const found = new Set<number>();
    let left: Buffer = Buffer.from(text);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { sightings, unread } = uncover((bytes) => find(bytes), left, "all", OPENED_LIMIT);
      for (const { canary } of sightings) found.add(canary);
      if (unread !== undefined) return { text: `[the report is withheld: ${unread}]`, found: [...found] };
      if (sightings.length === 0) return { text: left.toString(), found: [...found] };
      left = cut(left, sightings, sealed);
    }
    return { text: "[the report is withheld: it holds sealed code again and again]", found: [...found] };
  };
}

const ROUNDS = 5;
const OPENED_LIMIT = 16 << 20;

/** Letters and digits alone, in lower case: neither white space nor anything put between them hides them. */
const WINDOW = 16;
/** Every run of so many letters and digits and a few more, about forty characters of code, holds a whole window. */
const STRIDE = 8;

type Find = (bytes: Uint8Array) => Sighting[];

function finderOf(sealed: readonly SealedCode[], open: readonly string[]): Find {
  const told = [...open, ...sealed.flatMap(({ texts }) => texts.flatMap(messagesIn))];
  const known = new Set(told.flatMap((text) => windowsOf(signsOf(Buffer.from(text)).signs, 1)));
  const windows = new Map<string, number>();
  for (const [index, { texts }] of sealed.entries()) {
    for (const text of texts) {
      const { signs } = signsOf(Buffer.from(text));
      for (const window of windowsOf(signs, STRIDE)) {
        if (known.has(window)) continue;
        windows.set(window, index);
        windows.set(reversed(window), index);
      }
    }
  }
  return (bytes) => [signsOf(bytes), charactersOf(bytes)].flatMap((view) => seenIn(view, windows));
}

/** What code says to its callers, errors with their names, is behaviour: a failing test must be able to show it. */
const MESSAGE = /(?:\bnew\s+([\w$]+)\s*\(\s*)?("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/g;

function messagesIn(code: string): string[] {
  return [...code.matchAll(MESSAGE)].map(([, name = "", text = ""]) => `${name} ${text}`);
}

interface Signs {
  signs: string;
  /** Where in the bytes each of them stands. */
  places: number[];
}

function signsOf(bytes: Uint8Array): Signs {
  const codes: number[] = [];
  const places: number[] = [];
  for (const [place, byte] of bytes.entries()) {
    const lower = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    const isSign = (lower >= 0x61 && lower <= 0x7a) || (lower >= 0x30 && lower <= 0x39);
    if (!isSign) continue;
    codes.push(lower);
    places.push(place);
  }
  return { signs: Buffer.from(codes).toString("latin1"), places };
}

/** Lists of character codes, as `[102, 117]` or `0x66 0x75`, read as the text that they spell. */
function charactersOf(bytes: Uint8Array): Signs {
  const text = Buffer.from(bytes).toString("latin1");
  const spelled: number[] = [];
  const places: number[] = [];
  for (const { 0: number, index } of text.matchAll(/\b(?:0x[0-9a-f]{2}|\d{2,3})\b/gi)) {
    const code = Number(number);
    if (code > 0xff) continue;
    spelled.push(code);
    places.push(index);
  }
  const { signs, places: inSpelled } = signsOf(Uint8Array.from(spelled));
  return { signs, places: inSpelled.map((place) => places[place] ?? 0) };
}

function windowsOf(signs: string, stride: number): string[] {
  const windows: string[] = [];
  for (let at = 0; at + WINDOW <= signs.length; at += stride) windows.push(signs.slice(at, at + WINDOW));
  return windows;
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join("");
}

function seenIn({ signs, places }: Signs, windows: ReadonlyMap<string, number>): Sighting[] {
  const sightings: Sighting[] = [];
  for (let at = 0; at + WINDOW <= signs.length; at += 1) {
    const canary = windows.get(signs.slice(at, at + WINDOW));
    if (canary === undefined) continue;
    const start = places[at] ?? 0;
    sightings.push({ canary, disguise: "code", start, end: (places[at + WINDOW - 1] ?? start) + 1 });
  }
  return sightings;
}

/** What lies between two pieces of the same code is of it too, and so are the ends of the lines they stand in. */
const JOINED = 80;

function cut(bytes: Buffer, sightings: readonly Sighting[], sealed: readonly SealedCode[]): Buffer {
  const spans: { start: number; end: number; canary: number }[] = [];
  for (const { start, end, canary } of sightings.toSorted((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    if (last !== undefined && last.canary === canary && start <= last.end + JOINED) {
      last.end = Math.max(last.end, end);
    } else if (last === undefined || start >= last.end) spans.push({ start, end, canary });
    else last.end = Math.max(last.end, end);
  }
  const parts: Buffer[] = [];
  let done = 0;
  for (const { start, end, canary } of spans) {
    const from = Math.max(done, bytes.lastIndexOf(0x0a, start) + 1);
    const line = bytes.indexOf(0x0a, end);
    parts.push(bytes.subarray(done, from), Buffer.from(sealedError(sealed[canary]?.path ?? "/modules")));
    done = line === -1 ? bytes.length : line;
  }
  parts.push(bytes.subarray(done));
  return Buffer.concat(parts);
}
