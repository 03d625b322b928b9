// The answer of a role as JSON Schema that every provider takes; what they do not take is said in words and checked by us.
import { z } from "zod";
import { AnswerEnvelope, answerOf, Blocker, RequestRetry } from "../domain/agent/exit.ts";
import { jsonPath, type Parsed, parse, type Problem } from "../domain/parse.ts";
import type { RoleDefinition } from "./port.ts";

type Json = Readonly<Record<string, unknown>>;

/** What could not be kept, and where: it is checked when the answer is there. */
export interface Lost {
  path: string;
  keyword: string;
  value: unknown;
}

export interface AdaptedSchema {
  schema: Json;
  lost: Lost[];
}

export function answerSchema(role: RoleDefinition): Json {
  const envelope = answerOf(role.output, role.retries === true);
  return { title: `${role.name}_answer`, ...z.toJSONSchema(envelope, { io: "input" }) };
}

export type Answer<Output> =
  | { kind: "output"; output: Output }
  | { kind: "blocker"; blocker: Blocker }
  | { kind: "request_retry"; request: RequestRetry };

/** Decides by `kind` which of the options was meant, so that the problems are those of that option. */
export function parseAnswer<Input extends z.ZodType, Output extends z.ZodType>(
  role: RoleDefinition<Input, Output>,
  input: z.output<Input>,
  given: unknown,
): Parsed<Answer<z.output<Output>>> {
  const envelope = parse(AnswerEnvelope, given);
  if (envelope.kind === "invalid") return envelope;
  const { answer } = envelope.value;
  if (answer.kind === "blocker") {
    const parsed = within(parse(Blocker, answer));
    return parsed.kind === "ok" ? ok({ kind: "blocker", blocker: parsed.value }) : parsed;
  }
  if (answer.kind === "request_retry" && role.retries === true) {
    const parsed = within(parse(RequestRetry, answer));
    return parsed.kind === "ok" ? ok({ kind: "request_retry", request: parsed.value }) : parsed;
  }
  const parsed = within(parse(role.output, answer));
  if (parsed.kind === "invalid") return parsed;
  const { length } = JSON.stringify(parsed.value);
  if (length > LONGEST_ANSWER) return tooLong(length);
  const broken = role.check?.(input, parsed.value) ?? [];
  if (broken.length > 0) return within({ kind: "invalid", problems: [...broken] });
  return ok({ kind: "output", output: parsed.value });
}

/** Both providers' strict modes: closed objects, everything required, no bounds, no defaults, `anyOf` for choices. */
export function adaptSchema(schema: Json): AdaptedSchema {
  const lost: Lost[] = [];
  const { $schema, ...rest } = schema;
  const adapted = asJson(adapt(rest, [], lost));
  return { schema: $schema === undefined ? adapted : { $schema, ...adapted }, lost };
}

/** Whatever is kept of an answer is kept for ever, and others have to read it. */
const LONGEST_ANSWER = 2_000_000;

function tooLong(length: number): { kind: "invalid"; problems: Problem[] } {
  const expected = `at most ${LONGEST_ANSWER} characters in all; what is long belongs into files`;
  return { kind: "invalid", problems: [{ path: "$.answer", expected, found: `${length} characters` }] };
}

function ok<T>(value: T): Parsed<T> {
  return { kind: "ok", value };
}

function within<T>(parsed: Parsed<T>): Parsed<T> {
  if (parsed.kind === "ok") return parsed;
  const problems = parsed.problems.map((problem: Problem) => ({
    ...problem,
    path: problem.path.replace(/^\$/, "$.answer"),
  }));
  return { kind: "invalid", problems };
}

