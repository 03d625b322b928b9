// Undoes the escapes of URLs, JSON, source text and HTML, in the neighbourhoods where there are any.

export interface Unescaped {
  bytes: Buffer;
  /** Where these unescaped bytes stood. */
  extent(start: number, end: number): { start: number; end: number };
}

/** How much around an escape is looked at again; text without escapes was looked at already. */
const AROUND = 4096;

/** Undefined where there is nothing to undo. What an escape stands for is one byte, or a blank outside ASCII. */
export function unescape(bytes: Buffer): Unescaped | undefined {
  const out = Buffer.allocUnsafe(bytes.length);
  const size = rewrite(bytes, (at, start, end, byte) => {
    if (byte === undefined) bytes.copy(out, at, start, end);
    else out[at] = byte;
  });
  if (size === 0) return undefined;
  // Few texts hold anything, so the way back is worked out only when it is asked for.
  let trace: Trace | undefined;
  const extent = (start: number, end: number) => {
    trace ??= traceOf(bytes);
    return { start: trace.startOf(start), end: trace.endOf(end - 1) };
  };
  return { bytes: out.subarray(0, size), extent };
}

/** Called with a place in the output, what it comes from, and the byte itself where that is an escape. */
type Write = (at: number, start: number, end: number, byte: number | undefined) => void;

function rewrite(bytes: Buffer, write: Write): number {
  let size = 0;
  let done = 0;
  const copy = (start: number, end: number) => {
    if (end <= start) return;
    write(size, start, end, undefined);
    size += end - start;
  };
  const { length } = bytes;
  for (let at = 0; at < length; at++) {
    const mark = bytes[at];
    if (mark !== BACKSLASH && mark !== PERCENT && mark !== AMPERSAND) continue;
    const escape = escapeAt(bytes, at);
    if (escape === undefined) continue;
    if (size > 0) copy(done, Math.min(at, done + AROUND));
    copy(Math.max(size > 0 ? done + AROUND : done, at - AROUND), at);
    write(size++, at, at + escape.length, escape.byte);
    done = at + escape.length;
    at = done - 1;
  }
  if (size > 0) copy(done, Math.min(length, done + AROUND));
  return size;
}

interface Trace {
  startOf(place: number): number;
  endOf(place: number): number;
}

function traceOf(bytes: Buffer): Trace {
  const segments: { at: number; start: number; end: number; escape: boolean }[] = [];
  rewrite(bytes, (at, start, end, byte) => segments.push({ at, start, end, escape: byte !== undefined }));
  const holding = (place: number) => {
    let [low, high] = [0, segments.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((segments[middle]?.at ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return segments[low] ?? { at: 0, start: 0, end: bytes.length, escape: true };
  };
  return {
    startOf: (place) => {
      const { at, start } = holding(place);
      return start + place - at;
    },
    endOf: (place) => {
      const { at, start, end, escape } = holding(place);
      return escape ? end : start + place - at + 1;
    },
  };
}

const [PERCENT, BACKSLASH, AMPERSAND] = [0x25, 0x5c, 0x26];
const [HASH, LETTER_X, LETTER_U, DIGIT_0] = [0x23, 0x78, 0x75, 0x30];
const BLANK = 0x20;
const BLANKS = Buffer.from("nrtbfv0");

interface Escape {
  byte: number;
  length: number;
}

/** A backslash before any other character hides nothing, since it is no symbol itself. */
function escapeAt(bytes: Buffer, at: number): Escape | undefined {
  const next = bytes[at + 1];
  if (next === undefined) return undefined;
  if (bytes[at] === PERCENT) return numbered(bytes, at, /^%([0-9a-f]{2})/i, 16);
  if (bytes[at] === AMPERSAND) {
    if (next !== HASH) return undefined;
    return numbered(bytes, at, /^&#x([0-9a-f]{1,6});?/i, 16) ?? numbered(bytes, at, /^&#(\d{1,7});?/, 10);
  }
  if (next === BACKSLASH) return { byte: BACKSLASH, length: 2 };
  if (next === LETTER_X) return numbered(bytes, at, /^\\x([0-9a-f]{2})/i, 16);
  if (next === LETTER_U) return numbered(bytes, at, /^\\u(?:\{([0-9a-f]{1,6})\}|([0-9a-f]{4}))/i, 16);
  const octal =
    next >= DIGIT_0 && next <= DIGIT_0 + 3 ? numbered(bytes, at, /^\\([0-3][0-7]{2})/, 8) : undefined;
  return octal ?? (BLANKS.includes(next) ? { byte: BLANK, length: 2 } : undefined);
}

function numbered(bytes: Buffer, at: number, pattern: RegExp, base: number): Escape | undefined {
  const [all, ...groups] = pattern.exec(bytes.toString("latin1", at, at + 12)) ?? [];
  if (all === undefined) return undefined;
  const code = Number.parseInt(groups.find((group) => group !== undefined) ?? "", base);
  return { byte: code < 0x80 ? code : BLANK, length: all.length };
}
