import { describe, expect, test } from "vitest";
import { Opaque, picture } from "./picture.ts";

class OwnError extends Error {}
class Hidden {
  readonly #secret = 1;
  reveal(): number {
    return this.#secret;
  }
}
const loop: { self?: unknown } = {};
loop.self = loop;

const make = () => ({
  list: [1, Number.NaN],
  map: new Map([["k", new Set([1n])]]),
  error: new OwnError("x"),
});

describe("picture", () => {
  test.each<[string, unknown, unknown]>([
    ["zeros", 0, -0],
    ["a number and its text", 1, "1"],
    ["nothing and null", undefined, null],
    ["errors of two classes", new Error("a"), new OwnError("a")],
    ["messages", new Error("a"), new Error("b")],
    ["an array and a set", [1], new Set([1])],
    ["the order of keys", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["dates", new Date(1), new Date(2)],
    ["a missing field", { a: undefined }, {}],
  ])("tells %s apart", (_, one, other) => {
    expect(picture(one)).not.toBe(picture(other));
  });

  test("is the same for the same", () => {
    expect(picture(make())).toBe(picture(make()));
    expect(picture(loop)).toBe("{self: <up 1>}");
  });

  test.each([() => 1, new Hidden(), Promise.resolve(), new WeakMap()])("refuses %s", (value) => {
    expect(() => picture([value])).toThrow(Opaque);
  });

  test("shows instances of known classes by their fields, and what is in use by its place", () => {
    class Clock {
      private readonly hour: number;
      private readonly inner = new Inner();
      constructor(hour: number) {
        this.hour = hour;
      }
      isLate(): boolean {
        return this.hour > 20 && this.inner.n === 1;
      }
    }
    class Inner {
      readonly n = 1;
    }
    const [used, other] = [new Clock(1), new Clock(2)];
    const known = {
      own: [used],
      classNameOf: (value: object, isWithin: boolean) =>
        value instanceof Clock ? "Clock" : isWithin && value instanceof Inner ? "Inner" : undefined,
    };
    expect(picture([used, other], known)).toBe("Array [<this>, Clock{hour: 2, inner: Inner{n: 1}}]");
    expect(() => picture(new Inner(), known)).toThrow(Opaque);
    expect(() => picture(other)).toThrow(Opaque);
  });
});
