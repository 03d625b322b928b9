import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { CupelError } from "./error.ts";
import { jsonPath, parse, parseOrThrow, parsePlaced, preview, refuse, renderProblem } from "./parse.ts";

function refusals(schema: z.ZodType, input: unknown): string[] {
  const parsed = parse(schema, input);
  return parsed.kind === "ok" ? ["accepted"] : parsed.problems.map(renderProblem);
}

const Shape = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("circle"), radius: z.number() }),
  z.strictObject({ kind: z.literal("square"), side: z.number() }),
]);
const Setting = z.union([
  z.enum(["low", "high"]),
  z.strictObject({ base: z.string(), limit: z.number().optional() }),
]);
const circular: Record<string, unknown> = {};
circular["self"] = circular;

describe("parse says what was expected and what was found", () => {
  test.each<[string, z.ZodType, unknown, string]>([
    ["a wrong type", z.string(), 5, "$: expected a string, found 5"],
    ["a type with a vowel", z.array(z.string()), {}, "$: expected an array, found {}"],
    ["a missing value", z.strictObject({ a: z.string() }), {}, "$.a: expected a string, found nothing"],
    ["null", z.string(), null, "$: expected a string, found null"],
    ["a fraction", z.int(), 1.5, "$: expected an int, found 1.5"],
    ["infinity", z.number(), Infinity, "$: expected a number, found Infinity"],
    ["not a number", z.number(), Number.NaN, "$: expected a number, found NaN"],
    ["a big integer", z.string(), 10n, "$: expected a string, found 10"],
    ["a function", z.string(), () => 1, "$: expected a string, found a function"],
    ["a symbol", z.string(), Symbol("s"), "$: expected a string, found symbol"],
    ["a circle", z.string(), circular, "$: expected a string, found a value that JSON cannot hold"],
    ["another literal", z.literal(true), false, "$: expected true, found false"],
    ["another option", z.enum(["a", "b"]), "c", '$: expected one of "a", "b", found "c"'],
    ["too small a number", z.number().min(1), 0, "$: expected at least 1, found 0"],
    ["a number on an open lower bound", z.number().positive(), 0, "$: expected more than 0, found 0"],
    ["too big a number", z.number().max(1), 2, "$: expected at most 1, found 2"],
    ["a number on an open upper bound", z.number().lt(1), 1, "$: expected less than 1, found 1"],
    ["too short a text", z.string().min(2), "x", '$: expected at least 2 characters, found "x"'],
    ["a text of another length", z.string().length(2), "x", '$: expected exactly 2 characters, found "x"'],
    ["too long a list", z.array(z.int()).max(1), [1, 2], "$: expected at most 1 entry, found [1,2]"],
    ["a pattern", z.string().regex(/^a+$/), "b", '$: expected text matching /^a+$/, found "b"'],
    ["a named format", z.iso.datetime(), "noon", '$: expected a valid datetime, found "noon"'],
    [
      "a multiple",
      z.number().multipleOf(5),
      3,
      "$: expected Invalid number: must be a multiple of 5, found 3",
    ],
    [
      "a key of the wrong form",
      z.record(z.string().regex(/^a/), z.int()),
      { b: 1 },
      "$.b: expected a key that is text matching /^a/, found 1",
    ],
    ["a short tuple", z.tuple([z.int(), z.int()]), [1], "$: expected at least 2 entries, found [1]"],
    [
      "a rule without words",
      z.string().refine(() => false, "a better text"),
      "x",
      '$: expected a better text, found "x"',
    ],
  ])("%s", (_, schema, input, line) => {
    expect(refusals(schema, input)).toEqual([line]);
  });

  test("lists every problem, each at its place", () => {
    const Rows = z.strictObject({ rows: z.array(z.strictObject({ n: z.int(), "odd key": z.string() })) });
    expect(refusals(Rows, { rows: [{ n: "1", "odd key": 2 }, 7] })).toEqual([
      '$.rows[0].n: expected a number, found "1"',
      '$.rows[0]["odd key"]: expected a string, found 2',
      "$.rows[1]: expected an object, found 7",
    ]);
  });

  test("tells the words and the place of a broken cross-field rule", () => {
    const Range = z.strictObject({ from: z.int(), to: z.int() }).superRefine((range, context) => {
      if (range.to < range.from) refuse(context, ["to"], `at least ${range.from}`, `only ${range.to}`);
    });
    expect(refusals(z.array(Range), [{ from: 3, to: 1 }])).toEqual([
      "$[0].to: expected at least 3, found only 1",
    ]);
  });

  test("gives back what is right, and nothing else", () => {
    expect(parse(Setting, "low")).toEqual({ kind: "ok", value: "low" });
    expect(parse(z.string().trim(), " x ")).toEqual({ kind: "ok", value: "x" });
  });
});

