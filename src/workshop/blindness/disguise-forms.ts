// The shapes in which a canary can be written, as runs of hexadecimal or base64 symbols.

export type Alphabet = "hex" | "base64";

/** One way to write a canary's secret digits. */
export interface Form {
  canary: number;
  disguise: string;
  alphabet: Alphabet;
  /** Values of the symbols; whatever lies between symbols in a text does not count. */
  symbols: Uint8Array;
  /** Half of the secret, 64 bits: too much for chance, and a torn copy is a copy too. */
  need: number;
}

export const NOT_A_SYMBOL = 255;

/** The value of a byte as a symbol, or NOT_A_SYMBOL. */
export const VALUES: Readonly<Record<Alphabet, Uint8Array>> = {
  hex: valuesOf(["0123456789abcdef", "0123456789ABCDEF"]),
  base64: valuesOf([
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
  ]),
};

/** `digits` are the hexadecimal digits of a canary, without its greppable beginning. */
export function formsOf(digits: string, canary: number): Form[] {
  const form = (alphabet: Alphabet, disguise: string, text: string, need?: number): Form => {
    const symbols = symbolsOf(alphabet, text);
    return { canary, disguise, alphabet, symbols, need: need ?? Math.floor(symbols.length / 2) };
  };
  const bare = digits.replaceAll(/[a-f]/g, "");
  const ascii = textsOf(digits);
  const wide = ascii.map(([name, text]): Named => [`${name}UTF-16 `, Array.from(text).join("\0")]);
  const spelled = [...ascii, ...wide];
  const hex = spelled.map(([name, text]): Named => [`${name}hex`, hexOf(text)]);
  const base64 = spelled.flatMap(([name, text]) => base64Of(text).map((b): Named => [`${name}base64`, b]));
  const again = [...hex, ...base64].flatMap(([name, text]) =>
    base64Of(text).map((b): Named => [`${name} in base64`, b]),
  );
  return [
    form("hex", "verbatim", digits),
    form("hex", "reversed", reversed(digits)),
    ...hex.map(([name, text]) => form("hex", name, text)),
    ...hex.map(([name, text]) => form("hex", `reversed ${name}`, reversed(text))),
    // As in `0x63, 0x75` and in lists of character codes.
    form("hex", "hex", hexOf(digits).replaceAll(/../g, "0$&")),
    form(
      "hex",
      "character codes",
      Array.from(digits)
        .map((digit) => digit.charCodeAt(0))
        .join(""),
    ),
    // Whatever its letters were turned into, as by rot13; of so few symbols all must be there.
    ...(bare.length < LEAST ? [] : [form("hex", "other letters", bare, bare.length)]),
    ...base64.map(([name, text]) => form("base64", name, text)),
    ...base64.map(([name, text]) => form("base64", `reversed ${name}`, reversed(text))),
    ...again.map(([name, text]) => form("base64", name, text)),
    ...base64.map(([name, text]) => form("hex", `${name} in hex`, hexOf(text))),
  ];
}

/** More than fifty bits: too much for chance. */
const LEAST = 16;

type Named = [name: string, text: string];

function textsOf(digits: string): Named[] {
  const upper = digits.toUpperCase();
  return [
    ["", digits],
    ["upper-case ", upper],
    ["reversed ", reversed(digits)],
    ["reversed upper-case ", reversed(upper)],
  ];
}

/** The characters of base64 that depend on `text` alone, for each way its bytes can fall on groups of three. */
function base64Of(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text, "latin1")]);
    return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
}

function hexOf(text: string): string {
  return Buffer.from(text, "latin1").toString("hex");
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join("");
}

function symbolsOf(alphabet: Alphabet, text: string): Uint8Array {
  const symbols = Uint8Array.from(Buffer.from(text, "latin1"));
  symbols.forEach((byte, index) => (symbols[index] = VALUES[alphabet][byte] ?? NOT_A_SYMBOL));
  return symbols;
}

function valuesOf(alphabets: readonly string[]): Uint8Array {
  const values = new Uint8Array(256).fill(NOT_A_SYMBOL);
  for (const alphabet of alphabets) {
    Array.from(alphabet).forEach((symbol, value) => (values[symbol.charCodeAt(0)] = value));
  }
  return values;
}
