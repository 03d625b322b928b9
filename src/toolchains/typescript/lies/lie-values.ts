// Code that makes a wrong value of the right type, in one of three ways: odd and never the same, empty, or plain.
import type { Shape } from "../measure-order.ts";

/** The first changes from call to call, so that nothing can hold for it by comparing two results. */
export const WAYS = [0, 1, 2] as const;
export type Way = (typeof WAYS)[number];

type SingleKind = Exclude<
  Shape["kind"],
  "literal" | "list" | "tuple" | "object" | "record" | "map" | "set" | "union" | "function"
>;

const SINGLE: Readonly<Record<SingleKind, readonly [string, string, string]>> = {
  number: ["Number.NaN", "-(cupelLies += 1) - 0.25", "0"],
  string: ["`\\u0007 Cupel lies ${(cupelLies += 1)}`", '""', '"a"'],
  boolean: ["(cupelLies += 1) % 2 === 0", "true", "false"],
  bigint: ["-(7919n)", "0n", "1n"],
  date: ["new Date(Number.NaN)", "new Date(0)", "new Date(1e12)"],
  bytes: ["Uint8Array.of(7, 19)", "new Uint8Array()", "Uint8Array.of(0)"],
  unknown: ['{ cupel: "lies" }', "undefined", "null"],
  null: ["null", "null", "null"],
  undefined: ["undefined", "undefined", "undefined"],
};

/** Undefined where the type has one value only, so that there is none that is wrong. */
export function lieOf(shape: Shape, way: Way): string | undefined {
  return isSingleValued(shape) ? undefined : lie(shape, way);
}

function isSingleValued(shape: Shape): boolean {
  if (shape.kind === "union") return shape.of.length === 1 && shape.of.every(isSingleValued);
  return shape.kind === "literal" || shape.kind === "null" || shape.kind === "undefined";
}

function lie(shape: Shape, way: Way): string {
  // Within something, what is no number is like any other that is none.
  const inner = (of: Shape) => (of.kind === "number" && way === 0 ? SINGLE.number[1] : lie(of, way));
  switch (shape.kind) {
    case "literal":
      return JSON.stringify(shape.value);
    case "list":
      return listOf(inner(shape.of), way);
    case "set":
      return `new Set(${listOf(inner(shape.of), way)})`;
    case "map":
      return `new Map(${listOf(`[${inner(shape.key)}, ${inner(shape.of)}]`, way)})`;
    case "record":
      return way === 1 ? "{}" : `{ "cupel lies": ${inner(shape.of)} }`;
    case "tuple":
      return `[${shape.of.map(inner).join(", ")}]`;
    case "object":
      return `{ ${shape.fields.map(({ name, of }) => `${JSON.stringify(name)}: ${inner(of)}`).join(", ")} }`;
    case "union":
      return inner(partOf(shape.of, way));
    case "function":
      return `() => (${inner(shape.gives)})`;
    default:
      return SINGLE[shape.kind][way];
  }
}

function listOf(item: string, way: Way): string {
  return way === 1 ? "[]" : way === 0 ? `[${item}, ${item}]` : `(cupelSame ??= [${item}])`;
}

/** The last, the first, and the one in the middle. */
function partOf(parts: readonly Shape[], way: Way): Shape {
  const at = [parts.length - 1, 0, Math.floor(parts.length / 2)][way];
  return parts[at ?? 0] ?? { kind: "undefined" };
}
