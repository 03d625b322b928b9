// Finds canaries in bytes, plain or disguised, in one pass however many there are.
import { type Alphabet, type Form, formsOf, NOT_A_SYMBOL, VALUES } from "./disguise-forms.ts";

export interface Sighting {
  /** The place of the canary in the list that the finder was made for. */
  canary: number;
  disguise: string;
  start: number;
  end: number;
}

/** `first`: one sighting per form is enough. */
export type Finder = (bytes: Uint8Array, want: "all" | "first") => Sighting[];

/** How many symbols are looked up at once: as many as fit into 32 bits. */
const WINDOW: Readonly<Record<Alphabet, number>> = { hex: 8, base64: 5 };

interface Entry {
  form: Form;
  /** The place in the form of the window's last symbol. */
  last: number;
}

/** `digits`: the secret part of each canary. */
export function finderFor(digits: readonly string[]): Finder {
  const forms = digits.flatMap((each, index) => formsOf(each, index));
  const hex = indexOf(forms, "hex");
  const base64 = indexOf(forms, "base64");
  return (bytes, want) => {
    const seen = new Map<Form, number>();
    const sightings: Sighting[] = [];
    const candidate = (index: Index, window: number, at: number) => {
      for (const entry of index.entries.get(window) ?? []) {
        const known = seen.get(entry.form);
        if (known !== undefined && (want === "first" || at < known)) continue;
        const sighting = confirmed(entry, bytes, at);
        if (sighting === undefined) continue;
        seen.set(entry.form, sighting.end);
        sightings.push(sighting);
      }
    };
    slide(bytes, hex, base64, candidate);
    return sightings;
  };
}

/** The hot loop: two rolling windows, each asked of a table of bits that says no almost always. */
function slide(
  bytes: Uint8Array,
  hex: Index,
  base64: Index,
  candidate: (index: Index, window: number, at: number) => void,
): void {
  const { maybe: hexMaybe, shift: hexShift } = hex;
  const { maybe: base64Maybe, shift: base64Shift } = base64;
  const [hexValues, base64Values] = [VALUES.hex, VALUES.base64];
  let hexWindow = 0;
  let base64Window = 0;
  const { length } = bytes;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    const sextet = base64Values[byte] ?? NOT_A_SYMBOL;
    if (sextet === NOT_A_SYMBOL) continue;
    base64Window = ((base64Window << 6) | sextet) & 0x3fffffff;
    let place = Math.imul(base64Window, SPREAD) >>> base64Shift;
    if ((((base64Maybe[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1) candidate(base64, base64Window, at);
    const nibble = hexValues[byte] ?? NOT_A_SYMBOL;
    if (nibble === NOT_A_SYMBOL) continue;
    hexWindow = (hexWindow << 4) | nibble;
    place = Math.imul(hexWindow, SPREAD) >>> hexShift;
    if ((((hexMaybe[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1) candidate(hex, hexWindow, at);
  }
}

/** How much of the form lies around a window that matched; what is no symbol is stepped over. */
function confirmed({ form, last }: Entry, bytes: Uint8Array, at: number): Sighting | undefined {
  const values = VALUES[form.alphabet];
  const step = (from: number, by: 1 | -1, symbol: number): [matched: number, edge: number] => {
    let matched = 0;
    let edge = from;
    for (let place = from, wanted = symbol; place >= 0 && place < bytes.length; place += by) {
      const value = values[bytes[place] ?? 0] ?? NOT_A_SYMBOL;
      if (value === NOT_A_SYMBOL) continue;
      if (value !== form.symbols[wanted]) break;
      matched++;
      edge = place;
      wanted += by;
    }
    return [matched, edge];
  };
  const [before, start] = step(at, -1, last);
  const [after, end] = step(at + 1, 1, last + 1);
  if (before + after < form.need) return undefined;
  const extent = { start, end: (after === 0 ? at : end) + 1 };
  return { canary: form.canary, disguise: named(form, bytes, extent), ...extent };
}

/** The same symbols can stand in several ways; the name tells a reader what to look for. */
function named(
  { disguise, alphabet }: Form,
  bytes: Uint8Array,
  { start, end }: Omit<Sighting, "canary" | "disguise">,
): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(end - start, 256)).toString(
    "latin1",
  );
  if (/^[^\0](\0[^\0])+$/.test(text)) return `${disguise}, UTF-16`;
  if ((alphabet === "hex" ? /[^0-9a-fA-F]/ : /[^\w+/-]/).test(text)) return `${disguise}, split`;
  return disguise === "verbatim" && /[A-F]/.test(text) ? "upper case" : disguise;
}

interface Index {
  entries: ReadonlyMap<number, readonly Entry[]>;
  maybe: Uint32Array;
  shift: number;
}

const SPREAD = 0x9e3779b1;

/** Windows at every stride of a form: any run of `need` symbols contains one of them whole. */
function indexOf(forms: readonly Form[], alphabet: Alphabet): Index {
  const entries = new Map<number, Entry[]>();
  const size = WINDOW[alphabet];
  const bits = alphabet === "hex" ? 4 : 6;
  for (const form of forms) {
    if (form.alphabet !== alphabet) continue;
    const stride = form.need - size + 1;
    for (let first = 0; first + size <= form.symbols.length; first += stride) {
      let window = 0;
      for (const symbol of form.symbols.subarray(first, first + size)) window = (window << bits) | symbol;
      const list = entries.get(window) ?? [];
      list.push({ form, last: first + size - 1 });
      entries.set(window, list);
    }
  }
  const width = Math.min(24, Math.max(16, Math.ceil(Math.log2(entries.size * 64 + 1))));
  const index: Index = { entries, maybe: new Uint32Array(2 ** (width - 5)), shift: 32 - width };
  for (const window of entries.keys()) setBit(index.maybe, Math.imul(window, SPREAD) >>> index.shift);
  return index;
}

function setBit(bits: Uint32Array, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
}
