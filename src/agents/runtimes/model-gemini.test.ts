import { expect, test } from "vitest";
import { z } from "zod";
import { adaptSchema, answerSchema } from "../output-schema.ts";
import { arbiter } from "../roles/arbiter.ts";
import { challenger } from "../roles/challenger.ts";
import { proposer } from "../roles/proposer.ts";
import { geminiSchema } from "./model-gemini.ts";

const WORDS = new Set(
  "type title description enum minimum maximum minItems maxItems minLength maxLength pattern items properties anyOf nullable required".split(
    " ",
  ),
);

/** Every word of a schema, without the names of properties. */
function wordsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(wordsOf);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([word, value]) => {
    if (word === "properties") return [word, ...Object.values(value ?? {}).flatMap(wordsOf)];
    return word === "enum" || word === "required" ? [word] : [word, ...wordsOf(value)];
  });
}

test.each([proposer, challenger, arbiter])(
  "the answer of the $name holds only words that Google knows",
  (role) => {
    const schema = geminiSchema(adaptSchema(answerSchema(role)).schema);
    expect(wordsOf(schema).filter((word) => !WORDS.has(word))).toEqual([]);
    expect(JSON.stringify(schema)).toContain('"enum":["blocker"]');
  },
);

test.each<[string, z.ZodType, object]>([
  ["a word", z.literal("a"), { type: "string", enum: ["a"] }],
  ["a number that is the only one", z.literal(5), { description: "Exactly 5." }],
  ["what may be null", z.string().nullable(), { type: "string", nullable: true }],
  ["a choice", z.union([z.string(), z.boolean()]), { anyOf: [{ type: "string" }, { type: "boolean" }] }],
  [
    "a list",
    z.array(z.int().min(1)).max(3),
    { type: "array", maxItems: 3, items: { type: "integer", minimum: 1 } },
  ],
  ["open keys", z.record(z.string(), z.number()), { type: "object" }],
  [
    "a default",
    z.strictObject({ a: z.string().default("x"), b: z.string() }),
    { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["b"] },
  ],
])("%s", (_, schema, expected) => {
  const { maximum: _most, ...spelled } = geminiSchema(z.toJSONSchema(schema, { io: "input" }));
  expect(spelled).toMatchObject(expected);
  expect(wordsOf(spelled).filter((word) => !WORDS.has(word))).toEqual([]);
});

test("what refers to itself ends", () => {
  const Tree: z.ZodType = z.strictObject({
    get children() {
      return z.array(Tree);
    },
  });
  expect(wordsOf(geminiSchema(z.toJSONSchema(Tree))).filter((word) => !WORDS.has(word))).toEqual([]);
});
