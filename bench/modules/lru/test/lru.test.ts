import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { Lru } from "../src/index.ts";

describe("Lru", () => {
  let cache: Lru<string, number>;
  beforeEach(() => {
    cache = new Lru(3);
    for (const [index, key] of ["a", "b", "c"].entries()) cache.set(key, index);
  });

  test.each([0, -1, 1.5, Number.NaN])("refuses a capacity of %d", (capacity) => {
    expect(() => new Lru(capacity)).toThrow(new RangeError("the capacity is a positive whole number"));
  });

  test("keeps what fits", () => {
    expect(cache.size).toBe(3);
    expect(cache.capacity).toBe(3);
    expect(cache.keys()).toEqual(["c", "b", "a"]);
  });

  test("forgets what was used longest ago, and says so", () => {
    expect(cache.set("d", 3)).toBe("a");
    expect(cache.has("a")).toBe(false);
    expect(cache.keys()).toEqual(["d", "c", "b"]);
    expect(cache.statistics.forgotten).toBe(1);
  });

  test("a look keeps a key, a peek does not", () => {
    expect(cache.get("a")).toBe(0);
    expect(cache.peek("b")).toBe(1);
    expect(cache.set("d", 3)).toBe("b");
    expect(cache.peek("nothing")).toBeUndefined();
  });

  test("a key that is set again is new", () => {
    expect(cache.set("a", 9)).toBeUndefined();
    expect(cache.keys()).toEqual(["a", "c", "b"]);
    expect(cache.peek("a")).toBe(9);
    expect(cache.size).toBe(3);
  });

  test.each([
    ["a", ["c", "b"]],
    ["b", ["c", "a"]],
    ["c", ["b", "a"]],
  ])("deletes %s", (key, left) => {
    expect(cache.delete(key)).toBe(true);
    expect(cache.keys()).toEqual(left);
    expect(cache.delete(key)).toBe(false);
    expect(cache.set("x", 1)).toBeUndefined();
    expect(cache.set("y", 1)).toBe(left[1]);
  });

  test("counts", () => {
    cache.get("a");
    cache.get("a");
    cache.get("z");
    expect(cache.statistics).toEqual({ hits: 2, misses: 1, forgotten: 0 });
  });

  test("does what a slow one does", () => {
    const step = fc.record({
      what: fc.constantFrom("get", "set", "delete"),
      key: fc.constantFrom("a", "b", "c", "d", "e"),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 30 }), (capacity, steps) => {
        const real = new Lru<string, number>(capacity);
        let slow: string[] = [];
        for (const { what, key } of steps) {
          const known = slow.includes(key);
          if (what === "get") expect(real.get(key) !== undefined).toBe(known);
          if (what === "set") real.set(key, 1);
          if (what === "delete") expect(real.delete(key)).toBe(known);
          const rest = slow.filter((other) => other !== key);
          if (what === "set" || (what === "get" && known)) slow = [key, ...rest].slice(0, capacity);
          if (what === "delete") slow = rest;
          expect(real.keys()).toEqual(slow);
        }
      }),
    );
  });
});
