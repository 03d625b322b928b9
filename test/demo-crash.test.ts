// kill -9 at random moments of the demo, again and again: cupel run --resume comes to the same product, once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { checkStateStore } from "../src/store/state-store.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { BIN, cupelIn } from "./cupel-process.ts";
import { pictureOf } from "./demo-picture.ts";
import { temporaryDirectory } from "./temporary.ts";

const LONG = process.env["CUPEL_LONG"] === "1";
const [RUNS, KILLS] = LONG ? [10, 100] : [1, 3];
/** The longest that a process lives, in milliseconds; how long it takes to get somewhere follows from the machine. */
const LONGEST_MS = 12_000;
const ANSWER = ["resolve", "T-agenda-day-plan-001", "--file", ".cupel/demo/amendment.json"];

test.skipIf(!bubblewrapWorks)(
  `killed ${KILLS} times or more in ${RUNS} demos, each comes to the same tree and statuses, with everything shipped once`,
  { timeout: LONG ? 3 * 3_600_000 : 600_000 },
  async () => {
    const undisturbed = join(temporaryDirectory(), "demo");
    expect(await process9(undisturbed, ["demo", "--dir", undisturbed, "--yes"], undefined)).toBe(0);
    const expected = await pictureOf(undisturbed);
    let kills = 0;
    for (let runs = 0; runs < RUNS || kills < KILLS; runs += 1) {
      const directory = join(temporaryDirectory(), "demo");
      const killed = await finishDespiteKills(directory, Math.ceil(KILLS / RUNS));
      kills += killed;
      if (LONG) process.stderr.write(`demo ${runs + 1}: ${killed} kills, ${kills} in all\n`);
      expect(await pictureOf(directory)).toEqual(expected);
      expect((await checkStateStore(directory, { repair: false })).problems).toEqual([]);
    }
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  },
);

/** Gives how often it was killed; at most so often, so that it ends. */
async function finishDespiteKills(directory: string, most: number): Promise<number> {
  let kills = 0;
  const end = async (args: string[]): Promise<number> => {
    for (;;) {
      const lives = kills < most ? Math.random() * LONGEST_MS : undefined;
      const status = await process9(directory, args, lives);
      if (status !== "killed") return status;
      kills += 1;
      args = commandFor(directory);
    }
  };
  for (let status = -1; status !== 0;) {
    status = await end(commandFor(directory));
    if (status === 11) expect(cupelIn(directory, ["approve"]).code).toBe(0);
    if (status === 10) expect(cupelIn(directory, ANSWER).code).toBe(0);
  }
  expect(await end(["demo", "--dir", directory, "--yes", "--quiet"])).toBe(0);
  // Whatever a kill left of the release and the tests, the same command brings to its end.
  expect(await process9(directory, ["demo", "--dir", directory, "--yes", "--quiet"], undefined)).toBe(0);
  return kills;
}

/** As long as no run was begun there is nothing to resume, and the demo begins. */
function commandFor(directory: string): string[] {
  const begun =
    existsSync(directory) && cupelIn(directory, ["status", "--json"]).out.includes('"runId": "r-');
  return begun ? ["run", "--resume"] : ["demo", "--dir", directory];
}

/** One process, killed when its time is up. */
async function process9(
  directory: string,
  args: string[],
  lives: number | undefined,
): Promise<number | "killed"> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: existsSync(directory) ? directory : process.cwd(),
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (text: Buffer) => (said += text.toString()));
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  const ended = once(child, "close");
  const timer = new AbortController();
  if (lives !== undefined)
    void wait(lives, undefined, { signal: timer.signal }).then(
      () => child.kill("SIGKILL"),
      () => undefined,
    );
  await ended;
  timer.abort();
  if (child.signalCode === "SIGKILL") return "killed";
  const status = child.exitCode ?? -1;
  if (![0, 10, 11].includes(status)) throw new Error(`cupel ${args.join(" ")}: ${said}`);
  return status;
}
