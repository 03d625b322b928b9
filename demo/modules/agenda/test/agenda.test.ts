import fc from "fast-check";
import { expect, test } from "vitest";
import { agenda, NothingToDo } from "../src/index.ts";

test("an agenda has a line for each item and the total below", () => {
  const items = [
    { title: "write the report", takes: "1h30m" },
    { title: "call the bank", takes: "20m" },
  ];
  expect(agenda(540, items)).toBe(
    "09:00-10:30 write the report\n10:30-10:50 call the bank\ntotal 110 minutes",
  );
});

test("an agenda without items is refused", () => {
  expect(() => agenda(540, [])).toThrow(NothingToDo);
  expect(() => agenda(540, [])).toThrow("an agenda needs something to do");
});

test("the total is what the items take together", () => {
  const minutes = fc.array(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(minutes, (list) => {
      const items = list.map((each) => ({ title: "walk", takes: each + "m" }));
      const total = list.reduce((sum, each) => sum + each, 0);
      expect(agenda(0, items).split("\n").at(-1)).toBe("total " + total + " minutes");
    }),
  );
});
