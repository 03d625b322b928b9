// Delivery: a plain fast-forward or nothing at all.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deliver } from "./deliver.ts";
import { moveBranch } from "../git/refs.ts";
import { openHub } from "./hub.ts";
import { COMMAND, deliveryBase as base, head, withResult } from "../../../test/delivery-samples.ts";
import { commitSample, sampleGit, sampleProject, writeSample } from "../../../test/git-samples.ts";
import type { SampleFiles } from "../../../test/git-samples.ts";
import { differences, everythingOf } from "../../../test/repository-picture.ts";

describe("a clean checkout on the branch", () => {
  test("is fast-forwarded; nothing else of the person's changes", async () => {
    const { project, hub, to } = await withResult(
      { "a.txt": "two\n", "new/b.txt": "b\n", "keep.txt": null },
      (dir) => {
        sampleGit(dir, "branch", "other");
        sampleGit(dir, "tag", "v1");
        writeSample(dir, { "a.txt": "stashed\n" });
        sampleGit(dir, "stash", "-q");
        writeSample(dir, { "untracked.txt": "mine\n" });
      },
    );
    const before = everythingOf(project);
    const from = head(project);
    const files = ["a.txt", "keep.txt", "new/b.txt"];
    expect(await deliver(hub, "main")).toEqual({ kind: "delivered", from, to, files });
    expect(differences(before, everythingOf(project))).toEqual([
      ".git/index",
      ".git/logs/HEAD",
      ".git/logs/refs/heads/main",
      ".git/refs/heads/main",
      ...files,
      "objects",
    ]);
    expect(sampleGit(project, "status", "--porcelain")).toBe("?? untracked.txt");
    expect(sampleGit(project, "reflog", "-1", "--format=%gs")).toBe("cupel: fast-forward");
    sampleGit(project, "fsck", "--strict");
  });

  test("gets nothing when there is nothing new, or when it is ahead", async () => {
    const project = sampleProject(base);
    const hub = await openHub(project);
    expect(await deliver(hub, "main")).toEqual({ kind: "nothing" });
  });

  test("gets links, modes and odd names as they are", async () => {
    const { project, hub } = await withResult({
      link: { link: "a.txt" },
      run: { text: "#!/bin/sh\n", executable: true },
      "-rf\n ü": "odd\n",
      crlf: "1\r\n2\n",
    });
    expect((await deliver(hub, "main")).kind).toBe("delivered");
    expect(sampleGit(project, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(project, "crlf"), "latin1")).toBe("1\r\n2\n");
  });

  test("is forwarded once when two processes deliver at once", async () => {
    const { project, hub, to } = await withResult({ "a.txt": "two\n", "b.txt": "b\n" });
    const outcomes = await Promise.all([deliver(hub, "main"), deliver(hub, "main")]);
    expect(outcomes.map(({ kind }) => kind)).toContain("delivered");
    expect([head(project), sampleGit(project, "status", "--porcelain")]).toEqual([to, ""]);
  });

  test("is finished when a process was killed between the files and the branch", async () => {
    const { project, hub, to } = await withResult({ "a.txt": "two\n", "b.txt": "b\n" });
    sampleGit(project, "fetch", "-q", ".cupel/hub.git", "main");
    sampleGit(project, "read-tree", "-m", "-u", "HEAD", to);
    expect(await deliver(hub, "main")).toMatchObject({ kind: "delivered", to });
    expect([head(project), sampleGit(project, "status", "--porcelain")]).toEqual([to, ""]);
  });

  test("works in a linked work tree, a shallow clone and a sha256 repository", async () => {
    const origin = sampleProject(base);
    commitSample(origin, { "second.txt": "2\n" });
    const shallow = join(origin, "..", "shallow");
    sampleGit(origin, "clone", "-q", "--depth=1", `file://${origin}`, shallow);
    const linked = join(origin, "..", "linked");
    sampleGit(origin, "checkout", "-q", "-b", "elsewhere");
    sampleGit(origin, "worktree", "add", "-q", linked, "main");
    for (const project of [shallow, linked, sampleProject(base, { format: "sha256" })]) {
      const hub = await openHub(project);
      const tree = sampleGit(hub.gitDir, "mktree", "--missing");
      const to = sampleGit(hub.gitDir, "commit-tree", tree, "-p", "main", "-m", "empty");
      await moveBranch(hub.gitDir, "main", head(project), to);
      expect(await deliver(hub, "main")).toMatchObject({ kind: "delivered", to });
      expect(head(project)).toBe(to);
    }
  });
});

