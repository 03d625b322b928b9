import { expect, test } from "vitest";
import { BadDuration, parseDuration } from "../src/index.ts";

test("parseDuration is there", () => {
  expect(parseDuration).toBeTypeOf("function");
});

test("BadDuration is an error", () => {
  expect(new BadDuration("no duration")).toBeInstanceOf(Error);
});
