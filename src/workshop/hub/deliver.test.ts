// Delivery: a plain fast-forward or nothing at all.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
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

  test("gets a folder where a tracked file or link was, and files in folders that are there", async () => {
    const result = { file: null, "file/x": "x\n", link: null, "link/x": "x\n", "keep/new/x": "x\n" };
    const { project, hub } = await withResult(result, (dir) => {
      commitSample(dir, { file: "f\n", link: { link: "keep" }, "keep/a": "a\n" });
      writeSample(dir, { "keep/untracked": "mine\n" });
    });
    expect((await deliver(hub, "main")).kind).toBe("delivered");
    expect(sampleGit(project, "status", "--porcelain")).toBe("?? keep/untracked");
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

/** What a person is told to type when it would be dangerous to go on, before the names. */
const LOOK = "git fetch .cupel/hub.git main && git diff HEAD FETCH_HEAD";
const DANGEROUS: ReadonlySet<string> = new Set(["factory-files", "runs-later", "overwrites"]);

function ignoredFile(project: string, path = "data"): void {
  writeFileSync(join(project, ".git", "info", "exclude"), "data\n");
  writeFileSync(join(project, path), "the only copy\n");
}

function ignoredLink(project: string): void {
  writeFileSync(join(project, ".git", "info", "exclude"), "data\n");
  mkdirSync(join(project, "..", "elsewhere"));
  symlinkSync("../elsewhere", join(project, "data"));
}

describe("nothing is touched, and the command is given, when", () => {
  type Case = [string, string, SampleFiles, (project: string) => void];
  test.each<Case>([
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
      "overwrites",
      { "b/c": "b\n" },
      (dir) => writeSample(dir, { b: "mine\n" }),
    ],
    ...["data/x", "data/deep/er/x"].flatMap((path): Case[] => [
      [
        `an ignored file is where a folder of ${path} must be`,
        "overwrites",
        { [path]: "agent\n" },
        ignoredFile,
      ],
      [
        `an ignored link is where a folder of ${path} must be`,
        "overwrites",
        { [path]: "agent\n" },
        ignoredLink,
      ],
    ]),
    [
      "an ignored file is where a folder deeper down must be",
      "overwrites",
      { "new/data/x": "agent\n" },
      (dir) => {
        mkdirSync(join(dir, "new"));
        ignoredFile(dir, "new/data");
      },
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
    const files = "files" in outcome ? outcome.files : [];
    const command = DANGEROUS.has(reason) ? `${LOOK} -- ${files.join(" ")}` : COMMAND;
    expect(outcome).toMatchObject({ kind: "left", reason, command });
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

  test.each<[string, (project: string) => void, string]>([
    ["a change is not committed", (dir) => writeSample(dir, { "a.txt": "mine\n" }), "not-clean"],
    [
      "a revert is in progress",
      (dir) => writeFileSync(join(dir, ".git", "REVERT_HEAD"), head(dir)),
      "in-progress",
    ],
  ])("%s, and a hook comes with it: the hook is told", async (_, prepare, reason) => {
    for (const [path, expected] of [
      ["hooks/pre-commit", "runs-later"],
      ["b.txt", reason],
    ] as const) {
      const { project, hub } = await withResult({ [path]: "x\n" }, (dir) => {
        sampleGit(dir, "config", "core.hooksPath", "hooks");
      });
      prepare(project);
      expect(await deliver(hub, "main")).toMatchObject({ kind: "left", reason: expected });
    }
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
