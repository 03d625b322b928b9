// A whole small product through the command line: scripted agents, everything else real.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkStateStore } from "../src/store/state-store.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { BIN, cupelIn, type Ended } from "./cupel-process.ts";
import { FIRST, SECOND, smallProduct } from "./small-product.ts";

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
    "makes the tasks of a specification, one upon the other, and leaves a repository that says so",
    async () => {
      const { project, spec, script } = smallProduct();
      const ran = runIn(project, ["--spec", spec, "--replay", script, "--ignore-input"]);
      expect(ran.err).toContain("2/2 shipped");
      expect(ran.code).toBe(0);
      const file = join(project, "project/names/initials/short-names/badges", `${SECOND}.md`);
      expect(readFileSync(file, "utf8")).toContain("MM-initials@1.0.0");
      expect(existsSync(join(project, "modules/badge/ship.json"))).toBe(true);
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
