import { expect, test } from "vitest";
import { agenda } from "../src/index.ts";

test("a day may last until midnight and not longer", () => {
  expect(agenda(1380, [{ title: "sleep", takes: "1h" }])).toBe("23:00-24:00 sleep\ntotal 60 minutes");
  expect(() => agenda(1380, [{ title: "sleep", takes: "8h" }])).toThrow("past midnight");
});
