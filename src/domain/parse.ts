// Turns unknown data into typed records, or into problems that say where, what was found and what was expected.
import { z } from "zod";
import { CupelError } from "./error.ts";
import { nearest } from "./nearest.ts";

export interface Problem {
  /** JSON path from the root `$`. */
  path: string;
  expected: string;
  found: string;
}

/** A problem with the raw steps to its place, for callers that can point into a text. */
export interface PlacedProblem extends Problem {
  segments: readonly PropertyKey[];
  /** Set where a key is unknown; `meant` is the key that was probably misspelt. */
  unknownKey?: { key: string; meant: string | undefined };
}

export type Parsed<T, P = Problem> = { kind: "ok"; value: T } | { kind: "invalid"; problems: P[] };

export function parse<S extends z.ZodType>(schema: S, input: unknown): Parsed<z.output<S>> {
  const parsed = parsePlaced(schema, input);
  if (parsed.kind === "ok") return parsed;
  const problems = parsed.problems.map(({ path, expected, found }) => ({ path, expected, found }));
  return { kind: "invalid", problems };
}

export function parsePlaced<S extends z.ZodType>(
  schema: S,
  input: unknown,
): Parsed<z.output<S>, PlacedProblem> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return { kind: "ok", value: result.data };
  return { kind: "invalid", problems: problemsOf(schema, input, result.error.issues) };
}

/** For data that must be right already: throws `invalid_input` naming every problem. */
export function parseOrThrow<S extends z.ZodType>(schema: S, input: unknown, what: string): z.output<S> {
  const parsed = parse(schema, input);
  if (parsed.kind === "ok") return parsed.value;
  throw new CupelError("invalid_input", `${what} is not valid:\n${renderProblems(parsed.problems)}`, {
    expected: `data that matches the schema of ${what}`,
  });
}

export function renderProblem(problem: Problem): string {
  return `${problem.path}: expected ${problem.expected}, found ${problem.found}`;
}

export function renderProblems(problems: Problem[]): string {
  return problems.map((problem) => `  ${renderProblem(problem)}`).join("\n");
}

export function jsonPath(segments: readonly PropertyKey[]): string {
  let path = "$";
  for (const segment of segments) {
    if (typeof segment === "number") path += `[${segment}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(String(segment))) path += `.${String(segment)}`;
    else path += `[${JSON.stringify(String(segment))}]`;
  }
  return path;
}

/** A short, one-line picture of a value for error messages. */
export function preview(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "function") return "a function";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const text = jsonOf(value);
  return text.length > 80 ? `${text.slice(0, 77).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}

/** Reports a broken cross-field rule from inside a schema's `superRefine`. */
export function refuse(
  context: z.core.$RefinementCtx,
  path: PropertyKey[],
  expected: string,
  found: string,
): void {
  context.addIssue({ code: "custom", path, message: expected, params: { found }, input: context.value });
}

function problemsOf(
  schema: z.ZodType,
  input: unknown,
  issues: readonly z.core.$ZodIssue[],
  base: readonly PropertyKey[] = [],
): PlacedProblem[] {
  return issues.flatMap((issue): PlacedProblem[] => {
    const path = [...base, ...issue.path];
    switch (issue.code) {
      case "unrecognized_keys":
        return issue.keys.map((key) => unknownKey(schema, path, key));
      case "invalid_union": {
        const branch = likeliestBranch(issue.errors);
        if (branch !== undefined) return problemsOf(schema, input, branch, path);
        return [problem(path, expectedOfUnion(issue), preview(valueAt(input, path)))];
      }
      case "custom": {
        const found = issue.params?.["found"];
        return [
          problem(path, issue.message, typeof found === "string" ? found : preview(valueAt(input, path))),
        ];
      }
      default:
        return [problem(path, expectation(issue), preview(valueAt(input, path)))];
    }
  });
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return "a value that JSON cannot hold";
  }
}

function problem(segments: readonly PropertyKey[], expected: string, found: string): PlacedProblem {
  return { path: jsonPath(segments), expected, found, segments };
}

function unknownKey(schema: z.ZodType, path: readonly PropertyKey[], key: string): PlacedProblem {
  const known = keysAt(schema, path, key);
  const meant = nearest(key, known);
  const list = known.size === 0 ? "no such key" : `one of the keys ${[...known].toSorted().join(", ")}`;
  const expected = meant === undefined ? list : `the key "${meant}"`;
  return {
    ...problem([...path, key], expected, `the unknown key ${preview(key)}`),
    unknownKey: { key, meant },
  };
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return article(issue.expected);
    case "invalid_value":
      return issue.values.length === 1
        ? preview(issue.values[0])
        : `one of ${issue.values.map((value) => preview(value)).join(", ")}`;
    case "too_small":
      return bound(issue.inclusive === false ? "more than" : "at least", issue.minimum, issue);
    case "too_big":
      return bound(issue.inclusive === false ? "less than" : "at most", issue.maximum, issue);
    case "invalid_format":
      return formatExpectation(issue);
    case "invalid_key":
      return `a key that is ${issue.issues.map(expectation).join(" and ")}`;
    default:
      return issue.message;
  }
}

