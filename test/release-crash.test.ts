// SIGKILL while a product is released: the same command again ends in one release with one tag, told once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { ReleaseOutcome, ReleaseStep } from "../src/release/port.ts";
import { release } from "../src/release/release.ts";
import { commitSample, sampleGit } from "./git-samples.ts";
import { makeReleasable } from "./releasable.ts";
import { openReleaseWorld } from "./release-samples.ts";
import { bundleWorker } from "./worker-bundle.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "cupel-test-")));
const template = join(place, "template");
const worker = join(place, "worker.mjs");
const STEPS: readonly ReleaseStep[] = ["judged", "recorded", "written", "tagged", "told", "delivered"];

beforeAll(async () => {
  await bundleWorker("release-worker.ts", worker);
  await makeReleasable(template);
}, 60_000);
afterAll(() => rmSync(place, { recursive: true }));

const Line = z.strictObject({ what: z.string(), where: z.string() });

async function run(project: string, runId: string, killAt = ""): Promise<z.infer<typeof Line>> {
  const child = spawn(process.execPath, [worker, project, runId, killAt], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, "close")]);
  return Line.parse(JSON.parse(said.trim().split("\n").at(-1) ?? ""));
}

async function released(project: string, runId = "r-last"): Promise<ReleaseOutcome> {
  const ports = await openReleaseWorld(project, { runId });
  try {
    return await release(ports, { scope: "full", signal: new AbortController().signal });
  } finally {
    await ports.store.close();
  }
}

async function stateOf(project: string) {
  const ports = await openReleaseWorld(project, { runId: `r-look-${Math.random().toString(36).slice(2)}` });
  const manifests = await ports.store.artifacts.query({ type: "RELEASE_MANIFEST" });
  const told = (await ports.store.journal.read(0, 1000)).filter(({ kind }) => kind === "product_released");
  await ports.store.close();
  return {
    manifests: manifests.length,
    told: told.length,
    files: readdirSync(join(ports.store.root, "releases")).length,
    inHub: sampleGit(ports.hub.gitDir, "tag", "--list"),
    delivered: sampleGit(project, "tag", "--list"),
  };
}

test("after every step, one kill after the other: the same command ends what the killed ones began", async () => {
  const project = join(place, "killed");
  cpSync(template, project, { recursive: true });
  for (const step of STEPS)
    expect(await run(project, `r-${step}`, step)).toEqual({ what: "killed", where: step });
  expect(await released(project)).toMatchObject({ kind: "released", tag: "v1.0.0", again: true });
  expect(await stateOf(project)).toEqual({
    manifests: 1,
    told: 1,
    files: 1,
    inHub: "v1.0.0",
    delivered: "v1.0.0",
  });
}, 60_000);

test("after it was recorded, and the product has changed since: both releases are brought to their end", async () => {
  const project = join(place, "changed");
  cpSync(template, project, { recursive: true });
  expect(await run(project, "r-1", "recorded")).toMatchObject({ what: "killed" });
  sampleGit(project, "fetch", "--quiet", ".cupel/hub.git", "main");
  sampleGit(project, "merge", "--quiet", "--ff-only", "FETCH_HEAD");
  commitSample(project, { "README.md": "# Numbers\n" });
  expect(await released(project)).toMatchObject({ kind: "released", tag: "v1.0.1" });
  expect(await stateOf(project)).toEqual({
    manifests: 2,
    told: 2,
    files: 2,
    inHub: "v1.0.0\nv1.0.1",
    delivered: "v1.0.0\nv1.0.1",
  });
}, 30_000);

test("two at once make one release", async () => {
  const project = join(place, "two");
  cpSync(template, project, { recursive: true });
  const ends = await Promise.all([released(project, "r-1"), released(project, "r-2")]);
  expect(ends).toMatchObject([{ tag: "v1.0.0" }, { tag: "v1.0.0" }]);
  expect(await stateOf(project)).toMatchObject({ manifests: 1, told: 1, inHub: "v1.0.0" });
}, 30_000);
