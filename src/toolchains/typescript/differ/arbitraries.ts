// Values for the inputs of a contract: ordinary ones and what the code itself asks for first, odd ones on request, and how
// each is made smaller.
import fc from "fast-check";
import type { Shape } from "../measure-order.ts";
import { Giving } from "./episode.ts";

export interface Taste {
  /** Literals of the code. */
  numbers: readonly number[];
  strings: readonly string[];
  /** `odd`: also what is no number, endless or not text at all; `plain`: only for making something smaller. */
  kind: "ordinary" | "odd" | "plain";
}

type Any = fc.Arbitrary<unknown>;

export function valuesOf(shape: Shape, taste: Taste): Any {
  const inner = (of: Shape) => valuesOf(of, taste);
  switch (shape.kind) {
    case "literal":
      return fc.constant(shape.value);
    case "list":
      return fc.array(inner(shape.of), { maxLength: 8 });
    case "tuple":
      return fc.tuple(...shape.of.map(inner));
    case "object":
      return fc.record(Object.fromEntries(shape.fields.map(({ name, of }) => [name, inner(of)])));
    case "record":
      return fc.dictionary(fc.string(), inner(shape.of), { maxKeys: 6 });
    case "map":
      return fc.array(fc.tuple(inner(shape.key), inner(shape.of)), { maxLength: 6 }).map((of) => new Map(of));
    case "set":
      return fc.array(inner(shape.of), { maxLength: 6 }).map((of) => new Set(of));
    case "union":
      return fc.oneof(...shape.of.map(inner));
    case "function":
      return inner(shape.gives).map((gives) => new Giving(gives));
    default:
      return single(shape.kind, taste);
  }
}

type SingleKind = Exclude<
  Shape["kind"],
  "literal" | "list" | "tuple" | "object" | "record" | "map" | "set" | "union" | "function"
>;

function single(kind: SingleKind, taste: Taste): Any {
  switch (kind) {
    case "string":
      return strings(taste);
    case "number":
      return numbers(taste);
    case "boolean":
      return fc.boolean();
    case "bigint":
      return fc.bigInt();
    case "null":
      return fc.constant(null);
    case "undefined":
      return fc.constant(undefined);
    case "date":
      return fc.date({ noInvalidDate: taste.kind !== "odd" });
    case "bytes":
      return fc.uint8Array({ maxLength: 12 });
    case "unknown":
      return fc.oneof(
        numbers(taste),
        strings(taste),
        fc.boolean(),
        fc.constant(null),
        fc.array(fc.integer()),
      );
  }
}

function numbers({ numbers: asked, kind }: Taste): Any {
  const whole = fc.integer();
  if (kind === "plain") return whole;
  const near = [...new Set(asked.flatMap((each) => [each, each - 1, each + 1, -each, each / 2, each * 2]))];
  return fc.oneof(
    { arbitrary: fc.integer({ min: -20, max: 20 }), weight: 4 },
    { arbitrary: whole, weight: 2 },
    { arbitrary: fc.integer({ min: -4_000, max: 4_000 }).map((each) => each / 8), weight: 2 },
    ...(near.length === 0 ? [] : [{ arbitrary: fc.constantFrom(...near), weight: 4 }]),
    ...(kind === "odd" ? [{ arbitrary: fc.constantFrom(...ODD), weight: 2 }] : []),
  );
}

const ODD = [Number.NaN, Infinity, -Infinity, -0, 1e300, 5e-324, Number.MAX_SAFE_INTEGER];

const WORDS = ["a", "A", " ", "a b", "Ab-c", "1", "é", "ß", "日本", "\n", "\t x", "a,b", "a  b"];

function strings({ strings: asked, kind }: Taste): Any {
  if (kind === "plain") return fc.oneof(fc.string(), fc.string({ unit: "binary" }));
  const words = fc.constantFrom(...WORDS);
  const hints = asked.length === 0 ? words : fc.constantFrom(...asked);
  const mixed = fc.array(fc.oneof(hints, words, fc.string({ maxLength: 4 })), { maxLength: 5 });
  return fc.oneof(
    { arbitrary: fc.string(), weight: 3 },
    { arbitrary: fc.string({ unit: kind === "odd" ? "binary" : "grapheme" }), weight: 1 },
    { arbitrary: hints, weight: 3 },
    { arbitrary: mixed.map((parts) => parts.join("")), weight: 3 },
  );
}
