// Makes up inputs from shapes, the same ones for the same seed.
import type { Shape } from "../measure-order.ts";

/** Ways to fill something with a size: code is often slow for only one of them. */
export const VARIANTS = ["mixed", "same", "ascending"] as const;

export interface Wanted {
  variant: (typeof VARIANTS)[number];
  size: number;
  seed: number;
}

const TRIES = 50;

/** Undefined when no try gave what is accepted. */
export function inputsFor(
  shapes: readonly Shape[],
  wanted: Wanted,
  accepts: (args: readonly unknown[]) => boolean,
): unknown[] | undefined {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const next = generator(wanted.seed * 7919 + attempt * 104_729 + 1);
    const args = shapes.map((shape) => valueOf(shape, wanted, next, 0, 0));
    try {
      if (accepts(args)) return args;
    } catch {
      // What cannot be judged is not accepted.
    }
  }
  return undefined;
}

type Next = () => number;

/** mulberry32: small, quick and the same everywhere. */
export function generator(seed: number): Next {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Only the outermost list or text has the wanted size; what lies in it stays small. */
function valueOf(shape: Shape, wanted: Wanted, next: Next, index: number, depth: number): unknown {
  const size = depth === 0 ? wanted.size : 4;
  const inner = (of: Shape, at: number) => valueOf(of, wanted, next, at, depth + 1);
  const many = (of: Shape) => Array.from({ length: size }, (_, at) => inner(of, at));
  switch (shape.kind) {
    case "string":
      return depth === 0 ? textOf(wanted.variant, size, next) : shortText(wanted.variant, index, next);
    case "bytes":
      return Uint8Array.from({ length: size }, () => Math.floor(next() * 256));
    case "list":
      return many(shape.of);
    case "tuple":
      return shape.of.map(inner);
    case "object":
      return Object.fromEntries(
        shape.fields.map(({ name, of }) => [name, valueOf(of, wanted, next, index, depth)]),
      );
    case "record":
      return Object.fromEntries(
        many(shape.of).map((value, at) => [String(keyOf(shape.key, at, inner)), value]),
      );
    case "map":
      return new Map(many(shape.of).map((value, at) => [keyOf(shape.key, at, inner), value]));
    case "set":
      return new Set(many(shape.of));
    case "union":
      return valueOf(shape.of[Math.floor(next() * shape.of.length)] ?? NOTHING, wanted, next, index, depth);
    case "function":
      return () => inner(shape.gives, index);
    default:
      return single(shape, wanted, next, index, depth);
  }
}

const NOTHING: Shape = { kind: "undefined" };

type Single = Extract<Shape, { kind: "number" | "boolean" | "literal" }> | { kind: SingleKind };
type SingleKind = "boolean" | "bigint" | "null" | "undefined" | "date" | "unknown" | "bytes";

function single(shape: Single, wanted: Wanted, next: Next, index: number, depth: number): unknown {
  switch (shape.kind) {
    case "number":
      return numberOf(shape.whole, wanted, index, next, depth);
    case "boolean":
      return wanted.variant === "same" ? true : next() < 0.5;
    case "bigint":
      return BigInt(Math.floor(next() * 1000));
    case "null":
      return null;
    case "date":
      return new Date(Math.floor(next() * 1e12));
    case "unknown":
      return numberOf(true, wanted, index, next, depth);
    case "literal":
      return shape.value;
    case "bytes":
    case "undefined":
      return undefined;
  }
}

/** Keys differ, so that a map is as large as was wanted. */
function keyOf(key: Shape, at: number, inner: (of: Shape, at: number) => unknown): unknown {
  if (key.kind === "string") return `key${at}`;
  return key.kind === "number" ? at : inner(key, at);
}

const LETTERS = "etaoin shrdlu,.()[]{}\n0123456789ABCxyz-_\"'";

function textOf(variant: Wanted["variant"], size: number, next: Next): string {
  if (variant === "same") return "a".repeat(size);
  if (variant === "ascending") return "ab ".repeat(Math.ceil(size / 3)).slice(0, size);
  return Array.from({ length: size }, () => LETTERS[Math.floor(next() * LETTERS.length)] ?? "a").join("");
}

function shortText(variant: Wanted["variant"], index: number, next: Next): string {
  if (variant === "same") return "a";
  return variant === "ascending"
    ? `k${String(index).padStart(7, "0")}`
    : Math.floor(next() * 1e9).toString(36);
}

function numberOf(
  whole: boolean,
  { variant, size }: Wanted,
  index: number,
  next: Next,
  depth: number,
): number {
  if (variant === "same") return 7;
  if (variant === "ascending") return index;
  const value = next() * (depth === 0 ? 100 : size * 4);
  return whole ? Math.floor(value) : value;
}
