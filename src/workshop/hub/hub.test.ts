// The hub: made once however many make it, whole after a kill at any moment, and never at the person's cost.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { squashMerge } from "../git/merge.ts";
import { createBranch, listRefs, moveBranch, tipOf } from "../git/refs.ts";
import { openHub, refresh } from "./hub.ts";
import { commitSample, sampleGit, sampleProject, writeSample } from "../../../test/git-samples.ts";
import { everythingOf } from "../../../test/repository-picture.ts";

const head = (project: string) => sampleGit(project, "rev-parse", "HEAD");

describe("openHub", () => {
  test("copies the checked-out branch and leaves the person's repository as it was", async () => {
    const project = sampleProject();
    sampleGit(project, "branch", "private");
    const before = everythingOf(project);
    const hub = await openHub(project);
    expect(everythingOf(project)).toEqual(before);
    expect(await listRefs(hub.gitDir, "refs/")).toEqual([{ name: "refs/heads/main", commit: head(project) }]);
    expect(readFileSync(join(project, ".cupel", ".gitignore"), "utf8")).toBe("*\n");
    expect(sampleGit(project, "status", "--porcelain")).toBe("");
    expect(existsSync(join(hub.gitDir, "objects", "info", "alternates"))).toBe(false);
    sampleGit(hub.gitDir, "fsck", "--strict");
  });

  test("opens the same hub again", async () => {
    const project = sampleProject();
    const first = await openHub(project);
    await createBranch(first.gitDir, "work", head(project));
    const second = await openHub(project);
    expect(second.gitDir).toBe(first.gitDir);
    expect(await tipOf(second.gitDir, "work")).toBe(head(project));
  });

  test("also copies a branch that was checked out later", async () => {
    const project = sampleProject();
    await openHub(project);
    sampleGit(project, "checkout", "-qb", "feature/x");
    const tip = commitSample(project, { "b.txt": "b\n" });
    const hub = await openHub(project);
    expect([hub.branch, await tipOf(hub.gitDir, "feature/x")]).toEqual(["feature/x", tip]);
  });

  test("by 8 callers at once makes one hub and leaves no scrap", async () => {
    const project = sampleProject();
    const hubs = await Promise.all(Array.from({ length: 8 }, () => openHub(project)));
    expect(new Set(hubs.map(({ gitDir }) => gitDir)).size).toBe(1);
    expect(readdirSync(join(project, ".cupel")).toSorted()).toEqual([".gitignore", "hub.git"]);
  });

  test("bytes stay bytes and drivers stay unused, whatever tracked attributes say", async () => {
    const project = sampleProject({
      ".gitattributes": "* text eol=lf ident merge=evil filter=evil\n",
      f: "$Id$\n",
    });
    const { gitDir } = await openHub(project);
    const attributes = sampleGit(gitDir, "check-attr", "-a", "f").split("\n");
    expect(attributes.filter((line) => /: (merge|diff|conflict-marker-size): /.test(line))).toEqual([]);
    expect(attributes).toContain("f: text: unset");
    expect(attributes).toContain("f: filter: unset");
    expect(sampleGit(gitDir, "show", "main:f")).toBe("$Id$");
  });

  test("survives the person's own clean-up", async () => {
    const project = sampleProject();
    const { gitDir } = await openHub(project);
    commitSample(project, { "a.txt": "rewritten\n" });
    sampleGit(project, "commit", "-q", "--amend", "-m", "again");
    sampleGit(project, "reflog", "expire", "--expire=now", "--all");
    sampleGit(project, "gc", "--quiet", "--prune=now");
    expect(sampleGit(gitDir, "fsck", "--strict")).toBe("");
  });

  test.each([
    "with space",
    "ünï",
    "line\nbreak",
    "-dash",
    "colon:name",
    "quo'te\"",
    "back\\slash",
    "tab\tin",
  ])("works in a folder called %j", async (name) => {
    const project = sampleProject({ "a b/-x\ny": "1\n" }, { name });
    const hub = await openHub(project);
    expect(await tipOf(hub.gitDir, "main")).toBe(head(project));
  });

  test("keeps ids of the repository's kind", async () => {
    const project = sampleProject({ a: "1" }, { format: "sha256" });
    const hub = await openHub(project);
    expect(await tipOf(hub.gitDir, "main")).toMatch(/^[0-9a-f]{64}$/);
    await createBranch(hub.gitDir, "child", head(project));
    expect(await squashMerge(hub.gitDir, "child", { branch: "main", message: "m\n" })).toEqual({
      kind: "nothing",
    });
  });

  test("copies a shallow clone", async () => {
    const origin = sampleProject();
    commitSample(origin, { "b.txt": "b\n" });
    const project = join(origin, "..", "shallow");
    sampleGit(origin, "clone", "-q", "--depth=1", `file://${origin}`, project);
    const hub = await openHub(project);
    expect(hub.facts.shallow).toBe(true);
    expect(await tipOf(hub.gitDir, "main")).toBe(head(project));
    sampleGit(hub.gitDir, "fsck", "--strict");
    const next = commitSample(project, { "c.txt": "c\n" });
    expect(await refresh(hub)).toMatchObject({ kind: "updated", to: next });
  });

  test("copies from a linked work tree", async () => {
    const main = sampleProject();
    const linked = join(main, "..", "linked");
    sampleGit(main, "worktree", "add", "-q", "-b", "side", linked);
    const tip = commitSample(linked, { "b.txt": "b\n" });
    const hub = await openHub(linked);
    expect([hub.branch, await tipOf(hub.gitDir, "side")]).toEqual(["side", tip]);
  });
});

