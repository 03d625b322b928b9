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

test("what a set fills itself with is seen without a name", () => {
  const changed = steadyBuiltIns(["new Set(result).size === result.length"]);
  const usual: unknown = Reflect.get(Set.prototype, "add");
  Reflect.set(Set.prototype, "add", () => undefined);
  const found = changed();
  Reflect.set(Set.prototype, "add", usual);
  expect(found).toBe("Set.prototype.add");
});

test("what it does not name is not looked at", () => {
  const changed = steadyBuiltIns(["result > 0"]);
  const usual: unknown = Reflect.get(Array.prototype, "some");
  Reflect.set(Array.prototype, "some", () => true);
  const found = changed();
  Reflect.set(Array.prototype, "some", usual);
  expect(found).toBeUndefined();
});
