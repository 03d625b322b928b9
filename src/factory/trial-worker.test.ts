// Runs of a trial in other processes: one that dies is a crashed row, and the next run has a process of its own.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { sampleRow, sampleTrial } from "../../test/trial-run-samples.ts";
import type { TrialRow } from "../domain/trial/trial-row.ts";
import { runTrial } from "../trial/run-trial.ts";
import { runsOf } from "../trial/schedule.ts";
import { serveTrial, trialPlayer } from "./trial-worker.ts";

/** Dies, throws, hangs or plays as the task says; `calls` is how many runs the process has had. */
const WORKER = `
import { createInterface } from "node:readline";
const row = ${JSON.stringify(sampleRow({ task: "", seed: 0, arm: "" }))};
let calls = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { run, protocol } = JSON.parse(line);
  calls += 1;
  if (run.task === "dies") {
    console.error("no room left");
    process.kill(process.pid, "SIGKILL");
  }
  if (run.task === "hangs") continue;
  const threw = { threw: "the oracle could not be run" };
  console.log(JSON.stringify(run.task === "throws" ? threw : { ...row, ...run, calls, why: protocol.name }));
}
`;

function playerFor(tasks: string[], signal?: AbortSignal) {
  const file = join(temporaryDirectory(), "worker.mjs");
  writeFileSync(file, WORKER);
  const { PATH = "" } = process.env;
  const protocol = sampleTrial({ tasks, seeds: [1] });
  const player = trialPlayer(protocol, { command: process.execPath, args: [file], env: { PATH } }, signal);
  onTestFinished(() => player.close());
  return { player, protocol };
}

function inMemory(): { rows: TrialRow[]; append(row: TrialRow): Promise<void> } {
  const rows: TrialRow[] = [];
  return { rows: [], append: async (row) => void rows.push(row) };
}

test("runs one after the other in the same process, which is told the protocol", async () => {
  const { player, protocol } = playerFor(["a"]);
  const [first, second] = runsOf(protocol);
  if (first === undefined || second === undefined) throw new Error("there are no runs");
  expect(await player.play(first)).toMatchObject({ ...first, calls: 1, why: "sample" });
  expect(await player.play(second)).toMatchObject({ ...second, calls: 2 });
});

test.each([
  ["dies", "the process of the run ended before it did: no room left"],
  ["throws", "the oracle could not be run"],
])("one that %s is a crashed row, and the next run has a new process", async (task, why) => {
  const { player, protocol } = playerFor(["a", task, "b"]);
  const alone = (name: string) => player.play({ task: name, seed: 1, arm: "solo" });
  expect(await alone("a")).toMatchObject({ calls: 1 });
  await expect(alone(task)).rejects.toThrow(why);
  expect(await alone("b")).toMatchObject({ calls: 1 });
  const { rows, end } = await runTrial(protocol, { players: [player], rows: inMemory() });
  expect(end.kind).toBe("complete");
  expect(rows.filter(({ ended }) => ended === "crashed").map((row) => [row.task, row.why])).toEqual([
    [task, why],
    [task, why],
  ]);
  expect(rows.filter(({ ended }) => ended === "shipped")).toHaveLength(4);
});

test("an interruption ends the process of a run and leaves no row", async () => {
  const stopping = new AbortController();
  const { player, protocol } = playerFor(["hangs"], stopping.signal);
  const running = runTrial(protocol, { players: [player], rows: inMemory(), signal: stopping.signal });
  setTimeout(() => stopping.abort(), 300);
  expect(await running).toEqual({ end: { kind: "interrupted" }, rows: [] });
});

test("the other side answers what went wrong in words, and goes on", async () => {
  const [run] = runsOf(sampleTrial());
  const order = `${JSON.stringify({ run, protocol: sampleTrial({ corpus: "nowhere" }) })}\n`;
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(order + order);
  await serveTrial(input, output, {});
  output.end();
  const line = JSON.stringify({ threw: "nowhere is no corpus" });
  expect(await text(output)).toBe(`${line}\n${line}\n`);
});
