// How values of the state become bytes and come back the same: JSON, with marks for the few things that JSON cannot hold.
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { CupelError } from "../../domain/error.ts";
import { jsonPath } from "../../domain/parse.ts";

/** Marks an object as something that JSON has no word for. Objects that have this key themselves are marked, too. */
const MARK = "$cupel";

/** Refuses what would come back as something else: functions, instances of classes, NaN and the like. */
export function toBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(encode(value, [])), "utf8");
}

/** Of bytes that `toBytes` made; throws a plain error for any others. */
export function fromBytes(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const value: unknown = JSON.parse(text);
  return text.includes(`"${MARK}"`) ? decode(value) : value;
}

/** Far more than any record has, far less than what clones, freezes and writes it down can bear. */
const DEEPEST = 500;

/** The same object where nothing needs a mark, so that ordinary state costs no copy. */
function encode(value: unknown, path: PropertyKey[]): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)) return value;
  if (value === undefined) return { [MARK]: "undefined" };
  if (Array.isArray(value)) return encodeAll(value, path);
  if (typeof value !== "object")
    return refuse(typeof value === "number" ? String(value) : typeof value, path);
  if (value instanceof Uint8Array) return { [MARK]: "bytes", base64: Buffer.from(value).toString("base64") };
  if (value instanceof Map) return { [MARK]: "map", of: encode([...value], path) };
  if (value instanceof Set) return { [MARK]: "set", of: encode([...value], path) };
  if (value instanceof DeltaSnapshot) return { [MARK]: "snapshot", of: encode(value.value, path) };
  return encodeObject(value, path);
}

function encodeAll(values: readonly unknown[], path: PropertyKey[]): readonly unknown[] {
  checkDepth(path);
  let copy: unknown[] | undefined;
  for (let index = 0; index < values.length; index++) {
    const before = values[index];
    const after = encode(before, [...path, index]);
    if (after !== before) (copy ??= [...values])[index] = after;
  }
  return copy ?? values;
}

function encodeObject(value: object, path: PropertyKey[]): object {
  checkDepth(path);
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in value) {
    return refuse(`a ${value.constructor?.name ?? "strange object"}`, path);
  }
  let copy: Record<string, unknown> | undefined;
  for (const [key, before] of Object.entries(value)) {
    // An optional key that was set to nothing means the same as one that was left out.
    if (before === undefined) continue;
    const after = encode(before, [...path, key]);
    if (after !== before) (copy ??= { ...value })[key] = after;
  }
  return Object.hasOwn(value, MARK)
    ? { [MARK]: "object", of: Object.entries(copy ?? value) }
    : (copy ?? value);
}

function checkDepth(path: PropertyKey[]): void {
  if (path.length > DEEPEST) refuse(`what is nested more than ${DEEPEST} times`, path.slice(0, 10));
}

function refuse(what: string, path: PropertyKey[]): never {
  throw new CupelError("invalid_input", `the state cannot keep ${what} at ${jsonPath(path)}`, {
    expected: "null, booleans, finite numbers, texts, bytes, arrays, maps, sets and plain objects",
  });
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.entries(value).map(([key, one]): [string, unknown] => [
    key,
    key === MARK ? one : decode(one),
  ]);
  const object: Record<string, unknown> = Object.fromEntries(inner);
  return Object.hasOwn(object, MARK) ? unmark(object) : object;
}

function unmark(marked: Record<string, unknown>): unknown {
  const of = Array.isArray(marked["of"]) ? marked["of"] : [];
  switch (marked[MARK]) {
    case "undefined":
      return undefined;
    case "bytes":
      return new Uint8Array(Buffer.from(String(marked["base64"]), "base64"));
    case "map":
      return new Map(of.map((entry: unknown) => pair(entry)));
    case "set":
      return new Set<unknown>(of);
    case "snapshot":
      return new DeltaSnapshot(marked["of"]);
    case "object":
      return Object.fromEntries(
        of.map((entry: unknown) => pair(entry)).map(([key, one]) => [String(key), one]),
      );
    default:
      throw new Error(`nobody knows the mark ${String(marked[MARK])}`);
  }
}

function pair(entry: unknown): [unknown, unknown] {
  if (!Array.isArray(entry) || entry.length !== 2) throw new Error("a map holds what is no entry");
  const [key, value]: unknown[] = entry;
  return [key, value];
}
