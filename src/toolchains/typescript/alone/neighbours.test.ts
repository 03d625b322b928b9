// What is close to a call stays within what was seen: of its types, between its numbers, made of its parts.
import { expect, test } from "vitest";
import { received, send } from "../differ/episode.ts";
import type { Shape } from "../measure-order.ts";
import { RecordedCall } from "./alone-order.ts";
import { neighboursOf } from "./neighbours.ts";

function near(given: unknown[][], shapes?: Shape[]): unknown[][] {
  const calls = given.map((args) => args.map(send));
  return neighboursOf(calls, shapes, 200).map((args) => args.map(received));
}

const NUMBER: Shape = { kind: "number", whole: true };

test("a date that is none arrives as one that is none", () => {
  const call = { entry: "f", args: [send(new Date(Number.NaN))], outcome: null, isWhole: true };
  const [sent = null] = RecordedCall.parse(JSON.parse(JSON.stringify(call))).args;
  expect(received(sent)).toEqual(new Date(Number.NaN));
});

test("no call is one that was given, and each is there once", () => {
  const made = near([[1, 9]], [NUMBER, NUMBER]).map((args) => JSON.stringify(args));
  expect(made).not.toContain("[1,9]");
  expect(new Set(made).size).toBe(made.length);
});

test("whole numbers stay whole and between those that were seen", () => {
  const made = near([[3], [40]], [NUMBER]).flat();
  expect(made.length).toBeGreaterThan(20);
  expect(made.every((each) => Number.isInteger(each) && Number(each) >= 3 && Number(each) <= 40)).toBe(true);
});

test("of a few words that are all there are, no other is made", () => {
  const unit: Shape = { kind: "union", of: ["px", "em"].map((value) => ({ kind: "literal", value })) };
  const made = near(
    [
      ["px", 1],
      ["em", 2],
    ],
    [unit, NUMBER],
  );
  expect(made.every(([word]) => word === "px" || word === "em")).toBe(true);
  expect(made.length).toBeGreaterThan(0);
});

test("where no type is known, values only change places", () => {
  const made = near([
    [{ a: 1 }, "x"],
    [{ a: 2 }, "y"],
  ]);
  expect(made).toHaveLength(2);
  expect(made).toContainEqual([{ a: 1 }, "y"]);
  expect(made).toContainEqual([{ a: 2 }, "x"]);
});

test("lists become longer and shorter, texts keep what holds them together", () => {
  const lists = near([[[1, 2, 3]], [[7]]], [{ kind: "list", of: NUMBER }]).flat();
  const lengths = lists.map((list) => (Array.isArray(list) ? list.length : -1));
  expect([Math.min(...lengths), Math.max(...lengths) > 6]).toEqual([1, true]);
  const texts = near([["10-20"], ["33-4"]], [{ kind: "string" }]).flat();
  expect(texts.every((text) => /^[\d-]*$/.test(String(text)))).toBe(true);
});
