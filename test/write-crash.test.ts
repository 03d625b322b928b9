// SIGKILL while an agent writes: whoever goes on asks nobody twice for what was kept, and loses nothing that was written.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { scriptedRuntime } from "../src/agents/runtimes/scripted.ts";
import { git } from "../src/workshop/git/git.ts";
import { clean } from "../src/workshop/workspace/clean.ts";
import { workshopOf } from "../src/workshop/workspace/places.ts";
import { openGround } from "./engineering-ground.ts";
import { PERCENT_FILES } from "./module-ground.ts";
import { CALLS, HOLDER, WRITING, writePercent } from "./write-samples.ts";
import { show } from "./workshop-samples.ts";

const WORKER = fileURLToPath(new URL("write-worker.ts", import.meta.url));

interface Death {
  where: string;
  /** How often an agent is asked afterwards. */
  more: number;
  /** Whether somebody cleans up in between. */
  left: "cleaned" | "alone";
}

const DEATHS: Death[] = [
  // The call had ended and nobody had kept it: it is done again, in the same workspace.
  { where: "worked proposer:1:outcome", more: 1, left: "alone" },
  { where: "after proposer:1:outcome", more: 0, left: "alone" },
  { where: "after proposer:1:outcome", more: 0, left: "cleaned" },
  { where: "worked proposer:1:work", more: 0, left: "alone" },
  { where: "worked proposer:1:work", more: 0, left: "cleaned" },
];

let home = "";
const projectOf = (death: Death) => join(home, String(DEATHS.indexOf(death)));

/** All at once: what takes long is to start. */
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "cupel-test-"));
  await Promise.all(DEATHS.map((death) => dieIn(projectOf(death), death.where)));
}, 240_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

test.each(DEATHS)(
  "killed $where, left $left: $more more calls, nothing lost",
  { timeout: 60_000 },
  async (death) => {
    const { where, more, left } = death;
    const project = projectOf(death);
    const before = calls(project);
    if (left === "cleaned") await clean(workshopOf(project), { foreign: false });

    const ground = await openGround(project, { runtime: scriptedRuntime(WRITING), holder: HOLDER });
    onTestFinished(() => ground.close());
    const { base, commit, pack } = await writePercent(ground, () => undefined);
    expect(ground.calls()).toBe(more);
    expect(before + more).toBe(where === "worked proposer:1:outcome" ? 2 : 1);
    const { store, hub } = ground.ports;
    for (const [path, text] of Object.entries(PERCENT_FILES))
      expect(await show(hub.gitDir, `${commit}:modules/percent/${path}`)).toBe(text);
    // One commit on top of the base, one pack, one contribution, and no workspace that nobody needs.
    expect((await git(["rev-list", "--count", `${base}..${commit}`], { gitDir: hub.gitDir })).trim()).toBe(
      "1",
    );
    expect(readdirSync(join(store.root, "context_packs"))).toEqual([`${pack}.json`]);
    expect(await store.artifacts.contributions()).toMatchObject([
      { type: "IMPLEMENTATION", context_pack_ref: pack },
    ]);
    const open = readdirSync(join(project, ".cupel/workspaces")).filter((name) => !name.startsWith("."));
    expect(open).toEqual([]);
  },
);

function calls(project: string): number {
  const file = join(project, CALLS);
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
}

async function dieIn(project: string, where: string): Promise<void> {
  mkdirSync(project);
  const child = spawn(process.execPath, ["--import", "tsx", WORKER, project, where], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const [, signal] = await once(child, "exit");
  expect(errors).toBe("");
  expect(signal).toBe("SIGKILL");
}
