import { describe, expect, test } from "vitest";
import {
  DEBATE,
  ESCAPE,
  everyRow,
  protocolSample,
  rowSample,
  SOLO,
  trialSample,
} from "../../../test/trial-samples.ts";
import { type Doubt, doubtsOf } from "./doubts.ts";
import { summarize } from "./summary.ts";
import type { TrialProtocol } from "./trial-protocol.ts";
import { brokenOracle, brokenOraclesIn, type TrialRow } from "./trial-row.ts";

const { protocol, rows } = trialSample();

function doubts(
  trial: TrialProtocol,
  all: readonly TrialRow[],
  brokenOracles: readonly string[] = [],
): Doubt[] {
  return doubtsOf({ protocol: trial, summary: summarize(trial, all), brokenOracles });
}

const kinds = (found: readonly Doubt[]) => [...new Set(found.map(({ kind }) => kind))];
const words = (found: readonly Doubt[]) => found.map((doubt) => doubt.words);
const changed = (change: (row: TrialRow) => Partial<TrialRow>) =>
  rows.map((row) => ({ ...row, ...change(row) }));
const withArm = (changes: Partial<TrialProtocol["arms"][number]>) => ({
  ...protocol,
  arms: [...protocol.arms.slice(0, -1), { ...DEBATE, name: "fractal", ...changes }],
});

test("a sound trial leaves none", () => {
  expect(doubts(protocol, rows)).toEqual([]);
});

test("an empty corpus and a trial without rows are no success", () => {
  expect(doubts(protocolSample({ tasks: [] }), [])).toEqual([
    { kind: "nothing was run", words: "the corpus builtin gave no tasks, so there was nothing to run" },
  ]);
  expect(kinds(doubts(protocol, []))).toEqual(["nothing was run"]);
  expect(kinds(doubts(protocol, [rowSample()]))).toEqual(["nothing was run", "rows of another trial"]);
});

test.each<[Doubt["kind"], TrialProtocol, readonly TrialRow[]]>([
  ["runs are missing", protocol, rows.slice(1)],
  ["no control", { ...protocol, control: "nobody" }, rows],
  ["rows of another trial", protocol, [...rows, rowSample({ task: "omega" })]],
  ["rows of another trial", protocol, [...rows, ...rows.slice(0, 1)]],
  ["identical arms", withArm({}), rows],
  ["nothing was defective", protocol, changed(() => ({ defective: false, caughtBy: null, right: true }))],
  [
    "arms drew differently",
    protocol,
    changed(({ arm, defective }) => ({ defective: arm === "solo" || defective })),
  ],
  ["outcomes are missing", protocol, changed(() => ({ coverage: null }))],
  ["outcomes are missing", protocol, changed(({ ended }) => (ended === "shipped" ? { oracle: null } : {}))],
  ["outcomes are missing", protocol, changed(({ right }) => ({ right: right === null ? null : true }))],
  ["the factory failed", protocol, changed(({ task }) => (task === "task-1" ? { ended: "crashed" } : {}))],
])("%s", (kind, trial, all) => {
  expect(kinds(doubts(trial, all))).toContain(kind);
});

test("an oracle is broken also where somebody could not be asked because of it", () => {
  const alone = rowSample({ ended: "crashed", why: brokenOracle("alpha", "1 of its 2 tests fails") });
  const told = `impl failed: the impl could not be asked: ${brokenOracle("beta", "it sees nothing")} (hint)`;
  const behind = rowSample({ task: "beta", ended: "crashed", why: told });
  const halted = rowSample({ task: "gamma", ended: "halted", why: brokenOracle("gamma", "says an agent") });
  expect(brokenOraclesIn([alone, behind, halted])).toEqual(["alpha", "beta"]);
});

test("a broken oracle is named", () => {
  expect(doubts(protocol, rows, ["task-3", "task-9"])).toEqual([
    {
      kind: "broken oracles",
      words: "the oracles of these tasks cannot tell right from wrong: task-3, task-9",
    },
  ]);
});

test("arms that differ in one thing are not identical, and 2 % of failures are not too many", () => {
  for (const one of [{ gates: "off" }, { rigor: "lite" }, { protocol: "blind" }] as const)
    expect(kinds(doubts(withArm(one), rows))).not.toContain("identical arms");
  const seeds = Array.from({ length: 50 }, (_, seed) => seed);
  const long = protocolSample({ tasks: ["alpha"], seeds });
  const failing = (count: number) =>
    everyRow(long, ({ seed }) =>
      seed < count ? { ended: "crashed", right: null, defective: true } : { defective: true },
    );
  expect(doubts(long, failing(1))).toEqual([]);
  expect(kinds(doubts(long, failing(2)))).toEqual(["the factory failed"]);
});

test("real workers may draw differently from arm to arm", () => {
  const real = { ...protocol, workers: { kind: "runtime", runtime: "some" } } as const;
  const torn = changed(({ arm, defective }) => ({ defective: arm === "solo" || defective }));
  expect(doubts(real, torn)).toEqual([]);
});

test("nobody knows the first draws of real workers, so none of them need be defective", () => {
  const real = { ...protocol, workers: { kind: "runtime", runtime: "some" } } as const;
  const unknown = changed(() => ({ defective: false, caughtBy: null }));
  expect(kinds(doubts(protocol, unknown))).toContain("nothing was defective");
  expect(kinds(doubts(real, unknown))).not.toContain("nothing was defective");
});

describe("the negative control", () => {
  const off = { ...SOLO, name: "off", gates: "off" } as const;
  const tasks = Array.from({ length: 20 }, (_, index) => `task-${index}`);
  const trial = protocolSample({ tasks, arms: [SOLO, off] });
  const negative = (change: (row: TrialRow, hard: boolean) => Partial<TrialRow>) =>
    doubts(
      trial,
      everyRow(trial, (row) => ({ defective: true, ...change(row, tasks.indexOf(row.task) % 2 === 0) })),
    );

  test("is believed where it catches nothing and escapes are alike", () => {
    expect(negative((_, hard) => (hard ? ESCAPE : {}))).toEqual([]);
    expect(negative(() => ({ caughtBy: "reviewer" }))).toEqual([]);
  });

  test("may not catch anything by a gate", () => {
    expect(negative(({ arm }) => (arm === "off" ? { caughtBy: "mutation" } : {}))).toEqual([
      {
        kind: "the negative control shows an effect",
        words: "off has its gates off, and they caught 40 defects",
      },
    ]);
  });

  test("may not help, nor harm where the control's gates have done nothing", () => {
    expect(words(negative(({ arm }, hard) => (arm === "solo" && hard ? ESCAPE : {})))).toEqual([
      "off has its gates off, and yet its runs let 50 % fewer defects escape than those of the control",
    ]);
    expect(words(negative(({ arm }, hard) => (arm === "off" && hard ? ESCAPE : {})))).toEqual([
      "off has its gates off, and yet its runs let 50 % more defects escape than those of the control",
    ]);
    expect(words(negative(({ arm }) => (arm === "solo" ? ESCAPE : {})))).toHaveLength(1);
  });

  test("lets more escape where the control's own gates caught something: that is what gates are for", () => {
    expect(
      negative(({ arm }, hard) =>
        arm === "off" && hard ? ESCAPE : arm === "solo" ? { caughtBy: "green" } : {},
      ),
    ).toEqual([]);
  });
});
