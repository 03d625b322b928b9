import { expect, test } from "vitest";
import { notOfTheModule, tooFewTries } from "./property-run.ts";

const enough = { runs: 100, discarded: 0, distinctInputs: 90, reaching: 100, varied: true };

test.each([
  [{ runs: 49 }, "tried only 49 inputs, fewer than 50"],
  [{ distinctInputs: 1 }, "tried only 1 different inputs"],
  [{ discarded: 401 }, "discarded 401 inputs and tried 100"],
])("too few tries: %j", (change, why) => {
  expect(tooFewTries({ ...enough, ...change })).toBe(why);
  expect(notOfTheModule({ ...enough, ...change })).toBe(why);
});

test.each([
  [{ reaching: 0 }, "never calls the module within its property"],
  [{ reaching: 19 }, "calls the module for only 19 of 100 inputs"],
  [{ varied: false }, "calls the module with the same arguments for every input"],
])("not of the module: %j", (change, why) => {
  expect(tooFewTries({ ...enough, ...change })).toBeUndefined();
  expect(notOfTheModule({ ...enough, ...change })).toBe(why);
});

test.each([{}, { runs: 50, reaching: 50 }, { reaching: 20 }, { discarded: 400 }])("enough: %j", (change) => {
  expect(notOfTheModule({ ...enough, ...change })).toBeUndefined();
});
