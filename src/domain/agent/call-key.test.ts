import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "../parse.ts";
import { CallKey, keyText } from "./call-key.ts";

const KEY: CallKey = { role: "proposer", task: "T-a-001", module: "MM-a", node: "make", attempt: 1 };

test("a key is one readable line", () => {
  expect(keyText(KEY)).toBe("proposer T-a-001 MM-a make attempt 1 turn 1");
  expect(keyText({ ...KEY, task: null, module: null, node: "a b", turn: 2 })).toBe(
    "proposer - - a%20b attempt 1 turn 2",
  );
});

test("two keys have the same line exactly when they are the same", () => {
  const keys = fc.record({
    role: fc.constantFrom("proposer", "arbiter"),
    task: fc.constantFrom("T-a-001", "T-a-002", null),
    module: fc.constantFrom("MM-a", null),
    node: fc.oneof(fc.constantFrom("a", "a b", "a_b", "-", "a attempt 1"), fc.string({ minLength: 1 })),
    attempt: fc.integer({ min: 1, max: 12 }),
    turn: fc.integer({ min: 1, max: 2 }),
  });
  fc.assert(
    fc.property(keys, keys, (a, b) => {
      expect(keyText(a) === keyText(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  { ...KEY, attempt: 0 },
  { ...KEY, turn: 0 },
  { ...KEY, task: "task one" },
  { ...KEY, role: "boss" },
  { ...KEY, extra: 1 },
])("refuses %j", (key) => {
  expect(parse(CallKey, key).kind).toBe("invalid");
});
