import { describe, expect, it } from "vitest";
import { Deficiency, SPEC_CRITERIA, deficiency } from "./validation-report.ts";

describe("a deficiency", () => {
  it("is an error up to criterion 10 and a warning from 11 on", () => {
    const path = ["pillars", 0, "subtasks", 1];
    expect(deficiency(10, path, "m")).toEqual({
      path: "$.pillars[0].subtasks[1]",
      field: "subtasks",
      severity: "ERROR",
      message: "m",
      criterion: 10,
    });
    expect(deficiency(11, [], "m")).toMatchObject({ path: "$", field: "$", severity: "WARNING" });
  });

  it("belongs to one of the fourteen criteria", () => {
    const numbers = Array.from({ length: 14 }, (_, index) => index + 1);
    expect(Object.keys(SPEC_CRITERIA).map(Number)).toEqual(numbers);
    const accepted = [0, ...numbers, 15, 1.5].filter(
      (criterion) => Deficiency.safeParse({ ...deficiency(1, [], "m"), criterion }).success,
    );
    expect(accepted).toEqual(numbers);
  });
});
