import { expect, test } from "vitest";
import { steadyBuiltIns } from "./steady-built-ins.ts";

test("what an expression names is seen while it is another", () => {
  const changed = steadyBuiltIns(["result.every((each) => Number.isInteger(each))"]);
  const usual: unknown = Reflect.get(Array.prototype, "every");
  expect(changed()).toBeUndefined();
  Reflect.set(Array.prototype, "every", () => true);
  const found = changed();
  Reflect.set(Array.prototype, "every", usual);
  expect(found).toBe("Array.prototype.every");
  expect(changed()).toBeUndefined();
});

test("what it does not name is not looked at", () => {
  const changed = steadyBuiltIns(["result > 0"]);
  const usual: unknown = Reflect.get(Array.prototype, "some");
  Reflect.set(Array.prototype, "some", () => true);
  const found = changed();
  Reflect.set(Array.prototype, "some", usual);
  expect(found).toBeUndefined();
});
