// Matches paths against glob patterns (*, **, ?, [abc], [!a-z], {a,b}, backslash escapes) without ever backtracking far:
// a path is fed name by name, and a folder below which nothing can match is known as such.

export type Compiled = { kind: "ok"; glob: GlobPattern } | { kind: "refused"; reason: string };

/** The places in the pattern reached so far, one list per alternative. */
export type GlobState = readonly (readonly number[])[];

const MAX_PATTERN_LENGTH = 1024;
const MAX_ALTERNATIVES = 256;

export function compileGlob(pattern: unknown): Compiled {
  if (typeof pattern !== "string") return refused("it is not text; write it as '**/*.ts'");
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return refused(`it is longer than ${MAX_PATTERN_LENGTH} characters; use a shorter one`);
  }
  if (pattern.includes("\0")) return refused("it holds a NUL character");
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) {
    return refused(`its braces stand for more than ${MAX_ALTERNATIVES} patterns; search in several steps`);
  }
  const split = alternatives.map((text) => text.split("/").filter((part) => part !== "" && part !== "."));
  if (split.some((parts) => parts.includes(".."))) {
    return refused("it climbs with '..'; give the folder to search in as the path");
  }
  const filled = split.filter((parts) => parts.length > 0);
  if (filled.length === 0) return refused("it is empty; '*' matches every name, '**' everything");
  return { kind: "ok", glob: new GlobPattern(filled.map((parts) => parts.map(compilePart))) };
}

function refused(why: string): Compiled {
  return { kind: "refused", reason: `the pattern is refused: ${why}` };
}

export class GlobPattern {
  readonly #alternatives: readonly (readonly Part[])[];

  constructor(alternatives: readonly (readonly Part[])[]) {
    // A trailing ** means everything below, not the folder itself.
    this.#alternatives = alternatives.map((parts) =>
      parts.at(-1) === "anywhere" ? [...parts, [{ kind: "star" }]] : parts,
    );
  }

  start(): GlobState {
    return this.#alternatives.map((parts) => closure(parts, [0]));
  }

  /** Where one more name leads. */
  step(state: GlobState, name: string): GlobState {
    const characters = Array.from(name);
    return this.#alternatives.map((parts, index) => {
      const reached = (state[index] ?? []).flatMap((at) => {
        const part = parts[at];
        if (part === undefined) return [];
        if (part === "anywhere") return [at];
        return matchesName(part, characters) ? [at + 1] : [];
      });
      return closure(parts, reached);
    });
  }

  matches(state: GlobState): boolean {
    return this.#alternatives.some((parts, index) => state[index]?.includes(parts.length) === true);
  }

  /** Whether something below could still match. */
  goesOn(state: GlobState): boolean {
    return this.#alternatives.some((parts, index) => state[index]?.some((at) => at < parts.length) === true);
  }
}

type Token =
  | { kind: "character"; character: string }
  | { kind: "any" }
  | { kind: "star" }
  | { kind: "set"; negated: boolean; ranges: readonly (readonly [string, string])[] };

/** One name of a pattern, or any number of names. */
type Part = readonly Token[] | "anywhere";

function closure(parts: readonly Part[], positions: readonly number[]): number[] {
  const all = new Set<number>();
  for (const position of positions) {
    let at = position;
    all.add(at);
    while (parts[at] === "anywhere") all.add(++at);
  }
  return [...all];
}

/** The last star takes one more character whenever the rest fails: at most name times pattern steps. */
function matchesName(tokens: readonly Token[], name: readonly string[]): boolean {
  let [at, token, star, retry] = [0, 0, -1, 0];
  while (at < name.length) {
    const current = tokens[token];
    if (current?.kind === "star") {
      star = token++;
      retry = at;
    } else if (current !== undefined && accepts(current, name[at] ?? "")) {
      at++;
      token++;
    } else if (star !== -1) {
      token = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  while (tokens[token]?.kind === "star") token++;
  return token === tokens.length;
}

function accepts(token: Token, character: string): boolean {
  switch (token.kind) {
    case "character":
      return token.character === character;
    case "any":
      return true;
    case "set":
      return token.ranges.some(([from, to]) => from <= character && character <= to) !== token.negated;
    case "star":
      return false;
  }
}

function compilePart(text: string): Part {
  if (text === "**") return "anywhere";
  const characters = Array.from(text);
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    const set = character === "[" ? compileSet(characters, at) : undefined;
    if (set !== undefined) {
      tokens.push(set.token);
      at = set.end;
    } else if (character === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (character === "?") {
      tokens.push({ kind: "any" });
    } else {
      const escaped = character === "\\" ? characters[++at] : character;
      tokens.push({ kind: "character", character: escaped ?? "\\" });
    }
  }
  return tokens;
}

/** Undefined for a bracket that is never closed: it stands for itself. */
function compileSet(characters: readonly string[], open: number): { token: Token; end: number } | undefined {
  const negated = characters[open + 1] === "!" || characters[open + 1] === "^";
  const first = negated ? open + 2 : open + 1;
  const end = characters.indexOf("]", first + 1);
  if (end === -1) return undefined;
  const ranges: [string, string][] = [];
  for (let at = first; at < end; at++) {
    const from = characters[at] ?? "";
    const isRange = characters[at + 1] === "-" && at + 2 < end;
    ranges.push([from, isRange ? (characters[at + 2] ?? from) : from]);
    if (isRange) at += 2;
  }
  return { token: { kind: "set", negated, ranges }, end };
}

/** Undefined when there are too many. */
function expandBraces(pattern: string): string[] | undefined {
  const pending = [pattern];
  const done: string[] = [];
  for (let text = pending.shift(); text !== undefined; text = pending.shift()) {
    const options = firstBrace(text);
    if (options === undefined) done.push(text);
    else pending.unshift(...options);
    if (done.length + pending.length > MAX_ALTERNATIVES) return undefined;
  }
  return [...new Set(done)];
}

/** The texts that the first brace with a comma stands for; braces without one stand for themselves. */
function firstBrace(text: string): string[] | undefined {
  for (let open = 0; open < text.length; open++) {
    if (text[open] === "\\") open++;
    else if (text[open] === "{") {
      const commas = commasOf(text, open);
      if (commas === undefined) continue;
      const [head, tail] = [text.slice(0, open), text.slice((commas.at(-1) ?? open) + 1)];
      return commas.slice(1).map((end, index) => head + text.slice((commas[index] ?? 0) + 1, end) + tail);
    }
  }
  return undefined;
}

/** Where the brace opens, its own commas, and where it closes. */
function commasOf(text: string, open: number): number[] | undefined {
  const places = [open];
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "{") depth++;
    else if (text[at] === "," && depth === 1) places.push(at);
    else if (text[at] === "}" && --depth === 0) return places.length > 1 ? [...places, at] : undefined;
  }
  return undefined;
}
