// Opens what lies folded inside bytes: compressed streams (gzip, zlib, zip, bare deflate), base64 and hex.
import { constants, inflateRawSync } from "node:zlib";

/** What may still be opened; shared by everything that lies inside one file. */
export interface Budget {
  bytes: number;
  streams: number;
  /** In milliseconds of `performance.now()`. */
  until: number;
  /** Whether an encoded text may begin anywhere in a run of its symbols: costs four times as much. */
  everyStart: boolean;
}

export interface Opened {
  how: string;
  bytes: Buffer;
  start: number;
  end: number;
}

/** Everything that opens. Throws `BudgetSpent` where opening on would take too much. */
export function* foldedIn(bytes: Buffer, budget: Budget): Generator<Opened> {
  for (const { how, start, data } of starts(bytes)) {
    const opened = looksDeflated(bytes, data) ? inflate(bytes.subarray(data), budget) : undefined;
    if (opened !== undefined) yield { how, bytes: opened, start, end: bytes.length };
  }
  for (const { how, text, start, end } of encodedRuns(bytes, budget.everyStart)) {
    yield { how, bytes: spend(Buffer.from(text, how), budget), start, end };
  }
}

export class BudgetSpent extends Error {}

interface Start {
  how: string;
  start: number;
  /** Where the bare deflate stream begins. Checksums do not matter: who hides something need not keep them. */
  data: number;
}

function* starts(bytes: Buffer): Generator<Start> {
  const zlibAtStart = ((bytes[0] ?? 0) & 0x8f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0;
  if (zlibAtStart) yield { how: "zlib", start: 0, data: 2 };
  else if (bytes.length > 0) yield { how: "deflate", start: 0, data: 0 };
  for (const start of places(bytes, ZLIB)) {
    if (start > 0 && ZLIB_LEVELS.includes(bytes[start + 1] ?? 0))
      yield { how: "zlib", start, data: start + 2 };
  }
  for (const start of places(bytes, GZIP)) yield { how: "gzip", start, data: afterGzipHeader(bytes, start) };
  for (const start of places(bytes, ZIP)) {
    if (start + 30 > bytes.length || bytes.readUInt16LE(start + 8) !== 8) continue;
    const data = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    yield { how: "zip", start, data };
  }
}

/** The first block's header; asked first, because most text fails here and a failed attempt is slow. */
function looksDeflated(bytes: Buffer, at: number): boolean {
  const [first = 0, second = 0] = bytes.subarray(at, at + 2);
  const block = (first >> 1) & 3;
  if (block === 3 || at + 5 > bytes.length) return false;
  if (block === 0) return bytes.readUInt16LE(at + 1) === (bytes.readUInt16LE(at + 3) ^ 0xffff);
  return block === 1 || (first >> 3 < 30 && (second & 31) < 30);
}

const ZLIB = Buffer.from([0x78]);
const ZLIB_LEVELS: readonly number[] = [0x01, 0x5e, 0x9c, 0xda];
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);
const ZIP = Buffer.from("PK\u0003\u0004", "latin1");

function afterGzipHeader(bytes: Buffer, start: number): number {
  const flags = bytes[start + 3] ?? 0;
  let at = start + 10;
  if ((flags & 4) !== 0 && at + 2 <= bytes.length) at += 2 + bytes.readUInt16LE(at);
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue;
    const end = bytes.indexOf(0, at);
    at = end === -1 ? bytes.length : end + 1;
  }
  return at + ((flags & 2) === 0 ? 0 : 2);
}

interface Run {
  how: "base64" | "hex";
  text: string;
  start: number;
  end: number;
}

/** Long enough for half a secret, on one line or wrapped; shorter ones are found as they are. */
const ENCODED = /[\w+/-]{40,}(?:\r?\n[\w+/-]{4,})*/g;

function* encodedRuns(bytes: Buffer, everyStart: boolean): Generator<Run> {
  for (const { 0: run, index: start } of bytes.toString("latin1").matchAll(ENCODED)) {
    const text = run.replaceAll(/\s/g, "");
    const where = { start, end: start + run.length };
    yield { how: "base64", text, ...where };
    if (/^(?:[0-9a-f]{2})+$/i.test(text)) yield { how: "hex", text, ...where };
    if (!everyStart) continue;
    for (const inner of laterStarts(text)) if (holdsMore(inner)) yield { ...inner, ...where };
  }
}

type Inner = Pick<Run, "how" | "text">;

/** Four symbols of base64 are three bytes, so a start further on gives the same bytes as one of these. */
function* laterStarts(text: string): Generator<Inner> {
  for (const skip of [1, 2, 3]) yield { how: "base64", text: text.slice(skip) };
  for (const [hex] of text.matchAll(/[0-9a-f]{40,}/gi)) {
    yield { how: "hex", text: hex };
    yield { how: "hex", text: hex.slice(1) };
  }
}

/** Most such starts give noise, and noise is slow to open; a canary that was encoded once is found as it stands. */
function holdsMore({ how, text }: Inner): boolean {
  const decoded = Buffer.from(text, how);
  const zlib = ZLIB_LEVELS.some((level) => decoded.includes(Buffer.of(0x78, level)));
  return (
    zlib ||
    [GZIP, ZIP].some((magic) => decoded.includes(magic)) ||
    ENCODED_HERE.test(decoded.toString("latin1"))
  );
}

const ENCODED_HERE = /[\w+/-]{40}/;

function* places(bytes: Buffer, needle: Buffer): Generator<number> {
  for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + 1)) yield at;
}

/** Much that is no stream at all opens as a few bytes; half a secret needs this many. */
const SHORTEST_SECRET = 16;

function inflate(bytes: Buffer, budget: Budget): Buffer | undefined {
  if (--budget.streams < 0) throw new BudgetSpent("it holds too many compressed streams");
  if (performance.now() > budget.until)
    throw new BudgetSpent("opening its compressed streams takes too long");
  try {
    const opened = inflateRawSync(bytes, {
      maxOutputLength: Math.max(1, budget.bytes),
      // Gives what there is of a stream that was cut short.
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    return opened.length < SHORTEST_SECRET ? undefined : spend(opened, budget);
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    if (code === "ERR_BUFFER_TOO_LARGE") throw new BudgetSpent(TOO_MUCH);
    return undefined;
  }
}

const TOO_MUCH = "what lies folded in it holds too much";

function spend(opened: Buffer, budget: Budget): Buffer {
  budget.bytes -= opened.length;
  if (budget.bytes < 0) throw new BudgetSpent(TOO_MUCH);
  return opened;
}
