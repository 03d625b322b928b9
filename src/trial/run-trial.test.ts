// The loop over runs: nothing is played twice, nothing is lost, and it stops where it was said that it would.
import { join } from "node:path";
import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { samplePlayer, sampleRow, sampleTrial } from "../../test/trial-run-samples.ts";
import type { TrialProtocol } from "../domain/trial/trial-protocol.ts";
import { runKey, type TrialRow } from "../domain/trial/trial-row.ts";
import type { TrialRun } from "./port.ts";
import { openRows, readRows } from "./rows-file.ts";
import { runTrial, type TrialPorts } from "./run-trial.ts";
import { runsOf, scheduleOf } from "./schedule.ts";

type Given = Partial<TrialPorts> & { file?: string };

async function play(protocol: TrialProtocol, given: Given = {}) {
  const { file = join(temporaryDirectory(), "rows.jsonl"), ...ports } = given;
  const rows = await openRows(file, runsOf(protocol));
  try {
    const outcome = await runTrial(protocol, { players: [samplePlayer()], rows, ...ports });
    return { file, ...outcome };
  } finally {
    await rows.close();
  }
}

function blockOf({ task, seed }: TrialRun): string {
  return `${task} ${seed}`;
}

function tasksOf(runs: readonly TrialRun[]): string[] {
  return [...new Set(runs.map(({ task }) => task))];
}