describe("openHub refuses", () => {
  test("a hub that the repository brought along, since that brings its own settings", async () => {
    const project = sampleProject({ "a.txt": "1", ".cupel/hub.git/config": "[core]\n\tfsmonitor = evil\n" });
    await expect(openHub(project)).rejects.toMatchObject({
      code: "not_a_repository",
      hint: expect.stringMatching(/git rm -r --cached/),
    });
  });

  test("a .cupel that leads elsewhere", async () => {
    const project = sampleProject();
    mkdirSync(join(project, "..", "elsewhere"));
    symlinkSync("../elsewhere", join(project, ".cupel"));
    await expect(openHub(project)).rejects.toMatchObject({ code: "not_a_repository" });
    expect(readdirSync(join(project, "..", "elsewhere"))).toEqual([]);
  });

  test("something else that is called hub.git", async () => {
    const project = sampleProject();
    writeSample(project, { ".cupel/hub.git/notes.txt": "mine" });
    await expect(openHub(project)).rejects.toMatchObject({
      code: "git_failed",
      hint: expect.stringMatching(/move it away/),
    });
    expect(readFileSync(join(project, ".cupel/hub.git/notes.txt"), "utf8")).toBe("mine");
  });
});

describe("refresh", () => {
  test("follows the person's commits", async () => {
    const project = sampleProject();
    const from = head(project);
    const hub = await openHub(project);
    expect(await refresh(hub)).toEqual({ kind: "current", commit: from });
    const to = commitSample(project, { "b.txt": "b\n" });
    expect(await refresh(hub)).toEqual({ kind: "updated", from, to });
    expect(await tipOf(hub.gitDir, "main")).toBe(to);
  });

  test("keeps results that the checkout does not have yet", async () => {
    const { project, hub, result } = await withResult();
    expect(await refresh(hub)).toEqual({ kind: "ahead", commit: result, source: head(project) });
    expect(await tipOf(hub.gitDir, "main")).toBe(result);
  });

  test("touches nothing when both went on, and says what to type", async () => {
    const { project, hub, result } = await withResult();
    const source = commitSample(project, { "mine.txt": "m\n" });
    expect(await refresh(hub)).toEqual({
      kind: "diverged",
      commit: result,
      source,
      hint: "git fetch .cupel/hub.git main && git merge FETCH_HEAD",
    });
    expect(await tipOf(hub.gitDir, "main")).toBe(result);
  });

  test("by 20 callers at once while the person commits: none fails", { timeout: 20_000 }, async () => {
    const project = sampleProject();
    const hub = await openHub(project);
    const to = commitSample(project, { "b.txt": "b\n" });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => refresh(hub)));
    expect(outcomes.map(({ kind }) => kind).every((kind) => kind === "updated" || kind === "current")).toBe(
      true,
    );
    expect(await tipOf(hub.gitDir, "main")).toBe(to);
  });
});

const KILLS = process.env["CUPEL_LONG"] === "1" ? 60 : 8;

test(
  `${KILLS} kills while it is made: what is called hub.git is whole`,
  { timeout: 20_000 + KILLS * 2000 },
  async () => {
    const names = Array.from({ length: 300 }, (_, index) => `d${index % 10}/f${index}`);
    const project = sampleProject(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
    const gitDir = join(project, ".cupel", "hub.git");
    for (let kill = 0; kill < KILLS; kill += 1) {
      await openUntilKilled(project, (kill * 37) % 230);
      if (!existsSync(gitDir)) continue;
      expect(await tipOf(gitDir, "main")).toBe(head(project));
      expect(sampleGit(gitDir, "fsck", "--strict")).toBe("");
      rmSync(gitDir, { recursive: true });
    }
    // What a killed process had started may still write into its scrap for a moment.
    const left = async () => {
      const hub = await openHub(project);
      return [await tipOf(hub.gitDir, "main"), ...readdirSync(join(project, ".cupel")).toSorted()];
    };
    await expect.poll(left, { timeout: 5000 }).toEqual([head(project), ".gitignore", "hub.git"]);
  },
);

async function openUntilKilled(project: string, afterMs: number): Promise<void> {
  const module = JSON.stringify(new URL("hub.ts", import.meta.url).href);
  const script = `import(${module}).then(({ openHub }) => (console.log("go"), openHub(${JSON.stringify(project)})))`;
  const child = spawn(process.execPath, ["--import", "tsx", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise((resolve) => {
    child.once("close", resolve);
  });
  await new Promise((resolve) => {
    child.stdout.once("data", resolve);
  });
  await sleep(afterMs);
  child.kill("SIGKILL");
  await closed;
}

async function withResult() {
  const project = sampleProject();
  const hub = await openHub(project);
  const tree = sampleGit(hub.gitDir, "rev-parse", "main^{tree}");
  const result = sampleGit(hub.gitDir, "commit-tree", tree, "-p", "main", "-m", "result");
  await moveBranch(hub.gitDir, "main", head(project), result);
  return { project, hub, result };
}
