// SIGKILL at any moment of a trial: whoever goes on plays what has no row, and the rows are as if nothing had happened.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runKey } from "../src/domain/trial/trial-row.ts";
import { readRows } from "../src/trial/rows-file.ts";
import { inOrder, runsOf } from "../src/trial/schedule.ts";
import { holdFolder, placesOf, registerTrial } from "../src/trial/trial-folder.ts";
import { temporaryDirectory } from "./temporary.ts";
import { sampleRow, sampleTrial } from "./trial-run-samples.ts";
import { bundleWorker } from "./worker-bundle.ts";

const TRIAL = sampleTrial({ seeds: Array.from({ length: 40 }, (_, index) => index) });
const RUNS = runsOf(TRIAL);
const KILLS = 6;

interface Player {
  said(): string[];
  kill(): Promise<void>;
  ended: Promise<{ code: number | null; err: string }>;
}

async function begunTrial() {
  const folder = join(temporaryDirectory(), "trial");
  const worker = join(temporaryDirectory(), "worker.mjs");
  await registerTrial(folder, TRIAL);
  await bundleWorker("trial-worker.ts", worker);
  const start = (): Player => {
    const child = spawn(process.execPath, [worker, folder], { stdio: ["ignore", "pipe", "pipe"] });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    const ended = once(child, "close").then(() => ({ code: child.exitCode, err }));
    return {
      // The last line may be cut.
      said: () => out.split("\n").slice(0, -1),
      async kill() {
        child.kill("SIGKILL");
        await ended;
      },
      ended,
    };
  };
  return { folder, start };
}

async function untilSaid(player: Player): Promise<void> {
  while (player.said().length === 0) await sleep(5);
}

test(`${KILLS} kills lose no row and play none twice`, { timeout: 60_000 }, async () => {
  const { folder, start } = await begunTrial();
  const { rows: file } = placesOf(folder);
  const acknowledged: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const player = start();
    await untilSaid(player);
    await sleep((kill * 7.3) % 20);
    await player.kill();
    acknowledged.push(...player.said());
    const there = (await readRows(file, RUNS)).map(runKey);
    expect(there).toEqual(expect.arrayContaining(acknowledged));
    // As if it had been killed in the middle of a row.
    if (kill % 2 === 0) appendFileSync(file, '{"task":"parse-csv-line","se');
  }
  expect(acknowledged.length).toBeLessThan(RUNS.length);
  expect(await start().ended).toEqual({ code: 0, err: "" });
  const rows = await readRows(file, RUNS);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(inOrder(RUNS, rows)).toEqual(RUNS.map((run) => sampleRow(run)));
});

test(
  "while one process plays, another is refused; when it is killed, another may",
  { timeout: 30_000 },
  async () => {
    const { folder, start } = await begunTrial();
    const letGo = await holdFolder(folder);
    const refused = await start().ended;
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`the process ${process.pid} works on the trial in ${folder}`);
    expect(await readRows(placesOf(folder).rows, RUNS)).toEqual([]);
    await letGo();
    const first = start();
    await untilSaid(first);
    await expect(holdFolder(folder, 0)).rejects.toThrow("works on the trial");
    await first.kill();
    await (
      await holdFolder(folder)
    )();
  },
);
