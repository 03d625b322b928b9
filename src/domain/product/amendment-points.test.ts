import { expect, test } from "vitest";
import { amendmentPoints } from "./amendment-points.ts";

test.each([
  ["Add an export to CSV.", ["Add an export to CSV."]],
  ["Please change:\n- a\n- b,\n  which goes on\n* c", ["a", "b,\nwhich goes on", "c"]],
  ["1. first\n2) second\n\nAnd drop the search.", ["first", "second", "And drop the search."]],
  ["## What I want\n\nOne thing.\n\nAnother\nthing.", ["One thing.", "Another\nthing."]],
  ["Only words:", ["Only words:"]],
  ["## Only a heading", ["## Only a heading"]],
  ["version 1.5 is fine - but slow", ["version 1.5 is fine - but slow"]],
  ["  - nested\r\n      deeper\r\n", ["nested\ndeeper"]],
])("%j has the points %j", (feedback, texts) => {
  const points = amendmentPoints(feedback);
  expect(points.map(({ text }) => text)).toEqual(texts);
  expect(points.map(({ point }) => point)).toEqual(texts.map((_, index) => index + 1));
});
