// A product goes out: gates, manifest, tag, the person's repository; again, in part, and as it would be for anyone.
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ReleaseManifest } from "../src/domain/people/release.ts";
import type { ReleaseOrder, ReleaseOutcome, ReleasePorts } from "../src/release/port.ts";
import { release } from "../src/release/release.ts";
import { checkStateStore } from "../src/store/state-store.ts";
import { commitSample, sampleGit } from "./git-samples.ts";
import { makeReleasable } from "./releasable.ts";
import { CLAMP_TASK, openReleaseWorld, PERCENT_TASK } from "./release-samples.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "cupel-test-")));
const template = join(place, "template");
const signal = new AbortController().signal;
const FULL: ReleaseOrder = { scope: "full", signal };

beforeAll(() => makeReleasable(template), 60_000);
afterAll(() => rmSync(place, { recursive: true }));

async function world(name: string): Promise<ReleasePorts> {
  const project = join(place, name);
  cpSync(template, project, { recursive: true });
  const ports = await openReleaseWorld(project);
  onTestFinished(() => ports.store.close());
  return ports;
}

function released(outcome: ReleaseOutcome): Extract<ReleaseOutcome, { kind: "released" }> {
  if (outcome.kind !== "released") throw new Error(JSON.stringify(outcome, null, 2));
  return outcome;
}

describe("a full release", () => {
  test("is judged by five gates, kept, tagged, delivered; and the same when nothing has changed", async () => {
    const ports = await world("full");
    const first = released(await release(ports, FULL));
    expect(first).toMatchObject({ tag: "v1.0.0", again: false, delivery: { kind: "delivered" } });
    const { manifest } = first;
    expect(manifest.evidence.map(({ gate, result, denominator }) => [gate, result, denominator])).toEqual([
      ["dependency_check", "PASS", 3],
      ["fingerprint_check", "PASS", expect.any(Number)],
      ["deprecation_check", "PASS", 3],
      ["code_index_check", "PASS", 4],
      ["e2e_check", "PASS", 2],
    ]);
    for (const verdict of manifest.evidence) expect(verdict).toHaveProperty("planted");
    expect(manifest.modules.map(({ module_ref }) => module_ref)).toEqual([
      "MM-clamp@1.0.0",
      "MM-percent@1.0.0",
    ]);
    const { project, gitDir } = ports.hub;
    expect(sampleGit(project, "rev-parse", "v1.0.0^{commit}")).toBe(manifest.commit);
    expect(sampleGit(gitDir, "rev-parse", "main")).toBe(manifest.commit);
    const file = join(ports.store.root, "releases", `${manifest.release_id}.json`);
    expect(ReleaseManifest.parse(JSON.parse(readFileSync(file, "utf8")))).toEqual(manifest);
    const again = released(await release(ports, FULL));
    expect(again).toEqual({ ...first, again: true, delivery: { kind: "nothing" } });
    const told = (await ports.store.journal.read(0, 1000)).filter(({ kind }) => kind === "product_released");
    expect(told).toMatchObject([{ release: manifest.release_id, version: "1.0.0" }]);
    // The modules were shipped by hand, so that only what the release has left is looked at.
    const { problems } = await checkStateStore(project, { repair: false });
    expect(JSON.stringify(problems)).not.toMatch(/REL-|releases/);
  }, 30_000);

  test("after a commit of the person is another version, and a tag of theirs is not touched", async () => {
    const ports = await world("next");
    const { project } = ports.hub;
    released(await release(ports, FULL));
    sampleGit(project, "merge", "--quiet", "--ff-only", "v1.0.0");
    const theirs = commitSample(project, { "README.md": "# Numbers\n" });
    sampleGit(project, "tag", "v1.0.1", "HEAD~1");
    const next = released(await release(ports, FULL));
    expect(next.manifest).toMatchObject({ version: "1.0.1", commit: theirs });
    expect(next.delivery).toMatchObject({ kind: "left", why: expect.stringContaining("another tag v1.0.1") });
    expect(sampleGit(project, "rev-parse", "v1.0.1")).not.toBe(theirs);
  }, 30_000);

  test("waits until every task is done", async () => {
    const ports = await world("open");
    const { entry } = await ports.store.project.task(PERCENT_TASK);
    const halted = { ...entry, status: "HALTED" as const, module_refs: [], halted_reason: "tests fail" };
    const at = "2026-11-16T00:00:00.000Z";
    await ports.store.project.commit(ports.fence, { at, entries: [[PERCENT_TASK, halted]], events: [] });
    expect(await release(ports, FULL)).toEqual({
      kind: "not-ready",
      why: "1 of the tasks are neither shipped nor abandoned",
      tasks: [{ task: PERCENT_TASK, status: "HALTED" }],
      next: `cupel resolve ${PERCENT_TASK}`,
    });
    const event = {
      kind: "task_transitioned",
      at,
      runId: "r-release",
      task: PERCENT_TASK,
    } as const;
    await ports.store.project.commit(ports.fence, {
      at,
      entries: [[PERCENT_TASK, { ...halted, status: "ABANDONED" }]],
      events: [{ ...event, from: "HALTED", to: "ABANDONED", why: "nobody needs it" }],
    });
    const { manifest } = released(await release(ports, FULL));
    expect(manifest.abandoned_tasks).toEqual([
      { task_id: PERCENT_TASK, reason: "nobody needs it", superseded_by: [] },
    ]);
    expect(manifest.tasks).toEqual([CLAMP_TASK]);
  }, 30_000);

  test("that was stopped leaves nothing", async () => {
    const ports = await world("stopped");
    const stop = new AbortController();
    const stopping = { ...ports, onStep: () => stop.abort() };
    expect(await release(stopping, { scope: "full", signal: stop.signal })).toMatchObject({
      kind: "stopped",
    });
    expect(await ports.store.artifacts.query({ type: "RELEASE_MANIFEST" })).toEqual([]);
    expect(existsSync(join(ports.store.root, "releases"))).toBe(false);
  });
});

describe("a partial release", () => {
  test("holds the modules of its tasks and what they need, and nothing else", async () => {
    const ports = await world("partial");
    const { manifest, tag } = released(
      await release(ports, { scope: "partial", tasks: [CLAMP_TASK], signal }),
    );
    expect(tag).toBe("v1.0.0-partial.1");
    expect(manifest.modules).toMatchObject([{ module_ref: "MM-clamp@1.0.0" }]);
    const { gitDir } = ports.hub;
    expect(sampleGit(gitDir, "ls-tree", "--name-only", tag, "modules/")).toBe("modules/clamp");
    const { imports } = JSON.parse(sampleGit(gitDir, "show", `${tag}:package.json`));
    expect(Object.keys(imports)).toEqual(["#modules/clamp"]);
    expect(sampleGit(gitDir, "ls-tree", "--name-only", "main", "modules/")).toContain("percent");
    const both = released(await release(ports, { scope: "partial", tasks: [PERCENT_TASK], signal }));
    expect(both.manifest.modules).toHaveLength(2);
    expect(both.tag).toBe("v1.0.0-partial.2");
  }, 30_000);

  test.each([
    ["no task", [], { code: "usage" }],
    ["a task that does not exist", ["T-text-slug-basics-009"], { code: "unknown_task" }],
  ])("of %s is refused", async (_, tasks, error) => {
    const ports = await world(`refused-${tasks.length}`);
    await expect(release(ports, { scope: "partial", tasks, signal })).rejects.toMatchObject(error);
  });
});
