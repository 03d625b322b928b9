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

test("a killed process loses its run, and nothing of what it told and held back is lost", async () => {
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
});

async function kindsIn(project: string): Promise<string[]> {
  const store = openStateStore(project, { durability: "normal", missing: "refuse" });
  try {
    return (await store.journal.read(0, 100, "r-1")).map(({ kind }) => kind);
  } finally {
    await store.close();
  }
}
