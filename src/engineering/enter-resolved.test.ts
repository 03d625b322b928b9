import { expect, test } from "vitest";
import { markerOf } from "./enter-resolved.ts";

test("threads with long names that differ at their ends are marked apart, and a mark is a name of a thread", () => {
  const long = "r-1/".padEnd(199, "x");
  const marks = ["a", "b"].map((end) => markerOf(`${long}${end}`, "0123456789ab"));
  expect(new Set([...marks, markerOf(`${long}a`, "ba9876543210")]).size).toBe(3);
  for (const mark of marks) expect(mark.length).toBeLessThanOrEqual(200);
});