describe("unions", () => {
  test.each<[string, z.ZodType, unknown, string[]]>([
    [
      "an unknown discriminator",
      Shape,
      { kind: "cone" },
      ['$.kind: expected one of "circle", "square", found "cone"'],
    ],
    ["no discriminator", Shape, {}, ['$.kind: expected one of "circle", "square", found nothing']],
    ["not even an object", Shape, 1, ["$: expected an object, found 1"]],
    ["the branch that got furthest", Setting, { base: 1 }, ["$.base: expected a string, found 1"]],
    [
      "a key that no branch knows",
      Setting,
      { base: "x", limt: 1 },
      ['$.limt: expected the key "limit", found the unknown key "limt"'],
    ],
    ["a wrong word for a plain branch", Setting, "mid", ['$: expected one of "low", "high", found "mid"']],
    [
      "a nested union",
      z.array(z.union([z.int(), z.strictObject({ deep: Setting })])),
      [{ deep: { base: 2 } }],
      ["$[0].deep.base: expected a string, found 2"],
    ],
    [
      "an unknown key against a wrong type elsewhere",
      z.union([z.int(), z.strictObject({ a: z.int() }).superRefine(() => {})]),
      { a: 1, b: 2 },
      ['$.b: expected the key "a", found the unknown key "b"'],
    ],
    [
      "more than one match where one was asked for",
      z.xor([z.string(), z.string().min(1)]),
      "x",
      ['$: expected Invalid input: more than one option matched, found "x"'],
    ],
  ])("%s", (_, schema, input, lines) => {
    expect(refusals(schema, input)).toEqual(lines);
  });

  test("a key of another branch is not offered as its own correction", () => {
    expect(refusals(Shape, { kind: "circle", radius: 1, side: 2 })).toEqual([
      '$.side: expected one of the keys kind, radius, found the unknown key "side"',
    ]);
  });

  test("of branches that got equally far, the one with fewer problems was meant", () => {
    const Two = z.union([z.strictObject({ a: z.int(), b: z.int() }), z.strictObject({ a: z.int() })]);
    expect(refusals(Two, { a: "x" })).toEqual(['$.a: expected a number, found "x"']);
  });

  test("a branch with very many problems is still the one that was meant", () => {
    const rows = Array.from({ length: 2_000 }, () => "x");
    expect(refusals(z.union([z.string(), z.array(z.int())]), rows)).toHaveLength(rows.length);
  });
});

