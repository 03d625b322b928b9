import { expect, test } from "vitest";
import { dayPlan } from "../src/index.ts";

test("a duration that is none is told", () => {
  expect(() => dayPlan(540, ["20m", "soon"])).toThrow("no duration");
});
