// Takes keys and passwords out of whatever is kept: transcripts, recordings. Canaries are no secrets and stay.

export type Redact = <T>(value: T) => T;

type Environment = Readonly<Record<string, string | undefined>>;

/** Works on every string inside a value, also where a secret is spread over several of the same field. */
export function redactor(env: Environment): Redact {
  const known = secretsOf(env).map(spelled);
  return (value) => {
    const fields = new Map<string, string[]>();
    each(value, (text, field) => {
      const texts = fields.get(field) ?? [];
      fields.set(field, texts);
      texts.push(text);
      return text;
    });
    const cleaned = new Map(
      [...fields].map(([field, texts]) => [field, cleanTogether(texts, known).values()]),
    );
    return each(value, (_, field) => cleaned.get(field)?.next().value ?? "");
  };
}

const SECRET_NAME =
  /(key|token|secret|passwd|password|_pwd|credential|cookie|dsn|(?<![a-z])auth)s?(?![a-z])/i;
const PLACE_NAME = /(_FILE|_PATH|_SOCK|_DIR|_HOME)$/i;
/** Shorter values would take ordinary words out of the text. */
const SHORTEST = 8;

/** Values of variables that are named like keys, and passwords inside URLs, the longest first. */
function secretsOf(env: Environment): string[] {
  const values = Object.entries(env).flatMap(([name, value = ""]) => {
    const password = /^[a-z][\w+.-]*:\/\/[^/@\s]*:([^/@\s]+)@/i.exec(value)?.[1];
    if (password !== undefined) return [password];
    if (!SECRET_NAME.test(name) || PLACE_NAME.test(name) || /^[a-z][\w+.-]*:\/\//i.test(value)) return [];
    return [value.trim()];
  });
  return [...new Set(values.filter((value) => value.length >= SHORTEST))].toSorted(
    (a, b) => b.length - a.length,
  );
}

/** Between two strings of a value; chosen so that no text holds it. */
const SEAMS = ["\uE000", "\uE001", "\uE002", "\uE003"];
/** What stands between the parts of a text that was broken up: white space, quotes, a plus, escapes, a seam. */
const BREAK = String.raw`(?:[\s"'\x60+\\,\uE000-\uE003]|\\[nrt]){0,12}?`;

/** A value as it is, broken up, or with its characters escaped. */
function spelled(secret: string): RegExp {
  const characters = Array.from(secret, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    const forms = [escaped(character)];
    if (code < 0x1_0000) forms.push(String.raw`\\u${hex.padStart(4, "0")}`);
    if (code < 0x80) forms.push(`%${hex.padStart(2, "0")}`, String.raw`\\x${hex.padStart(2, "0")}`);
    if (character === '"' || character === "\\" || character === "/")
      forms.push(String.raw`\\` + escaped(character));
    return `(?:${forms.join("|")})`;
  });
  return new RegExp(characters.join(BREAK), "gi");
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

/** Keys that are known by how they look; the beginning stays, so that a person can tell what was there. */
const SHAPES: readonly RegExp[] = [
  /\b(sk-(?:ant-|proj-|or-|live-|test-)?)[\w-]{16,}/g,
  /\b([rsp]k_(?:live|test)_)\w{16,}/g,
  /\b(gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox[abeprs]-|dop_v1_|tvly-)[\w-]{16,}/g,
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\b(AIza)[\w-]{30,}/g,
  /((?:bearer|basic)(?:\s|\\[nrt]|%20)+)[\w.~+/=-]{8,}/gi,
  /((?:x-api-key|api[_-]?key|authorization)["'\\]*\s*[:=]\s*["'\\]*)(?!bearer|basic)[\w.~+/=-]{8,}/gi,
  // Begins at the colon: looked for from the first letter of its scheme, a long word would be read once for each letter.
  /(?<=[\w+.-])(:(?:\\?\/){2}[^\s/@:"']*:)[^\s/@"']+(?=@)/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END|$)/g,
];

/** A signed token; words that only begin like one are taken whole as well, so that each is read once. */
const SIGNED = /\b(eyJ)[\w-]{8,}(?:\.[\w-]{8,}\.[\w-]{8,})?/g;

const GONE = "[secret]";
/** What lies deeper was made to be deep. */
const DEEPEST = 500;

function cleanTogether(texts: readonly string[], known: readonly RegExp[]): string[] {
  const seam = SEAMS.find((candidate) => texts.every((text) => !text.includes(candidate)));
  if (seam === undefined) return texts.map((text) => clean(text, known, "\uE000"));
  return clean(texts.join(seam), known, seam).split(seam);
}

function clean(text: string, known: readonly RegExp[], seam: string): string {
  let cleaned = text;
  for (const secret of known) {
    cleaned = cleaned.replaceAll(secret, (found) => GONE + seam.repeat(found.split(seam).length - 1));
  }
  const redacted = (found: string, beginning: string): string => {
    const seams = found.slice(beginning.length).split(seam).length - 1;
    return `${beginning}${GONE}${seam.repeat(seams)}`;
  };
  for (const shape of SHAPES) cleaned = cleaned.replaceAll(shape, redacted);
  return cleaned.replaceAll(SIGNED, (found, beginning: string) =>
    found.includes(".") ? redacted(found, beginning) : found,
  );
}

type Replace = (text: string, field: string) => string;

/** The same value with every string replaced; the keys of objects are texts of a field of their own. */
function each<T>(value: T, replace: Replace, field?: string, depth?: number): T;
function each(value: unknown, replace: Replace, field = "", depth = 0): unknown {
  if (typeof value === "string") return replace(value, field);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return "[too deep to be kept]";
  if (Array.isArray(value)) return value.map((inner) => each(inner, replace, field, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      replace(key, "\u0000keys"),
      each(inner, replace, key, depth + 1),
    ]),
  );
}