const KEPT = new Set(["title", "description", "type", "enum", "const", "$ref", "required"]);
/** Bounds that can be told to the model in words. */
const WORDS: Readonly<Record<string, (value: unknown) => string>> = {
  minLength: (value) => (value === 1 ? "not empty" : `at least ${String(value)} characters`),
  maxLength: (value) => `at most ${String(value)} characters`,
  pattern: (value) => `matches ${String(value)}`,
  format: (value) => `a ${String(value)}`,
  minimum: (value) => `at least ${String(value)}`,
  maximum: (value) => `at most ${String(value)}`,
  exclusiveMinimum: (value) => `more than ${String(value)}`,
  exclusiveMaximum: (value) => `less than ${String(value)}`,
  multipleOf: (value) => `a multiple of ${String(value)}`,
  minItems: (value) => (value === 1 ? "not empty" : `at least ${String(value)} entries`),
  maxItems: (value) => `at most ${String(value)} entries`,
  uniqueItems: () => "no entry twice",
};
/** Beside a value that says everything they say nothing. */
const SILENT = new Set(["default", "examples", "$comment", "id", "$id"]);
/** What zod writes for every whole number; it limits nothing that a model would write. */
const WHOLE = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

function adapt(part: unknown, path: readonly PropertyKey[], lost: Lost[]): unknown {
  if (typeof part !== "object" || part === null) return part;
  const node: Record<string, unknown> = {};
  const told: string[] = [];
  for (const [keyword, value] of Object.entries(part)) {
    if (KEPT.has(keyword)) node[keyword] = value;
    else if (keyword === "items") node["items"] = adapt(value, [...path, 0], lost);
    else if (keyword === "properties" || keyword === "$defs") node[keyword] = adaptEach(value, path, lost);
    else if (keyword === "anyOf" || keyword === "oneOf") node["anyOf"] = adaptOptions(value, path, lost);
    else told.push(...lose(keyword, value, path, lost));
  }
  if (told.length > 0) node["description"] = described(node["description"], told);
  return closed(node, asJson(part)["additionalProperties"], path, lost);
}

/** What can be said in words instead. */
function lose(keyword: string, value: unknown, path: readonly PropertyKey[], lost: Lost[]): string[] {
  if (keyword === "additionalProperties" || WHOLE.has(value) || SILENT.has(keyword)) return [];
  const words = WORDS[keyword];
  const known = words !== undefined || KNOWN_OPEN.has(keyword);
  lost.push({ path: jsonPath(path), keyword: known ? keyword : "unsupported", value });
  return words === undefined ? [] : [words(value)];
}

function adaptOptions(value: unknown, path: readonly PropertyKey[], lost: Lost[]): unknown {
  return Array.isArray(value) ? value.map((option) => adapt(option, path, lost)) : value;
}

const KNOWN_OPEN = new Set(["patternProperties", "propertyNames"]);

function adaptEach(value: unknown, path: readonly PropertyKey[], lost: Lost[]): Record<string, unknown> {
  const entries = Object.entries(asJson(value));
  return Object.fromEntries(entries.map(([key, inner]) => [key, adapt(inner, [...path, key], lost)]));
}

function described(description: unknown, told: readonly string[]): string {
  const text = told.join(", ");
  return typeof description === "string"
    ? `${description} (${text})`
    : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A key that may be left out becomes one that may be null. */
function closed(
  node: Record<string, unknown>,
  additional: unknown,
  path: readonly PropertyKey[],
  lost: Lost[],
): Record<string, unknown> {
  if (node["type"] !== "object") return node;
  if (additional !== false)
    lost.push({ path: jsonPath(path), keyword: "additionalProperties", value: additional });
  const properties = asJson(node["properties"] ?? {});
  const required = Array.isArray(node["required"]) ? node["required"] : [];
  const all = Object.entries(properties).map(([key, inner]): [string, unknown] => {
    if (required.includes(key)) return [key, inner];
    lost.push({ path: jsonPath([...path, key]), keyword: "optional", value: true });
    return [key, { anyOf: [inner, { type: "null" }] }];
  });
  return {
    ...node,
    properties: Object.fromEntries(all),
    required: all.map(([key]) => key),
    additionalProperties: false,
  };
}

function asJson(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
