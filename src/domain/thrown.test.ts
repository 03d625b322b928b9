import { expect, test } from "vitest";
import { thrownText } from "./thrown.ts";

const mute = {
  toString(): string {
    throw new Error("mute");
  },
};

test.each<[unknown, string]>([
  [new Error("why"), "why"],
  [new Error(" "), "an error without a message"],
  [Object.assign(new Error("x"), { message: 5 }), "5"],
  ["words", "words"],
  [undefined, "undefined"],
  [Symbol("s"), "Symbol(s)"],
  [Object.create(null), "something that cannot be put into words"],
  [mute, "something that cannot be put into words"],
])("whatever was thrown has words", (cause, text) => {
  expect(thrownText(cause)).toBe(text);
});

test("but not more than anybody reads", () => {
  expect(thrownText("x".repeat(9000), 100)).toHaveLength(100);
});
