import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CalculatorError, evaluate, tokenize } from "../src/index.ts";

describe("evaluate", () => {
  test.each<[string, number]>([
    ["1", 1],
    ["1.5 + 2", 3.5],
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["10 - 4 - 3", 3],
    ["24 / 4 / 2", 3],
    ["7 % 4 * 2", 6],
    ["2 ^ 3 ^ 2", 512],
    ["-2 ^ 2", -4],
    ["2 ^ -1", 0.5],
    ["--3", 3],
    ["2 * -3", -6],
    ["8 / (2 + 2) - 1", 1],
    [" ( ( 4 ) ) ", 4],
    ["12+34", 46],
  ])("%s is %d", (source, value) => {
    expect(evaluate(source)).toBe(value);
  });

  test("knows variables", () => {
    expect(evaluate("a * B2 + a", { a: 3, B2: 5 })).toBe(18);
    expect(evaluate("x", { x: 0 })).toBe(0);
  });

  test.each<[string, string, number]>([
    ["", "unexpected end at 0", 0],
    ["1 +", "unexpected end at 3", 3],
    ["1 2", "unexpected 2 at 2", 2],
    ["(1", "a bracket is not closed at 0", 0],
    ["1 + (2 * 3", "a bracket is not closed at 4", 4],
    ["1)", "unexpected ) at 1", 1],
    ["*", "unexpected * at 0", 0],
    ["1 / 0", "division by zero at 2", 2],
    ["y + 1", "y is unknown at 0", 0],
    ["1 + toString", "toString is unknown at 4", 4],
    ["2 $ 3", "$ is no part of arithmetic at 2", 2],
    ["1 + .5", ". is no part of arithmetic at 4", 4],
  ])("refuses %j", (source, message, at) => {
    const refused = () => evaluate(source);
    expect(refused).toThrow(CalculatorError);
    expect(refused).toThrow(message);
    expect(refused).toThrow(expect.objectContaining({ at }));
  });

  test("agrees with the language on sums and products", () => {
    const small = fc.integer({ min: 0, max: 99 });
    fc.assert(
      fc.property(small, small, small, (a, b, c) => {
        expect(evaluate(`${a} + ${b} * ${c}`)).toBe(a + b * c);
        expect(evaluate(`(${a} - ${b}) * ${c} - ${a}`)).toBe((a - b) * c - a);
      }),
    );
  });
});

describe("tokenize", () => {
  test("says where each token stands", () => {
    expect(tokenize("12 *(a1- 3.5)")).toEqual([
      { text: "12", at: 0 },
      { text: "*", at: 3 },
      { text: "(", at: 4 },
      { text: "a1", at: 5 },
      { text: "-", at: 7 },
      { text: "3.5", at: 9 },
      { text: ")", at: 12 },
    ]);
  });

  test("is empty for spaces", () => {
    expect(tokenize("  ")).toEqual([]);
  });
});
