// A whole small product through the command line: scripted agents, everything else real.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkStateStore } from "../src/store/state-store.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { BIN, cupelIn, type Ended } from "./cupel-process.ts";
import { FIRST, SECOND, smallProduct } from "./small-product.ts";
import { sampleGit } from "./git-samples.ts";

const LONG = 120_000;

function runIn(project: string, args: string[]): Ended {
  const env = { PATH: process.env["PATH"] ?? "" };
  const result = spawnSync(process.execPath, [BIN, "run", ...args], {
    cwd: project,
    env,
    encoding: "utf8",
    timeout: LONG,
  });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

/** A run that has said something. */
async function started(project: string, args: string[], said: RegExp) {
  const child = spawn(process.execPath, [BIN, "run", ...args], { cwd: project });
  let err = "";
  child.stderr.on("data", (text: Buffer) => (err += text.toString()));
  const ended = once(child, "close").then(() => ({ code: child.exitCode, err }));
  while (!said.test(err) && child.exitCode === null) await Promise.race([once(child.stderr, "data"), ended]);
  expect(err).toMatch(said);
  return { pid: child.pid, ended, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

describe.skipIf(!bubblewrapWorks)("cupel run (needs bubblewrap)", () => {
  test(
    "is stopped, then killed, and goes on each time: two tasks, one upon the other, each shipped once",
    async () => {
      const { project, spec, script } = smallProduct();
      const replay = ["--replay", script, "--ignore-input"];
      const first = await started(project, ["--spec", spec, ...replay], /STARTED +T-names/);
      first.kill("SIGINT");
      expect(await first.ended).toMatchObject({
        code: 130,
        err: expect.stringMatching(/Stopped: it was asked to stop\nNext: cupel run --resume\n$/),
      });
      const second = await started(project, ["--resume", ...replay], /shipped +MM-initials@1.0.0/);
      expect(cupelIn(project, ["run", "--resume", ...replay])).toMatchObject({
        code: 14,
        err: expect.stringContaining(`process ${second.pid}`),
      });
      second.kill("SIGKILL");
      await second.ended;
      const ran = runIn(project, ["--resume", ...replay]);
      expect(ran.err).toContain("2/2 shipped");
      expect(ran.err).toMatch(/Released: 1\.0\.0, 2 modules \(git show (\S+)\)/);
      expect(sampleGit(project, "tag")).not.toBe("");
      expect(ran.code).toBe(0);
      const file = join(project, "project/names/initials/short-names/badges", `${SECOND}.md`);
      expect(readFileSync(file, "utf8")).toContain("MM-initials@1.0.0");
      expect(existsSync(join(project, "modules/badge/ship.json"))).toBe(true);
      const ships = sampleGit(project, "log", "--format=%s")
        .split("\n")
        .filter((line) => line.startsWith("ship("));
      expect(ships.map((line) => line.split(":")[0])).toEqual(["ship(badge)", "ship(initials)"]);
      const status = cupelIn(project, ["status", "--json"]);
      expect(JSON.parse(status.out)).toMatchObject({
        counts: { SHIPPED: 2, PENDING: 0 },
        tasks: [
          { id: FIRST, modules: ["MM-initials@1.0.0"] },
          { id: SECOND, modules: ["MM-badge@1.0.0"] },
        ],
        next: "cupel report --out report.html",
      });
      const state = readFileSync(join(project, ".cupel/state_store/project/state_machine.json"), "utf8");
      expect(JSON.parse(state)).toMatchObject({ tasks: { [SECOND]: { status: "SHIPPED" } } });
      expect((await checkStateStore(project, { repair: false })).problems).toEqual([]);
    },
    LONG,
  );

  test(
    "stops before it crosses a cap, and says how to go on",
    () => {
      const { project, spec, script } = smallProduct({ budget: { tokens: 10 } });
      const ran = runIn(project, ["--spec", spec, "--replay", script, "--ignore-input", "--jsonl"]);
      expect(ran.code).toBe(12);
      expect(ran.err).toContain("cupel run --resume --max-cost");
      const [head, ...events] = ran.out
        .trim()
        .split("\n")
        .map((text): unknown => JSON.parse(text));
      expect(head).toMatchObject({ kind: "run", runId: expect.stringMatching(/^r-/) });
      expect(events).toContainEqual(expect.objectContaining({ kind: "budget_exhausted", unit: "tokens" }));
      expect(JSON.parse(cupelIn(project, ["status", "--json"]).out)).toMatchObject({
        counts: { IN_PROGRESS: 1, PENDING: 1 },
      });
    },
    LONG,
  );

  test(
    "stops when its time is up, before it begins anything that it could not end",
    () => {
      const { project, spec, script } = smallProduct();
      const args = ["--spec", spec, "--replay", script, "--ignore-input", "--max-time", "0.0001"];
      const ran = runIn(project, args);
      expect(ran.err).toMatch(/0\/2 shipped.*\nStopped: it was asked to stop\nNext: cupel run --resume\n$/);
      expect(ran.code).toBe(12);
      expect(JSON.parse(cupelIn(project, ["status", "--json"]).out)).toMatchObject({
        counts: { PENDING: 2 },
        worker: null,
      });
    },
    LONG,
  );
});
