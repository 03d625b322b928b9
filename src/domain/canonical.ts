// Canonical JSON (RFC 8785) and the hashes over it; equal data gives equal bytes, whatever the key order.
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { CupelError } from "./error.ts";
import { jsonPath } from "./parse.ts";

/** Refuses whatever the format would silently drop or flatten: undefined, functions, Map, Date, NaN and the like. */
export function canonicalJson(value: unknown): string {
  assertPlain(value, []);
  try {
    const text = canonicalize(value);
    if (text === undefined) throw new TypeError("nothing to write");
    return text;
  } catch (cause) {
    throw new CupelError("not_canonical", `cannot write canonical JSON: ${String(cause)}`, { cause });
  }
}

/** 64 lowercase hex characters. */
export function sha256Hex(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

export function canonicalHash(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

/** Optional keys that were set to undefined mean the same as keys left out; nothing else is touched. */
export function dropUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => dropUndefined(inner));
  if (typeof value !== "object" || value === null || !isPlainObject(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(kept.map(([key, inner]) => [key, dropUndefined(inner)]));
}

function assertPlain(value: unknown, path: PropertyKey[]): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) assertPlain(value[index], [...path, index]);
    return;
  }
  if (typeof value === "object" && isPlainObject(value)) {
    for (const [key, inner] of Object.entries(value)) assertPlain(inner, [...path, key]);
    return;
  }
  throw new CupelError("not_canonical", `${jsonPath(path)} holds ${describe(value)}`, {
    expected: "only null, booleans, finite numbers, strings, arrays and plain objects",
  });
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !("toJSON" in value);
}

function describe(value: unknown): string {
  if (typeof value === "object" && value !== null) return `a ${value.constructor?.name ?? "strange object"}`;
  return typeof value === "number" ? String(value) : typeof value;
}
