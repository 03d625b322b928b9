// Plain data as JSON, by means that foreign code cannot replace: nothing here looks anything up on a prototype or a
// global once that code is loaded.

const { apply, get } = Reflect;
const { isArray } = Array;
const keysOf = Object.keys;
const quote = JSON.stringify;
const slice: (this: string, from: number, to?: number) => string = Reflect.get(String.prototype, "slice");
const charCodeAt: (this: string, at: number) => number = Reflect.get(String.prototype, "charCodeAt");

/** As JSON in ASCII; no `toJSON` is asked, which foreign code could put on any prototype. */
export function encode(value: unknown): string {
  switch (typeof value) {
    case "string":
      return ascii(quote(value));
    case "number":
      return value - value === 0 ? `${value}` : "null";
    case "boolean":
      return value ? "true" : "false";
    case "object":
      return value === null ? "null" : isArray(value) ? encodeList(value) : encodeFields(value);
    case "undefined":
    case "bigint":
    case "symbol":
    case "function":
      return "null";
  }
}

function encodeList(list: readonly unknown[]): string {
  let text = "";
  for (let at = 0; at < list.length; at++) text += `${at === 0 ? "" : ","}${encode(list[at])}`;
  return `[${text}]`;
}

function encodeFields(fields: object): string {
  let text = "";
  const keys = keysOf(fields);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? "";
    const value: unknown = get(fields, key);
    if (value !== undefined) text += `${text === "" ? "" : ","}${ascii(quote(key))}:${encode(value)}`;
  }
  return `{${text}}`;
}

/** One byte for each character, so that a part that was written can be counted. */
function ascii(text: string): string {
  let clean = 0;
  let made = "";
  for (let at = 0; at < text.length; at++) {
    if ((text[at] ?? "") <= "\x7f") continue;
    const code = apply(charCodeAt, text, [at]);
    const digits = `${HEX[code >> 12]}${HEX[(code >> 8) & 15]}${HEX[(code >> 4) & 15]}${HEX[code & 15]}`;
    made += `${apply(slice, text, [clean, at])}\\u${digits}`;
    clean = at + 1;
  }
  return clean === 0 ? text : made + apply(slice, text, [clean]);
}

const HEX = "0123456789abcdef";
