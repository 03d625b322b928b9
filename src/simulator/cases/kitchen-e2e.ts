// The end-to-end tests of an honest architect for the product of the cases: every criterion, from outside.
import type { Files } from "../../toolchains/port.ts";
import { kitchenTask } from "./kitchen.ts";

/** Below e2e/. */
export const KITCHEN_E2E: Files = {
  "kitchen.test.ts": `import { expect, test } from "vitest";
import { minutesSince } from "#modules/minutes-since";
import { parseQuantity } from "#modules/parse-quantity";
import { recipeWeight } from "#modules/recipe-weight";
import { splitGrams } from "#modules/split-grams";

test("a quantity is read, and weighs what it says ${shows("TSK-001", 1)}", () => {
  expect(parseQuantity("2 kg")).toBe(2000);
  expect(recipeWeight(["2 kg"])).toBe(parseQuantity("2000 g"));
});

test("what is no quantity is refused, alone and in a recipe ${shows("TSK-001", 2)}", () => {
  expect(() => parseQuantity("two eggs")).toThrow('no quantity: "two eggs"');
  expect(() => recipeWeight(["250 g", "two eggs"])).toThrow('no quantity: "two eggs"');
});

test("a recipe is weighed and its dough shared out ${shows("TSK-002", 1)} ${shows("TSK-004", 1)}", () => {
  const weight = recipeWeight(["250 g", "2 kg"]);
  expect(weight).toBe(2250);
  expect(splitGrams(weight, 4)).toEqual([563, 563, 562, 562]);
  expect(splitGrams(100, 3)).toEqual([34, 33, 33]);
});

test("nothing is neither weighed nor shared out ${shows("TSK-002", 2)} ${shows("TSK-004", 2)}", () => {
  expect(() => recipeWeight([])).toThrow("nothing to weigh");
  expect(() => splitGrams(-1, 3)).toThrow("no weight: -1");
  expect(() => splitGrams(100, 0)).toThrow("no number of parts: 0");
});

test("whole minutes in the oven are counted ${shows("TSK-003", 1)} ${shows("TSK-003", 2)}", () => {
  expect(minutesSince(Date.now() - 150_000)).toBe(2);
  expect(minutesSince(Date.now() + 600_000)).toBe(0);
});

test("a start that is no time is refused ${shows("TSK-003", 3)}", () => {
  expect(() => minutesSince(-1)).toThrow("no time: -1");
});
`,
};

function shows(specTask: string, criterion: number): string {
  return `[${kitchenTask(specTask).task_id}.${criterion}]`;
}
