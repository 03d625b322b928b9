import * as fc from "fast-check";
import { expect, test } from "vitest";
import { publicNames } from "./test-names.ts";

test("names are short lines that are all different, whatever the tests are called", () => {
  const names = fc.array(
    fc.record({
      name: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("a", "a (2)", "x".repeat(900))),
      file: fc.constant("f"),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(names, (results) => {
      const shown = publicNames(results);
      expect(shown).toHaveLength(results.length);
      expect(new Set(shown).size).toBe(shown.length);
      for (const name of shown) {
        expect(name).toMatch(/^[^\r\n]+$/);
        expect(name.length).toBeLessThanOrEqual(300);
      }
    }),
  );
});

test("long names that differ at their end stay apart", () => {
  const results = ["a", "b"].map((end) => ({ name: `${"x".repeat(400)}${end}`, file: "f" }));
  const [one, other] = publicNames(results);
  expect(one).not.toBe(other);
  expect(one).not.toContain("(2)");
});