test("every run is played once, a block by one player, and told as registered", async () => {
  const played: TrialRun[][] = [[], [], []];
  const left: number[] = [];
  const { rows, end, file } = await play(sampleTrial(), {
    players: played.map((list) => samplePlayer(list)),
    onPlayed: (_, more) => left.push(more),
  });
  expect(end).toEqual({ kind: "complete" });
  expect(rows.map(runKey)).toEqual(runsOf(sampleTrial()).map(runKey));
  expect(left.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect((await readRows(file, runsOf(sampleTrial()))).map(runKey).toSorted()).toEqual(
    rows.map(runKey).toSorted(),
  );
  const places = played.map((list) => new Set(list.map(blockOf)));
  for (const block of scheduleOf(sampleTrial()).flat())
    expect(places.filter((each) => each.has(blockOf(block)))).toHaveLength(1);
});

test("a repetition gives the same rows in the same order, however many play", async () => {
  const once = await play(sampleTrial());
  const again = await play(sampleTrial(), { players: [samplePlayer(), samplePlayer(), samplePlayer()] });
  expect(again.rows).toEqual(once.rows);
  const [first, second]: TrialRun[][] = [[], []];
  await play(sampleTrial(), { players: [samplePlayer(first)] });
  await play(sampleTrial(), { players: [samplePlayer(second)] });
  expect(second).toEqual(first);
});

test("a player keeps to its tasks while there are others, and helps out in the end", async () => {
  const protocol = sampleTrial({ tasks: ["a", "b", "c"], seeds: [1, 2, 3, 4] });
  const quick: TrialRun[] = [];
  const slow: TrialRun[] = [];
  const helping = new EventEmitter();
  const helped = once(helping, "helped");
  const quickly = (run: TrialRun) => {
    if (tasksOf(slow).includes(run.task)) helping.emit("helped");
    return sampleRow(run);
  };
  const slowly = (run: TrialRun) => helped.then(() => sampleRow(run));
  await play(protocol, { players: [samplePlayer(quick, quickly), samplePlayer(slow, slowly)] });
  expect(tasksOf(slow)).toHaveLength(1);
  expect(tasksOf(quick).toSorted()).toEqual(["a", "b", "c"]);
  expect(tasksOf(quick).at(-1)).toBe(tasksOf(slow)[0]);
});

test("what has a row is not played again, and a begun block comes first", async () => {
  const protocol = sampleTrial();
  const last = scheduleOf(protocol).at(-1) ?? [];
  const file = join(temporaryDirectory(), "rows.jsonl");
  const rows = await openRows(file, runsOf(protocol));
  const [half] = last;
  if (half === undefined) throw new Error("there is no block");
  await rows.append(sampleRow(half, { why: "from before" }));
  await rows.close();
  const played: TrialRun[] = [];
  const outcome = await play(protocol, { file, players: [samplePlayer(played)] });
  expect(played).toHaveLength(11);
  expect(played[0]).toEqual(last[1]);
  expect(outcome.rows.find((row) => runKey(row) === runKey(half))?.why).toBe("from before");
  const nobody: TrialRun[] = [];
  expect(await play(protocol, { file, players: [samplePlayer(nobody)] })).toMatchObject({
    end: { kind: "complete" },
  });
  expect(nobody).toEqual([]);
});

test.each<[TrialProtocol["stop"], number, string]>([
  [{ maxRuns: 1 }, 2, "2 runs were begun, and 1 are the most"],
  [{ maxRuns: 4 }, 4, "4 runs were begun, and 4 are the most"],
  [{ maxTokens: 500 }, 6, "600 tokens were used, and 500 are the most"],
  [{ maxCostUsd: 1 }, 4, "$1.00 were spent, and $1.00 are the most"],
])("with %j no block begins after %d runs", async (stop, expected, why) => {
  const protocol = sampleTrial({ stop });
  const { rows, end, file } = await play(protocol);
  expect(rows).toHaveLength(expected);
  expect(end).toEqual({ kind: "stopped", why });
  const [block] = scheduleOf(protocol);
  expect(rows.map(runKey)).toEqual(expect.arrayContaining((block ?? []).map(runKey)));
  // Whoever resumes does not get around it.
  const played: TrialRun[] = [];
  expect((await play(protocol, { file, players: [samplePlayer(played)] })).end).toEqual({
    kind: "stopped",
    why,
  });
  expect(played).toEqual([]);
});

test("the runs that a limit lets through are the same, however many play", async () => {
  const protocol = sampleTrial({ stop: { maxRuns: 5 } });
  const alone = await play(protocol);
  const together = await play(protocol, { players: [samplePlayer(), samplePlayer(), samplePlayer()] });
  expect(together.rows).toEqual(alone.rows);
  expect(alone.rows).toHaveLength(6);
});

test("a block that was begun is finished although the limit is reached", async () => {
  const protocol = sampleTrial({ stop: { maxRuns: 1 } });
  const [[run] = []] = scheduleOf(protocol);
  const file = join(temporaryDirectory(), "rows.jsonl");
  const rows = await openRows(file, runsOf(protocol));
  if (run !== undefined) await rows.append(sampleRow(run));
  await rows.close();
  expect((await play(protocol, { file })).rows).toHaveLength(2);
});

test("real workers that cannot be asked at first are no row, and are asked again", async () => {
  const workers = { kind: "runtime" as const, runtime: "model" };
  const protocol = sampleTrial({ workers });
  const nobody = samplePlayer([], () => {
    throw new Error("there is no key");
  });
  const file = join(temporaryDirectory(), "rows.jsonl");
  await expect(play(protocol, { file, players: [nobody, nobody] })).rejects.toThrow("there is no key");
  let asked = 0;
  const later = samplePlayer([], (run) => {
    asked += 1;
    if (asked === 2) throw new Error("the line is down");
    return sampleRow(run);
  });
  const { rows, end } = await play(protocol, { file, players: [later] });
  expect(end.kind).toBe("complete");
  expect(rows.filter(({ ended }) => ended === "crashed").map(({ why }) => why)).toEqual(["the line is down"]);
});

test("what nobody knows the price of stops a trial that may cost only so much", async () => {
  const player = samplePlayer([], (run) => ({ ...sampleRow(run), costUsd: null }));
  const { end, rows } = await play(sampleTrial({ stop: { maxCostUsd: 100 } }), { players: [player] });
  expect(end).toEqual({
    kind: "stopped",
    why: `nobody knows what ${rows.length} of the runs cost, and $100.00 are the most`,
  });
  expect(rows).toHaveLength(2);
});

test("a run that throws is a row that says why, and is not tried again", async () => {
  const protocol = sampleTrial();
  const played: TrialRun[] = [];
  const player = samplePlayer(played, (run) => {
    if (run.arm === "blind") throw new Error("no room left");
    return sampleRow(run);
  });
  const { rows, end, file } = await play(protocol, { players: [player] });
  expect(end.kind).toBe("complete");
  const crashed = rows.filter(({ ended }) => ended === "crashed");
  expect(crashed).toHaveLength(6);
  for (const row of crashed)
    expect(row).toMatchObject({ arm: "blind", why: "no room left", right: null, calls: 0, coverage: null });
  await play(protocol, { file, players: [player] });
  expect(played).toHaveLength(12);
});

test("a row about another run than was asked for counts for neither", async () => {
  const protocol = sampleTrial();
  const { rows } = await play(protocol, {
    players: [samplePlayer([], (run) => sampleRow({ ...run, arm: "solo" }))],
  });
  const wrong = rows.filter(({ arm }) => arm === "blind");
  expect(wrong).toHaveLength(6);
  for (const { ended, why } of wrong)
    expect([ended, why]).toEqual(["crashed", expect.stringContaining("told of")]);
});

test("an interruption writes no row for what it cut off, and later runs go on", async () => {
  const protocol = sampleTrial();
  const stopping = new AbortController();
  const played: TrialRun[] = [];
  const player = samplePlayer(played, (run) => {
    if (played.length < 4) return sampleRow(run);
    stopping.abort();
    throw new Error("killed");
  });
  const { rows, end, file } = await play(protocol, { players: [player], signal: stopping.signal });
  expect(end).toEqual({ kind: "interrupted" });
  expect(rows).toHaveLength(3);
  expect(rows.every(({ ended }) => ended === "shipped")).toBe(true);
  const rest: TrialRun[] = [];
  const done = await play(protocol, { file, players: [samplePlayer(rest)] });
  expect(rest).toHaveLength(9);
  expect(done.rows).toEqual((await play(protocol)).rows);
});

test("where a row cannot be written, the trial ends with that error and plays no further block", async () => {
  const protocol = sampleTrial();
  const played: TrialRun[] = [];
  const rows: TrialPorts["rows"] = {
    rows: [],
    append: (row: TrialRow) =>
      row.seed === 1 ? Promise.reject(new Error("the disk is full")) : Promise.resolve(),
  };
  await expect(
    runTrial(protocol, { players: [samplePlayer(played), samplePlayer(played)], rows }),
  ).rejects.toThrow("the disk is full");
  expect(played.length).toBeLessThan(12);
});
