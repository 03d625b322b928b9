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

describe.skipIf(!bubblewrapWorks)("cupel run (needs bubblewrap)", () => {
  test(
    "is killed after its first module and goes on: two tasks, one upon the other, each shipped once",
    async () => {
      const { project, spec, script } = smallProduct();
      const replay = ["--replay", script, "--ignore-input"];
      const first = spawn(process.execPath, [BIN, "run", "--spec", spec, ...replay], { cwd: project });
      let said = "";
      first.stderr.on("data", (text: Buffer) => (said += text.toString()));
      await expect.poll(() => said, { timeout: LONG }).toMatch(/shipped +MM-initials@1.0.0/);
      expect(cupelIn(project, ["run", "--resume", ...replay])).toMatchObject({
        code: 14,
        err: expect.stringContaining(`process ${first.pid}`),
      });
      first.kill("SIGKILL");
      await once(first, "close");
      const ran = runIn(project, ["--resume", ...replay]);
      expect(ran.err).toContain("2/2 shipped");
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
        next: "cupel release",
      });
      const state = readFileSync(join(project, ".cupel/state_store/project/state_machine.json"), "utf8");
      expect(JSON.parse(state)).toMatchObject({ tasks: { [SECOND]: { status: "SHIPPED" } } });
      expect((await checkStateStore(project, { repair: false })).problems).toEqual([]);
    },
    LONG,
  );
});