describe("unknown keys", () => {
  const Leaf = z.strictObject({ minutes: z.int().optional() });
  test.each<[string, z.ZodType, unknown, string]>([
    ["at the root", Leaf, { minuts: 1 }, '$.minuts: expected the key "minutes"'],
    ["in a list", z.array(Leaf), [{}, { minuts: 1 }], '$[1].minuts: expected the key "minutes"'],
    [
      "in a record",
      z.record(z.string(), Leaf),
      { any: { minuts: 1 } },
      '$.any.minuts: expected the key "minutes"',
    ],
    ["in a tuple", z.tuple([z.int(), Leaf]), [1, { minuts: 1 }], '$[1].minuts: expected the key "minutes"'],
    [
      "behind optional, nullable and default",
      z.strictObject({ a: Leaf.nullable().default(null).optional() }),
      { a: { minuts: 1 } },
      '$.a.minuts: expected the key "minutes"',
    ],
    [
      "behind a union in a list",
      z.array(z.union([z.int(), Leaf])),
      [{ minuts: 1 }],
      '$[0].minuts: expected the key "minutes"',
    ],
    [
      "among the keys of an enum",
      z.partialRecord(z.enum(["usd", "eur"]), z.int()),
      { usb: 1 },
      '$.usb: expected the key "usd"',
    ],
    [
      "far from every known key",
      z.strictObject({ b: z.int().optional(), a: z.int().optional() }),
      { zzzzzz: 1 },
      "$.zzzzzz: expected one of the keys a, b",
    ],
    ["where no key is allowed", z.strictObject({}), { a: 1 }, "$.a: expected no such key"],
  ])("%s", (_, schema, input, line) => {
    expect(refusals(schema, input)).toEqual([
      `${line}, found the unknown key ${JSON.stringify(/(\w+):/.exec(line)?.[1])}`,
    ]);
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "%s is a key like any other",
    (key) => {
      const input: unknown = JSON.parse(`{"inner": {"${key}": {"minutes": 1}}}`);
      expect(refusals(z.strictObject({ inner: Leaf }), input)).toEqual([
        `$.inner.${key}: expected one of the keys minutes, found the unknown key "${key}"`,
      ]);
    },
  );

  test("what an object inherits was not found in it", () => {
    expect(refusals(z.strictObject({ constructor: z.string() }), {})).toEqual([
      "$.constructor: expected a string, found nothing",
    ]);
  });

  test("a key that would break the line is escaped", () => {
    expect(refusals(Leaf, { "a\nb\u001B[31m": 1 })).toEqual([
      '$["a\\nb\\u001b[31m"]: expected one of the keys minutes, found the unknown key "a\\nb\\u001b[31m"',
    ]);
  });
});

test("an unknown key behind a pipe is compared with the keys that go in", () => {
  const Leaf = z.strictObject({ minutes: z.int().optional() });
  expect(refusals(z.strictObject({ a: Leaf.pipe(Leaf) }), { a: { minuts: 1 } })).toEqual([
    '$.a.minuts: expected the key "minutes", found the unknown key "minuts"',
  ]);
});

describe("parsePlaced", () => {
  test("keeps the raw steps, and what was meant", () => {
    const Rows = z.strictObject({ "a.b": z.array(z.strictObject({ n: z.int() })) });
    const parsed = parsePlaced(Rows, { "a.b": [{ n: 1 }, { n: 1, m: 2 }] });
    expect(parsed).toEqual({
      kind: "invalid",
      problems: [
        {
          path: '$["a.b"][1].m',
          expected: 'the key "n"',
          found: 'the unknown key "m"',
          segments: ["a.b", 1, "m"],
          unknownKey: { key: "m", meant: "n" },
        },
      ],
    });
  });

  test("parse keeps only what people read", () => {
    const parsed = parse(z.int(), "x");
    expect(parsed).toStrictEqual({
      kind: "invalid",
      problems: [{ path: "$", expected: "a number", found: '"x"' }],
    });
  });
});

test("parseOrThrow throws a coded error with every problem on its own line", () => {
  const Pair = z.strictObject({ a: z.int(), b: z.int() });
  expect(parseOrThrow(Pair, { a: 1, b: 2 }, "the pair")).toEqual({ a: 1, b: 2 });
  let thrown: unknown;
  try {
    parseOrThrow(Pair, { a: "1" }, "the pair");
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(CupelError);
  expect(thrown).toMatchObject({
    code: "invalid_input",
    message:
      'the pair is not valid:\n  $.a: expected a number, found "1"\n  $.b: expected a number, found nothing',
  });
});

describe("preview", () => {
  test("keeps 80 characters and cuts longer values", () => {
    expect(preview("x".repeat(78))).toBe(`"${"x".repeat(78)}"`);
    expect(preview("x".repeat(79))).toBe(`"${"x".repeat(76)}…`);
  });

  test("never cuts a character in half", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 60, maxLength: 120 }), (text) => {
        expect(preview(text)).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
        expect(preview(text).length).toBeLessThanOrEqual(80);
      }),
    );
  });

  test("survives any value, on one line", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(preview(value)).not.toMatch(/[\r\n]/);
      }),
    );
  });
});

test("jsonPath names each place in one way", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(), fc.string())),
      fc.array(fc.oneof(fc.nat(), fc.string())),
      (a, b) => {
        expect(jsonPath(a) === jsonPath(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      },
    ),
  );
  expect(jsonPath(["a", 0, "0", "b-c", "$d"])).toBe('$.a[0]["0"]["b-c"].$d');
});
