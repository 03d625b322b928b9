// Reads cupel.config.json as data, and says on which line and at which character something is wrong with it.
import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { Config } from "../domain/config.ts";
import { jsonPath, parsePlaced, type PlacedProblem, preview } from "../domain/parse.ts";

export interface ConfigProblem {
  kind: "syntax" | "duplicate-key" | "unknown-key" | "value";
  /** Both count from 1; a column is one UTF-16 unit, as in editors. */
  line: number;
  column: number;
  /** Keys from the root, for example `rigor.mutation.minKilled`; empty for the root itself. */
  key: string;
  expected: string;
  found: string;
  /** The key that was probably meant. */
  nearest?: string;
}

export type ConfigText =
  | { kind: "ok"; config: Config }
  | { kind: "invalid"; path: string; problems: ConfigProblem[] };

/** Comments and trailing commas are allowed; whatever is not a known key with a fitting value is a problem. */
export function parseConfigText(text: string, path: string): ConfigText {
  const source = text.replace(/^\uFEFF/, "");
  const tree = readTree(source);
  if (tree.kind === "broken") return { kind: "invalid", path, problems: [tree.problem] };
  const duplicates = duplicateKeys(tree.root, source);
  if (duplicates.length > 0) return { kind: "invalid", path, problems: duplicates };

  const parsed = parsePlaced(Config, getNodeValue(tree.root));
  if (parsed.kind === "ok") return { kind: "ok", config: parsed.value };
  const problems = parsed.problems.map((problem) => located(problem, tree.root, source));
  return { kind: "invalid", path, problems: problems.toSorted(byPlace) };
}

export function renderConfigProblem(path: string, problem: ConfigProblem): string {
  return `${path}:${problem.line}:${problem.column}  ${sentence(problem)}`;
}

function sentence({ kind, key, expected, found, nearest }: ConfigProblem): string {
  if (kind === "unknown-key") {
    const advice = nearest === undefined ? `expected ${expected}` : `did you mean ${preview(nearest)}?`;
    return `unknown key ${found}; ${advice}`;
  }
  const what = `expected ${expected}, found ${found}`;
  return kind === "syntax" || key === "" ? what : `${key}: ${what}`;
}

type Tree = { kind: "whole"; root: Node } | { kind: "broken"; problem: ConfigProblem };

function readTree(source: string): Tree {
  const tooDeep = firstTooDeep(source);
  if (tooDeep !== undefined) {
    const expected = `at most ${MAX_DEPTH} levels of brackets`;
    return { kind: "broken", problem: syntaxProblem(source, tooDeep, expected, "one more") };
  }
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  // What follows the first error is mostly its echo.
  const error = errors[0];
  if (error === undefined && root !== undefined) return { kind: "whole", root };
  const offset = error?.offset ?? source.length;
  const expected = EXPECTED[error === undefined ? "ValueExpected" : printParseErrorCode(error.error)];
  const token = source.slice(offset, offset + (error?.length ?? 0)).trim();
  return { kind: "broken", problem: syntaxProblem(source, offset, expected, tokenText(token)) };
}

const MAX_DEPTH = 64;

/** The parser calls itself for each level, so depth is checked before it can exhaust the stack. */
function firstTooDeep(source: string): number | undefined {
  const scanner = createScanner(source, true);
  let depth = 0;
  while (scanner.getPosition() < source.length) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const first = source[offset];
    if (first === "{" || first === "[") depth++;
    if (first === "}" || first === "]") depth--;
    if (depth > MAX_DEPTH) return offset;
  }
  return undefined;
}

const EXPECTED: Record<ReturnType<typeof printParseErrorCode>, string> = {
  InvalidSymbol: "a value: text in double quotes, a number, true, false, null, {…} or […]",
  InvalidNumberFormat: "a number",
  PropertyNameExpected: "a key in double quotes",
  ValueExpected: "a value",
  ColonExpected: "a colon",
  CommaExpected: "a comma",
  CloseBraceExpected: "a closing brace",
  CloseBracketExpected: "a closing bracket",
  EndOfFileExpected: "the end of the file",
  InvalidCommentToken: "no comment",
  UnexpectedEndOfComment: "the end of the comment",
  UnexpectedEndOfString: "a closing double quote",
  UnexpectedEndOfNumber: "another digit",
  InvalidUnicode: "four hexadecimal digits after \\u",
  InvalidEscapeCharacter: 'one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u',
  InvalidCharacter: "no control character",
  "<unknown ParseErrorCode>": "valid JSON",
};

/** On one line, and without characters that a terminal would obey. */
function tokenText(token: string): string {
  if (token === "") return "the end of the file";
  const plain = token.replaceAll(/\s+/g, " ").replaceAll(/\p{Cc}/gu, "\uFFFD");
  return plain.length > 40 ? `${plain.slice(0, 39)}…` : plain;
}

function syntaxProblem(source: string, offset: number, expected: string, found: string): ConfigProblem {
  return { kind: "syntax", ...placeOf(source, offset), key: "", expected, found };
}

/** JSON lets the last of two equal keys win silently; here a person decides which one was meant. */
function duplicateKeys(node: Node, source: string, path: PropertyKey[] = []): ConfigProblem[] {
  const firsts = new Map<string, number>();
  return (node.children ?? []).flatMap((child, index) => {
    if (child.type !== "property") return duplicateKeys(child, source, [...path, index]);
    const [keyNode, value] = child.children ?? [];
    const key = String(keyNode?.value);
    const here = [...path, key];
    const deeper = value === undefined ? [] : duplicateKeys(value, source, here);
    const first = firsts.get(key);
    if (first !== undefined) return [repeated(here, first, child.offset, source)].concat(deeper);
    firsts.set(key, child.offset);
    return deeper;
  });
}

function repeated(path: PropertyKey[], first: number, offset: number, source: string): ConfigProblem {
  const found = `${preview(path.at(-1))} again (first on line ${placeOf(source, first).line})`;
  return {
    kind: "duplicate-key",
    ...placeOf(source, offset),
    key: keyPath(path),
    expected: "each key once",
    found,
  };
}

function located(problem: PlacedProblem, root: Node, source: string): ConfigProblem {
  const { expected, found, segments, unknownKey } = problem;
  const node = nodeAt(root, segments);
  const key = keyPath(segments);
  if (unknownKey === undefined)
    return { kind: "value", ...placeOf(source, node.offset), key, expected, found };
  return {
    kind: "unknown-key",
    ...placeOf(source, node.parent?.offset ?? node.offset),
    key,
    expected,
    found: preview(unknownKey.key),
    ...(unknownKey.meant === undefined ? {} : { nearest: unknownKey.meant }),
  };
}

/** A missing key has no place of its own, so the object that lacks it stands in. */
function nodeAt(root: Node, segments: readonly PropertyKey[]): Node {
  const path = segments.map((segment) => (typeof segment === "number" ? segment : String(segment)));
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return root;
}

function keyPath(segments: readonly PropertyKey[]): string {
  return jsonPath(segments).replace(/^\$\.?/, "");
}

function placeOf(source: string, offset: number): { line: number; column: number } {
  const lines = source.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

function byPlace(a: ConfigProblem, b: ConfigProblem): number {
  return a.line - b.line || a.column - b.column;
}
