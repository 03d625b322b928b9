// SIGKILL in the middle of a call: the run is free when its lease has run out, and what the call held back stays counted.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { proposer } from "../src/agents/roles/proposer.ts";
import { openWorks } from "../src/factory/works.ts";
import { checkStateStore, openStateStore } from "../src/store/state-store.ts";
import { proposerInput } from "./agent-samples.ts";
import { temporaryDirectory } from "./temporary.ts";
import { KEY, writeProject } from "./works-samples.ts";

const WORKER = fileURLToPath(new URL("works-worker.ts", import.meta.url));
const TTL_MS = 30_000;

const TIMEOUT = { timeout: 60_000 };

test(
  "a killed process loses its run, and nothing of what it told and held back is lost",
  TIMEOUT,
  async () => {
    const project = temporaryDirectory();
    // Room for one call of a role of this tier, not for two.
    const config = { budget: { tokens: 300_000 } };
    const replay = writeProject(project, [{ latencyMs: 60_000 }, {}], config);
    const worker = spawn(
      process.execPath,
      ["--import", "tsx", WORKER, project, replay, "r-1", String(TTL_MS)],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(worker.stdout, "data");
    await expect.poll(() => kindsIn(project), { timeout: 10_000 }).toContain("role_call_started");

    const again = { project, replay, runId: "r-1", env: {} };
    const held = {
      code: "run_held",
      message: expect.stringMatching(`^process ${worker.pid} on .+ works on the run r-1$`),
    };
    await expect(openWorks(again)).rejects.toMatchObject(held);
    worker.kill("SIGKILL");
    await once(worker, "close");
    await expect(openWorks(again)).rejects.toMatchObject(held);

    const works = await openWorks({ ...again, now: () => Date.now() + TTL_MS });
    try {
      expect(works.budget()).toMatchObject({ run: { tokens: 216_000 }, reservations: {} });
      const key = { ...KEY, attempt: 2 };
      const { signal } = new AbortController();
      const outcome = await works.ask(proposer, { input: proposerInput(), key, tools: [], signal });
      expect(outcome).toMatchObject({
        kind: "over-budget",
        cap: { scope: "run", unit: "tokens", spent: 216_000, reserved: 0, asked: 216_000 },
      });
    } finally {
      await works.close();
    }
    expect(await kindsIn(project)).toEqual([
      "run_opened",
      "role_call_started",
      "role_call_failed",
      "run_opened",
      "budget_exhausted",
      "run_closed",
    ]);
    expect((await checkStateStore(project, { repair: false })).problems).toEqual([]);
  },
);

const KILLS = process.env["CUPEL_LONG"] === "1" ? 60 : 3;
const CALLS = 200;

test(
  `${KILLS} kills in a busy run: each call has its end, and all that was paid is counted`,
  { timeout: 30_000 + KILLS * 15_000 },
  async () => {
    const project = temporaryDirectory();
    let seen = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const attempts = Array.from({ length: CALLS }, (_, call) => kill * CALLS + call + 1);
      const lines = attempts.map((attempt) => ({
        latencyMs: 2,
        key: { role: "proposer" as const, ...KEY, attempt },
      }));
      const replay = writeProject(project, lines, { budget: { usd: 1000 } });
      const calls = [String(attempts.at(0)), String(attempts.at(-1))];
      const args = ["--import", "tsx", WORKER, project, replay, "r-1", "1", ...calls];
      const worker = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      let said = "";
      worker.stdout.on("data", (text: Buffer) => (said += text.toString()));
      await expect.poll(() => said, { timeout: 20_000 }).toContain("asked");
      // A leap through the range instead of chance: every run of the test tries the same moments.
      await new Promise((resolve) => setTimeout(resolve, (kill * 37.7) % 90));
      worker.kill("SIGKILL");
      await once(worker, "close");

      const works = await openWorks({ project, replay, runId: "r-1", env: {} });
      const { run, reservations } = works.budget();
      await works.close();
      const calledAndEnded = await callsIn(project);
      expect(calledAndEnded.open).toEqual([]);
      expect(calledAndEnded.ended).toBeGreaterThan(seen);
      seen = calledAndEnded.ended;
      // What a killed call held back counts on top of what ended calls told.
      expect(run.tokens).toBeGreaterThanOrEqual(calledAndEnded.tokens);
      expect(run.tokens).toBeLessThanOrEqual(calledAndEnded.tokens + (kill + 1) * 216_000);
      expect(reservations).toEqual({});
    }
    expect((await checkStateStore(project, { repair: false })).problems).toEqual([]);
  },
);

async function callsIn(project: string): Promise<{ open: string[]; ended: number; tokens: number }> {
  const store = openStateStore(project, { durability: "normal", missing: "refuse" });
  const open = new Map<number, string>();
  let [ended, tokens] = [0, 0];
  for (const event of await store.journal.read(0, 100_000, "r-1")) {
    if (event.kind === "role_call_started") {
      open.set(event.attempt, `attempt ${event.attempt}`);
    } else if (event.kind === "role_call_finished" || event.kind === "role_call_failed") {
      expect(open.delete(event.attempt)).toBe(true);
      ended += 1;
      if (event.usage !== "unknown") tokens += event.usage.inputTokens + event.usage.outputTokens;
    }
  }
  await store.close();
  return { open: [...open.values()], ended, tokens };
}

async function kindsIn(project: string): Promise<string[]> {
  const store = openStateStore(project, { durability: "normal", missing: "refuse" });
  try {
    return (await store.journal.read(0, 100, "r-1")).map(({ kind }) => kind);
  } finally {
    await store.close();
  }
}
