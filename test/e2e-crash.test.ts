// SIGKILL while end-to-end tests are made: the same command again ends in one suite and one commit, and asks nobody twice.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { E2eStep } from "../src/release/e2e/port.ts";
import { openStateStore } from "../src/store/state-store.ts";
import { architectLines, honestAttempt, makeTried, scriptFile } from "./e2e-ground.ts";
import { sampleGit } from "./git-samples.ts";

const LONG = 300_000;
const place = realpathSync(mkdtempSync(join(tmpdir(), "cupel-test-")));
const template = join(place, "template");
const worker = fileURLToPath(new URL("e2e-worker.ts", import.meta.url));
beforeAll(() => makeTried(template), LONG);
afterAll(() => rmSync(place, { recursive: true }));

const STEPS: readonly E2eStep[] = ["asked", "written", "examined", "kept", "committed", "told"];
const SOME_STEPS: readonly E2eStep[] = ["asked", "kept", "committed"];

const Line = z.strictObject({ what: z.string(), where: z.string() });

async function run(project: string, script: string, hours: number, killAt = "") {
  const args = ["--import", "tsx", worker, project, script, killAt, String(hours)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = await Promise.all([text(child.stdout), once(child, "close")]);
  return Line.parse(JSON.parse(said.trim().split("\n").at(-1) ?? ""));
}

async function stateOf(project: string) {
  const store = openStateStore(project, { durability: "normal", missing: "refuse" });
  const events = await store.journal.read(0, 10_000);
  const suites = await store.artifacts.query({ type: "TEST_SUITE" });
  const waiting = await store.inbox.open();
  await store.close();
  const count = (kind: string) => events.filter((event) => event.kind === kind).length;
  return {
    suites: suites.length,
    commits: sampleGit(project, "--git-dir=.cupel/hub.git", "log", "--format=%s", "main")
      .split("\n")
      .filter((line) => line.startsWith("e2e:")).length,
    accepted: count("e2e_suite_accepted"),
    refused: count("e2e_suite_refused"),
    answers: count("role_call_finished"),
    waiting: waiting.length,
  };
}

test(
  "after every step, one kill after the other: the same command ends what the killed ones began",
  async () => {
    const project = join(place, "killed");
    cpSync(template, project, { recursive: true });
    const script = scriptFile(architectLines([{}, honestAttempt]));
    const steps = process.env["CUPEL_LONG"] === "1" ? STEPS : SOME_STEPS;
    for (const [hours, step] of steps.entries())
      expect(await run(project, script, hours, step)).toEqual({ what: "killed", where: step });
    expect(await run(project, script, steps.length)).toEqual({ what: "outcome", where: "accepted" });
    expect(await stateOf(project)).toEqual({
      suites: 1,
      commits: 1,
      accepted: 1,
      refused: 1,
      // What was answered before a kill is not asked for again.
      answers: 2,
      waiting: 0,
    });
  },
  LONG,
);

test(
  "while it halts: the person is asked once, and then it goes on",
  async () => {
    const project = join(place, "halted");
    cpSync(template, project, { recursive: true });
    const script = scriptFile([...architectLines([{}, {}, {}]), ...architectLines([honestAttempt], 2)]);
    expect(await run(project, script, 0, "halted")).toEqual({ what: "killed", where: "halted" });
    expect(await stateOf(project)).toMatchObject({ waiting: 1, refused: 3, commits: 0 });
    // The killed one had not come to its end, so this one does; the next begins a round.
    expect(await run(project, script, 1)).toEqual({ what: "outcome", where: "halted" });
    expect(await stateOf(project)).toMatchObject({ waiting: 1, refused: 3 });
    expect(await run(project, script, 2)).toEqual({ what: "outcome", where: "accepted" });
    expect(await stateOf(project)).toMatchObject({ waiting: 0, commits: 1, accepted: 1, answers: 4 });
  },
  LONG,
);