/** A schema's own words first; the pattern of a named format is longer than a person can read. */
function formatExpectation(issue: z.core.$ZodIssueInvalidStringFormat): string {
  if (issue.format !== "regex") return `a valid ${issue.format}`;
  return issue.message.startsWith("Invalid string") ? `text matching ${issue.pattern}` : issue.message;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function bound(words: string, limit: number | bigint, issue: { origin: string; exact?: boolean }): string {
  return `${issue.exact === true ? "exactly" : words} ${String(limit)} ${unitOf(issue.origin, limit)}`.trim();
}

function unitOf(origin: string, limit: number | bigint): string {
  const one = Number(limit) === 1;
  if (origin === "string") return one ? "character" : "characters";
  if (origin === "array" || origin === "set") return one ? "entry" : "entries";
  return "";
}

function expectedOfUnion(issue: z.core.$ZodIssueInvalidUnion): string {
  const options = "options" in issue && Array.isArray(issue.options) ? issue.options : [];
  return options.length > 0 ? `one of ${options.map((option) => preview(option)).join(", ")}` : issue.message;
}

/** Of a plain union's branches, the one that got furthest, with the fewest problems: people meant that one. */
function likeliestBranch(branches: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] | undefined {
  return branches.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((deepest, issue) => Math.max(deepest, issue.path.length), 0);
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const segment of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = Reflect.get(value, segment);
  }
  return value;
}

/** The keys an object at `path` may have, found by walking the schema beside the path. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[], unknown: string): Set<string> {
  let here: z.core.$ZodType[] = [schema];
  for (const segment of path) here = here.flatMap((type) => childrenAt(type, segment));
  const options = here.flatMap(unwrapped).map(ownKeys);
  // An option of a union that knows the key is not the option that refused it.
  return new Set(options.filter((keys) => !keys.includes(unknown)).flat());
}

function ownKeys(type: z.core.$ZodType): string[] {
  if (type instanceof z.ZodRecord && type.keyType instanceof z.ZodEnum)
    return type.keyType.options.map(String);
  return Object.keys(shapeOf(type));
}

function childrenAt(type: z.core.$ZodType, segment: PropertyKey): z.core.$ZodType[] {
  return unwrapped(type).flatMap((inner) => {
    if (inner instanceof z.ZodArray) return [inner.element];
    if (inner instanceof z.ZodRecord) return [inner.valueType];
    if (inner instanceof z.ZodTuple) return inner.def.items.slice(Number(segment), Number(segment) + 1);
    const shape = shapeOf(inner);
    const child = Object.hasOwn(shape, segment) ? shape[String(segment)] : undefined;
    return child === undefined ? [] : [child];
  });
}

function shapeOf(type: z.core.$ZodType): Record<string, z.core.$ZodType> {
  return type instanceof z.ZodObject ? type.shape : {};
}

function unwrapped(type: z.core.$ZodType): z.core.$ZodType[] {
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) return unwrapped(type.unwrap());
  if (type instanceof z.ZodDefault || type instanceof z.ZodPrefault) return unwrapped(type.unwrap());
  if (type instanceof z.ZodPipe) return unwrapped(type.in);
  if (type instanceof z.ZodUnion) return type.options.flatMap(unwrapped);
  return [type];
}
