import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { bounded, defineTool, MOST_CHARACTERS } from "./define-tool.ts";

test("what fits is given as it is", () => {
  expect(bounded("a".repeat(100), 100, "ask for less")).toBe("a".repeat(100));
});

test("what does not fit keeps its beginning and its end, and says what is missing and what to do", () => {
  const text = `BEGIN${"x".repeat(5000)}END`;
  expect(bounded(text, 1000, "ask for less")).toMatch(
    /^BEGINx+\n… 4008 of 5008 characters left out here; ask for less …\nx+END$/,
  );
});

test("is never much longer than allowed, and never holds half a character", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", minLength: 50, maxLength: 400 }),
      fc.integer({ min: 10, max: 40 }),
      (text, most) => {
        const cut = bounded(text, most, "less");
        expect(cut.length).toBeLessThanOrEqual(most + 80);
        expect(cut.isWellFormed()).toBe(true);
      },
    ),
  );
});

test("a tool bounds whatever comes back and hands on what was parsed", async () => {
  const seen: unknown[] = [];
  const tool = defineTool({
    name: "read",
    description: "d",
    input: z.strictObject({ n: z.int().default(3) }),
    narrow: "ask for less",
    run: async (input) => (seen.push(input), "y".repeat(MOST_CHARACTERS * 2)),
  });
  const result = await tool.run({}, new AbortController().signal);
  expect(seen).toEqual([{ n: 3 }]);
  expect(result.length).toBeLessThan(MOST_CHARACTERS + 100);
  expect(result).toContain("ask for less");
});
