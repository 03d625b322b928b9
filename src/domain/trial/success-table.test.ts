import { describe, expect, test } from "vitest";
import { ESCAPE, everyRow, protocolSample, trialSample } from "../../../test/trial-samples.ts";
import { type SuccessLine, type SuccessName, successTable } from "./success-table.ts";
import { summarize } from "./summary.ts";
import type { TrialRow } from "./trial-row.ts";

const protocol = protocolSample({
  tasks: Array.from({ length: 20 }, (_, index) => `task-${index}`),
  seeds: [1],
});

type Change = (row: TrialRow, task: number) => Partial<TrialRow>;

function line(name: SuccessName, change: Change, arm = "debate") {
  const rows = everyRow(protocol, (row) => change(row, protocol.tasks.indexOf(row.task)));
  const table = successTable(protocol, summarize(protocol, rows));
  return table.find((each) => each.arm === arm)?.lines.find((each) => each.name === name);
}

/** The first so many tasks of an arm. */
const first =
  (arm: string, count: number, changes: Partial<TrialRow>): Change =>
  (row, task) =>
    row.arm === arm && task < count ? changes : {};

const both =
  (...all: Change[]): Change =>
  (row, task) =>
    Object.assign({}, ...all.map((change) => change(row, task)));

describe("each target, at its edge", () => {
  test.each<[SuccessName, string, Change, string]>([
    ["escaped", "exactly a fifth", both(first("solo", 10, ESCAPE), first("debate", 2, ESCAPE)), "reached"],
    [
      "escaped",
      "more than a fifth",
      both(first("solo", 10, ESCAPE), first("debate", 3, ESCAPE)),
      "not reached",
    ],
    ["escaped", "none of some", first("solo", 1, ESCAPE), "reached"],
    ["crashRate", "none", () => ({}), "reached"],
    ["crashRate", "exactly 5 %", first("debate", 1, { crashes: true }), "not reached"],
    ["correctness", "all", () => ({}), "reached"],
    ["correctness", "exactly 95 %", first("debate", 1, ESCAPE), "not reached"],
    ["coverage", "81 %", first("debate", 20, { coverage: 0.81 }), "reached"],
    ["coverage", "exactly 80 %", first("debate", 20, { coverage: 0.8 }), "not reached"],
    ["staticPass", "all", () => ({}), "reached"],
    ["staticPass", "all but one", first("debate", 1, { staticPass: false }), "not reached"],
    ["tokens", "just below twice", first("debate", 20, { tokens: 1999 }), "reached"],
    ["tokens", "exactly twice", first("debate", 20, { tokens: 2000 }), "not reached"],
  ])("%s: %s", (name, _, change, verdict) => {
    expect(line(name, change)).toMatchObject({ verdict, why: "" });
  });
});

test("one escape against none is reached, and settled only by many more runs", () => {
  const few = line("escaped", first("solo", 1, ESCAPE));
  expect(few).toMatchObject({ verdict: "reached", measured: 0, settled: false });
  expect(few?.interval?.low).toBe(0);
  expect(few?.interval?.high).toBeGreaterThan(1);
  const many = line("escaped", first("solo", 20, ESCAPE));
  expect(many).toMatchObject({ verdict: "reached", measured: 0, settled: true });
});

describe("there is nothing to tell by", () => {
  const halted = { ended: "halted", right: false, coverage: null, staticPass: null, crashes: null } as const;
  test.each<[SuccessName, string, Change]>([
    ["escaped", "nothing escaped from the control", () => ({})],
    [
      "escaped",
      "nothing that it shipped was judged",
      both(first("solo", 9, ESCAPE), first("debate", 20, halted)),
    ],
    ["correctness", "it shipped nothing", first("debate", 20, halted)],
    ["crashRate", "it shipped nothing", first("debate", 20, halted)],
    ["coverage", "it was measured for nothing that shipped", first("debate", 20, { coverage: null })],
    ["staticPass", "it was measured for nothing that shipped", first("debate", 20, { staticPass: null })],
    ["tokens", "tokens were not counted", first("debate", 20, { tokens: 0 })],
    ["tokens", "tokens were not counted", first("solo", 20, { tokens: 0 })],
  ])("%s: %s", (name, why, change) => {
    expect(line(name, change)).toMatchObject({
      verdict: "nothing to tell by",
      measured: null,
      settled: null,
      why,
    });
  });

  test("for the control against itself, and for a trial without rows at all", () => {
    expect(line("escaped", () => ESCAPE, "solo")).toMatchObject({ why: "it is the control" });
    const lines = successTable(protocol, summarize(protocol, [])).flatMap((arm) => arm.lines);
    expect(new Set(lines.map(({ verdict }) => verdict))).toEqual(new Set(["nothing to tell by"]));
    expect(lines.every(({ why }) => why !== "")).toBe(true);
  });

  test("where no run is paired", () => {
    const alone = everyRow(protocol).filter(({ arm }) => arm === "debate");
    const [, debate] = successTable(protocol, summarize(protocol, alone));
    expect(debate?.lines[0]).toMatchObject({ why: "it has no run that the control has too" });
    expect(debate?.lines[2]).toMatchObject({ verdict: "reached" });
  });
});

function lineIn(
  { protocol: large, rows }: ReturnType<typeof trialSample>,
  arm: string,
  name: SuccessName,
): SuccessLine | undefined {
  return successTable(large, summarize(large, rows))
    .find((each) => each.arm === arm)
    ?.lines.find((each) => each.name === name);
}

test("a verdict is settled only where the whole interval says the same", () => {
  const [usual, manyDefects] = [trialSample(), trialSample("", 0.6)];
  expect(lineIn(usual, "blind", "escaped")).toMatchObject({ verdict: "reached", settled: false });
  expect(lineIn(manyDefects, "blind", "escaped")).toMatchObject({ verdict: "reached", settled: true });
  expect(lineIn(usual, "debate", "escaped")).toMatchObject({ verdict: "not reached", settled: false });
  expect(lineIn(usual, "blind", "staticPass")).toMatchObject({ verdict: "reached", settled: null });
});
