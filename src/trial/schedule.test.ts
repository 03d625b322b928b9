// The order of runs: all of them, in blocks, drawn from what is registered and from nothing else.
import { expect, test } from "vitest";
import { sampleRow, sampleTrial } from "../../test/trial-run-samples.ts";
import { runKey } from "../domain/trial/trial-row.ts";
import { armNamed } from "./arms.ts";
import { inOrder, runsOf, scheduleOf } from "./schedule.ts";

const MANY = sampleTrial({
  tasks: Array.from({ length: 30 }, (_, index) => `task-${index}`),
  seeds: [1, 2, 3, 4, 5],
  arms: ["solo", "gatekeeper", "debate", "blind", "fractal"].map(armNamed),
});

function orderOf(protocol = MANY): string[] {
  return scheduleOf(protocol).flat().map(runKey);
}

test("every run is there once", () => {
  const keys = orderOf();
  expect(new Set(keys).size).toBe(30 * 5 * 5);
  expect(keys.toSorted()).toEqual(runsOf(MANY).map(runKey).toSorted());
});

test("a block is one task and one seed in every arm", () => {
  for (const block of scheduleOf(MANY)) {
    expect(new Set(block.map(({ task, seed }) => `${task} ${seed}`)).size).toBe(1);
    expect(block.map(({ arm }) => arm).toSorted()).toEqual([
      "blind",
      "debate",
      "fractal",
      "gatekeeper",
      "solo",
    ]);
  }
});

test("the order is the same each time, and another one for another protocol", () => {
  expect(orderOf()).toEqual(orderOf());
  const other = orderOf({ ...MANY, name: "another" });
  expect(other).not.toEqual(orderOf());
  expect(other.toSorted()).toEqual(orderOf().toSorted());
});

test("neither tasks nor arms come as they are registered, and no arm is always first", () => {
  expect(orderOf()).not.toEqual(runsOf(MANY).map(runKey));
  const first = scheduleOf(MANY).map(([run]) => run?.arm);
  for (const { name } of MANY.arms) {
    const times = first.filter((arm) => arm === name).length;
    expect(times).toBeGreaterThan(10);
    expect(times).toBeLessThan(60);
  }
});

test("rows are told as they are registered, however they were played", () => {
  const runs = runsOf(MANY);
  const rows = scheduleOf(MANY)
    .flat()
    .map((run) => sampleRow(run));
  expect(inOrder(runs, rows).map(runKey)).toEqual(runs.map(runKey));
  expect(inOrder(runs, rows.slice(0, 7))).toHaveLength(7);
});
