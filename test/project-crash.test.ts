// SIGKILL in the middle of a supervisor, and two supervisors at once: every task ships exactly once, nothing is lost.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StateMachine } from "../src/domain/task/state-machine.ts";
import { checkStateStore, openStateStore } from "../src/store/state-store.ts";
import { temporaryDirectory } from "./temporary.ts";
import { bundleWorker } from "./worker-bundle.ts";

const TASKS = 400;
const KILLS = process.env["CUPEL_LONG"] === "1" ? 60 : 6;
const built = mkdtempSync(join(tmpdir(), "cupel-project-"));
const worker = join(built, "worker.mjs");

beforeAll(() => bundleWorker("project-worker.ts", worker));
afterAll(() => rmSync(built, { recursive: true, force: true }));

function start(directory: string, holder: string) {
  const args = [worker, directory, join(directory, "log"), String(TASKS), holder];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

async function transitions(directory: string) {
  const store = openStateStore(directory, { durability: "normal", missing: "refuse" });
  try {
    const events = await store.journal.read(0, 10_000, "r-1");
    return events.flatMap((event) => (event.kind === "task_transitioned" ? [event] : []));
  } finally {
    await store.close();
  }
}

describe("a supervisor that is killed", () => {
  test(
    `${KILLS} times goes on each time, and every task has started and shipped exactly once`,
    { timeout: 20_000 + KILLS * 3000 },
    async () => {
      const directory = temporaryDirectory();
      for (let kill = 0; kill < KILLS; kill++) {
        const child = start(directory, "the same");
        await once(child.stdout, "data");
        // A leap through the range instead of chance: every run of the test tries the same moments.
        await new Promise((resolve) => setTimeout(resolve, 5 + ((kill * 13.7) % 40)));
        child.kill("SIGKILL");
        await once(child, "close");
        const before = await transitions(directory);
        expect(before.filter(({ to }) => to === "SHIPPED").length).toBeLessThan(TASKS);
      }
      const last = spawnSync(process.execPath, [
        worker,
        directory,
        join(directory, "log"),
        String(TASKS),
        "the same",
      ]);
      expect(String(last.stdout)).toContain("finished");
      const moved = await transitions(directory);
      for (const to of ["IN_PROGRESS", "SHIPPED"] as const) {
        const tasks = moved.filter((event) => event.to === to).map(({ task }) => task);
        expect(tasks).toHaveLength(TASKS);
        expect(new Set(tasks).size).toBe(TASKS);
      }
      // What a killed process had begun was begun again with the same attempt, and nothing else was.
      const began = readFileSync(join(directory, "log"), "utf8").trim().split("\n");
      expect(new Set(began).size).toBe(TASKS);
      expect(began.length).toBeLessThanOrEqual(TASKS + KILLS * 3);
      const file = join(directory, ".cupel/state_store/project/state_machine.json");
      expect(StateMachine.load(JSON.parse(readFileSync(file, "utf8"))).finished).toBe(true);
      expect((await checkStateStore(directory, { repair: false })).problems).toEqual([]);
    },
  );

  test("while another one works, a second supervisor does nothing at all", { timeout: 30_000 }, async () => {
    const directory = temporaryDirectory();
    const first = start(directory, "one");
    await once(first.stdout, "data");
    const second = spawnSync(process.execPath, [
      worker,
      directory,
      join(directory, "log2"),
      String(TASKS),
      "two",
    ]);
    expect([second.status, String(second.stdout)]).toEqual([14, "held by one\n"]);
    expect(existsSync(join(directory, "log2"))).toBe(false);
    await once(first, "close");
    expect((await transitions(directory)).filter(({ to }) => to === "SHIPPED")).toHaveLength(TASKS);
  });

  test("one whose lease was taken over writes nothing any more", { timeout: 30_000 }, async () => {
    const directory = temporaryDirectory();
    const first = spawn(
      process.execPath,
      [worker, directory, join(directory, "log"), String(TASKS), "the same"],
      {
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let said = "";
    first.stderr.on("data", (text: Buffer) => (said += text.toString()));
    await once(first.stdout, "data");
    const second = start(directory, "the same");
    await Promise.all([once(first, "close"), once(second, "close")]);
    expect(said).toMatch(/stale_fence|nothing was written/);
    const shipped = (await transitions(directory)).filter(({ to }) => to === "SHIPPED");
    expect(new Set(shipped.map(({ task }) => task)).size).toBe(TASKS);
    expect(shipped).toHaveLength(TASKS);
  });
});
