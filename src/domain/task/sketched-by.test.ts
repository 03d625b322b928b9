// A task that becomes one module holds its contract to what the task names, and to nothing that is only said in prose.
import { expect, test } from "vitest";
import { EVERY_CASE } from "../../simulator/cases/every-case.ts";
import { leftOutOfPlan } from "../contract/against-plan.ts";
import { sketchedBy } from "./sketched-by.ts";

test.each(EVERY_CASE.map((each) => [each.name, each] as const))(
  "%s has what its task names",
  (_, { task, contract }) => {
    expect(leftOutOfPlan(contract, sketchedBy(task))).toEqual([]);
    expect(leftOutOfPlan({ ...contract, error_surfaces: [] }, sketchedBy(task))).toHaveLength(1);
  },
);

test.each([
  ["sync", ["sync"]],
  ["async", ["async"]],
  ["sync and async", ["sync", "async"]],
])("%s is told as %j", (modes, told) => {
  const sketch = {
    inputs: "titles",
    outputs: "lines of text",
    error_surfaces: "titles that are none",
    effects: "none",
    modes,
  };
  expect(sketchedBy({ micro_module_contract: sketch }).modes).toEqual(told);
});