describe("nothing is touched, and the command is given, when", () => {
  test.each<[string, string, SampleFiles, (project: string) => void]>([
    [
      "a changed file is not committed",
      "not-clean",
      { "b.txt": "b\n" },
      (dir) => writeSample(dir, { "a.txt": "mine\n" }),
    ],
    [
      "a change is staged",
      "not-clean",
      { "b.txt": "b\n" },
      (dir) => {
        writeSample(dir, { "a.txt": "mine\n" });
        sampleGit(dir, "add", "a.txt");
      },
    ],
    [
      "an untracked file is in the way",
      "overwrites",
      { "b.txt": "b\n" },
      (dir) => writeSample(dir, { "b.txt": "mine\n" }),
    ],
    [
      "an ignored file is in the way",
      "overwrites",
      { "b.txt": "b\n" },
      (dir) => {
        writeFileSync(join(dir, ".git", "info", "exclude"), "b.txt\n");
        writeSample(dir, { "b.txt": "mine\n" });
      },
    ],
    [
      "an untracked folder is in the way",
      "overwrites",
      { b: "b\n" },
      (dir) => writeSample(dir, { "b/mine": "mine\n" }),
    ],
    [
      "an untracked file is where a folder must be",
      "refused",
      { "b/c": "b\n" },
      (dir) => writeSample(dir, { b: "mine\n" }),
    ],
    [
      "another branch is checked out",
      "other-branch",
      { "b.txt": "b\n" },
      (dir) => sampleGit(dir, "checkout", "-qb", "x"),
    ],
    [
      "no branch is checked out",
      "other-branch",
      { "b.txt": "b\n" },
      (dir) => sampleGit(dir, "checkout", "-q", "--detach"),
    ],
    [
      "another git holds the index",
      "refused",
      { "b.txt": "b\n" },
      (dir) => writeFileSync(join(dir, ".git", "index.lock"), ""),
    ],
    [
      "a revert is in progress",
      "in-progress",
      { "b.txt": "b\n" },
      (dir) => writeFileSync(join(dir, ".git", "REVERT_HEAD"), `${head(dir)}\n`),
    ],
    ["it would write into .cupel", "factory-files", { ".cupel/hub.git/config": "evil\n" }, () => undefined],
    ["it would write into .CUPEL", "factory-files", { ".CUPEL/x": "evil\n" }, () => undefined],
  ])("%s", async (_, reason, result, prepare) => {
    const { project, hub } = await withResult(result);
    prepare(project);
    const before = everythingOf(project);
    const outcome = await deliver(hub, "main");
    expect(outcome).toMatchObject({ kind: "left", reason, command: COMMAND });
    const changed = differences(before, everythingOf(project));
    // git itself noticed, after the objects had come; no file, ref or index is different.
    expect(changed).toEqual(reason === "refused" ? ["objects"] : []);
  });

  test("the branch cannot be moved: the files go back", async () => {
    const { project, hub } = await withResult({ "a.txt": "two\n", "b/c.txt": "c\n", "keep.txt": null });
    const from = head(project);
    writeFileSync(join(project, ".git", "refs", "heads", "main.lock"), "");
    const before = everythingOf(project);
    expect(await deliver(hub, "main")).toMatchObject({ kind: "left", reason: "refused" });
    expect(differences(before, everythingOf(project))).toEqual([".git/index", "objects"]);
    expect([head(project), sampleGit(project, "status", "--porcelain")]).toEqual([from, ""]);
  });

  test("the person committed something else", async () => {
    const { project, hub } = await withResult({ "b.txt": "b\n" });
    commitSample(project, { "mine.txt": "m\n" });
    const before = everythingOf(project);
    const command = "git fetch .cupel/hub.git main && git merge FETCH_HEAD";
    expect(await deliver(hub, "main")).toMatchObject({ kind: "left", reason: "diverged", command });
    expect(everythingOf(project)).toEqual(before);
  });

  test("and the command does what it says", async () => {
    const { project, hub, to } = await withResult({ "b.txt": "b\n" });
    sampleGit(project, "checkout", "-q", "--detach");
    expect(await deliver(hub, "main")).toMatchObject({ kind: "left", command: COMMAND });
    sampleGit(project, "fetch", "-q", ".cupel/hub.git", "main");
    sampleGit(project, "merge", "-q", "--ff-only", "FETCH_HEAD");
    expect(head(project)).toBe(to);
  });
});
