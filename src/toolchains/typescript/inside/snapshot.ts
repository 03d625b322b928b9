// Copies arguments as they were before a call, so that a function that changes its inputs cannot make a predicate true.

const MOST_DEPTH = 200;

/** Plain data is copied; instances of classes, functions and iterators stay what they are, since a copy would be less. */
export function snapshot(args: readonly unknown[]): unknown[] {
  const seen = new Map<object, unknown>();
  return args.map((value) => copyOf(value, seen, 0));
}

function copyOf(value: unknown, seen: Map<object, unknown>, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > MOST_DEPTH) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  const copy = emptyLike(value);
  seen.set(value, copy);
  if (copy !== value) fill(value, copy, (inner) => copyOf(inner, seen, depth + 1));
  return copy;
}

/** The value itself where a copy would be less. */
function emptyLike(value: object): object {
  const prototype: object | null = Object.getPrototypeOf(value);
  switch (prototype) {
    case Array.prototype:
      return [];
    case Map.prototype:
      return new Map();
    case Set.prototype:
      return new Set();
    case Object.prototype:
    case null:
      return Object.create(prototype);
    default: {
      const isData =
        ArrayBuffer.isView(value) || prototype === ArrayBuffer.prototype || prototype === Date.prototype;
      return isData ? cloned(value) : value;
    }
  }
}

function fill(from: object, to: object, next: (inner: unknown) => unknown): void {
  if (to instanceof Map && from instanceof Map)
    for (const [key, inner] of from) to.set(next(key), next(inner));
  else if (to instanceof Set && from instanceof Set) for (const inner of from) to.add(next(inner));
  else if (!ArrayBuffer.isView(to)) for (const key of Reflect.ownKeys(from)) copyField(from, to, key, next);
}

/** A getter stays a getter: reading it now could do something. */
function copyField(from: object, to: object, key: PropertyKey, next: (inner: unknown) => unknown): void {
  const descriptor = Object.getOwnPropertyDescriptor(from, key);
  if (descriptor === undefined) return;
  if ("value" in descriptor) descriptor.value = next(descriptor.value);
  Object.defineProperty(to, key, descriptor);
}

function cloned(value: object): object {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}
