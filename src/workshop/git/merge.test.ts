// Merges, picks and rebases on objects: whole results, structured conflicts, and no race that anybody loses.
import { describe, expect, test } from "vitest";
import { logSince, readCommit } from "./commits.ts";
import { cherryPick, fastForward, mergeTrees, squashMerge } from "./merge.ts";
import { rebase } from "./rebase.ts";
import { tipOf } from "./refs.ts";
import { commitSample, sampleGit, sampleHub } from "../../../test/git-samples.ts";
import type { SampleFiles } from "../../../test/git-samples.ts";

const base = { "shared.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" };
const show = (gitDir: string, what: string) => sampleGit(gitDir, "show", what);

describe("cherryPick", () => {
  test("brings one commit with its message, and nothing of the commits before it", async () => {
    const { gitDir, work } = sampleHub(base);
    sampleGit(work, "checkout", "-qb", "tests");
    commitSample(work, { "before.txt": "x\n" }, "before");
    const picked = commitSample(work, { "test.txt": "t\n" }, "tests: add\n\nwhy");
    sampleGit(work, "push", "-q", gitDir, "tests");
    const outcome = await cherryPick(gitDir, picked, { branch: "main" });
    expect(outcome.kind).toBe("merged");
    expect(sampleGit(gitDir, "ls-tree", "--name-only", "main").split("\n")).toEqual([
      "shared.txt",
      "test.txt",
    ]);
    expect((await readCommit(gitDir, await tipOf(gitDir, "main"))).message).toBe("tests: add\n\nwhy\n");
  });

  test("of a change that is there already is nothing, not an empty commit", async () => {
    const { gitDir, main } = sampleHub(base, { tests: { "t.txt": "t\n" } });
    const picked = await tipOf(gitDir, "tests");
    expect((await cherryPick(gitDir, picked, { branch: "main" })).kind).toBe("merged");
    expect(await cherryPick(gitDir, picked, { branch: "main" })).toEqual({ kind: "nothing" });
    expect(await logSince(gitDir, main, await tipOf(gitDir, "main"))).toHaveLength(1);
  });

  test("of a root commit brings its files", async () => {
    const { gitDir, work } = sampleHub(base);
    sampleGit(work, "checkout", "-q", "--orphan", "root");
    const root = commitSample(work, { "shared.txt": null, "root.txt": "r\n" }, "root");
    sampleGit(work, "push", "-q", gitDir, "root");
    expect((await cherryPick(gitDir, root, { branch: "main" })).kind).toBe("merged");
    expect(show(gitDir, "main:root.txt")).toBe("r");
  });

  test("that conflicts moves nothing", async () => {
    const { gitDir, main } = sampleHub(base, {
      one: { "shared.txt": base["shared.txt"].replace("5", "one") },
      two: { "shared.txt": base["shared.txt"].replace("5", "two") },
    });
    await fastForward(gitDir, "main", await tipOf(gitDir, "one"));
    const outcome = await cherryPick(gitDir, await tipOf(gitDir, "two"), { branch: "main" });
    expect(outcome).toMatchObject({
      kind: "conflict",
      report: { files: [{ path: "shared.txt", kind: "content" }] },
    });
    expect(await tipOf(gitDir, "main")).toBe(await tipOf(gitDir, "one"));
    expect(main).not.toBe(await tipOf(gitDir, "main"));
  });

  test("onto a tip that is no longer there is told so", async () => {
    const { gitDir, main } = sampleHub(base, { one: { "a.txt": "1" }, two: { "b.txt": "2" } });
    const one = await tipOf(gitDir, "one");
    await fastForward(gitDir, "main", one);
    const outcome = await cherryPick(gitDir, await tipOf(gitDir, "two"), { branch: "main", expected: main });
    expect(outcome).toEqual({ kind: "lost", found: one });
  });

  test.each(["--help", "main", "HEAD", "", "0".repeat(39)])(
    "takes no name for a commit: %j",
    async (name) => {
      const { gitDir } = sampleHub(base);
      await expect(cherryPick(gitDir, name, { branch: "main" })).rejects.toMatchObject({
        code: "invalid_input",
      });
    },
  );
});

describe("squashMerge", () => {
  test("folds a child of several commits into one commit with one parent", async () => {
    const { gitDir, work, main } = sampleHub(base);
    sampleGit(work, "checkout", "-qb", "child");
    commitSample(work, { "a.txt": "a\n" });
    commitSample(work, { "b.txt": "b\n" });
    sampleGit(work, "push", "-q", gitDir, "child");
    const message = "feat(child): implement\n";
    const outcome = await squashMerge(gitDir, "child", { branch: "main", message, at: new Date(9000) });
    expect(outcome.kind).toBe("merged");
    const log = await logSince(gitDir, main, await tipOf(gitDir, "main"));
    expect(log).toMatchObject([{ parents: [main], message, at: new Date(9000) }]);
    expect(await squashMerge(gitDir, "child", { branch: "main", message })).toEqual({ kind: "nothing" });
  });

  test("20 children into one parent at once: all of them arrive", { timeout: 120_000 }, async () => {
    const names = Array.from({ length: 20 }, (_, index) => `child${index}`);
    const children = Object.fromEntries(
      names.map((name): [string, SampleFiles] => [name, { [`${name}.txt`]: name }]),
    );
    const { gitDir, main } = sampleHub(base, children);
    const outcomes = await Promise.all(
      names.map((name) =>
        squashMerge(gitDir, name, { branch: "main", message: `feat(${name}): implement\n` }),
      ),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(names.map(() => "merged"));
    const log = await logSince(gitDir, main, await tipOf(gitDir, "main"));
    expect(log).toHaveLength(20);
    expect(sampleGit(gitDir, "ls-tree", "--name-only", "main").split("\n")).toHaveLength(21);
    sampleGit(gitDir, "fsck", "--strict");
  });
});

test("mergeTrees joins histories that have nothing in common", async () => {
  const { gitDir, work, main } = sampleHub(base);
  sampleGit(work, "checkout", "-q", "--orphan", "root");
  const root = commitSample(work, { "shared.txt": null, "root.txt": "r\n" });
  sampleGit(work, "push", "-q", gitDir, "root");
  expect((await mergeTrees(gitDir, main, root)).kind).toBe("clean");
});

describe("fastForward", () => {
  test("moves along, stays when there is nothing new, and refuses what parted", async () => {
    const { gitDir, main } = sampleHub(base, { merge: { "a.txt": "a" }, other: { "b.txt": "b" } });
    const merge = await tipOf(gitDir, "merge");
    expect(await fastForward(gitDir, "main", merge)).toEqual({ kind: "forwarded", from: main, to: merge });
    expect(await fastForward(gitDir, "main", main)).toEqual({ kind: "nothing" });
    expect(await fastForward(gitDir, "main", await tipOf(gitDir, "other"))).toEqual({
      kind: "diverged",
      at: merge,
    });
    expect(await tipOf(gitDir, "main")).toBe(merge);
  });
});

describe("rebase", () => {
  test("replays each commit onto the sibling's work, keeping messages and times", async () => {
    const { gitDir, first, second } = cascade();
    const onto = await tipOf(gitDir, "sibling");
    const before = (await logSince(gitDir, onto, second)).map(({ message, at }) => ({ message, at }));
    const outcome = await rebase(gitDir, "draft", { onto });
    expect(outcome).toMatchObject({ kind: "rebased", commits: [{ old: first }, { old: second }] });
    const tip = await tipOf(gitDir, "draft");
    const log = await logSince(gitDir, onto, tip);
    expect(log.map(({ message, at }) => ({ message, at }))).toEqual(before);
    expect(log[0]?.parents).toEqual([onto]);
    expect(sampleGit(gitDir, "ls-tree", "--name-only", tip).split("\n")).toHaveLength(3);
    expect(await rebase(gitDir, "draft", { onto })).toEqual({ kind: "nothing" });
  });

  test("stops at the commit that does not fit, says what was done, and moves nothing", async () => {
    const { gitDir, work, main, first, second } = cascade();
    sampleGit(work, "checkout", "-qb", "canon", main);
    const onto = commitSample(work, { "shared.txt": base["shared.txt"].replace("5", "canon") });
    sampleGit(work, "push", "-q", gitDir, "canon");
    const outcome = await rebase(gitDir, "draft", { onto });
    expect(outcome).toMatchObject({
      kind: "conflict",
      at: second,
      done: [{ old: first }],
      report: {
        files: [{ path: "shared.txt", hunks: [{ ours: { text: "canon\n" }, theirs: { text: "draft\n" } }] }],
      },
    });
    expect(await tipOf(gitDir, "draft")).toBe(second);
  });

  test("leaves out a commit that the new base holds already", async () => {
    const { gitDir, first, second } = cascade();
    await cherryPick(gitDir, first, { branch: "sibling" });
    const outcome = await rebase(gitDir, "draft", { onto: await tipOf(gitDir, "sibling") });
    expect(outcome).toMatchObject({
      kind: "rebased",
      commits: [{ old: first, new: undefined }, { old: second }],
    });
  });

  test("leaves behind what it is told to, such as the old form of a parent", async () => {
    const { gitDir, first, second } = cascade();
    const onto = await tipOf(gitDir, "sibling");
    const outcome = await rebase(gitDir, "draft", { onto, upstream: first });
    expect(outcome).toMatchObject({ kind: "rebased", commits: [{ old: second }] });
    expect(sampleGit(gitDir, "ls-tree", "--name-only", "draft").split("\n")).toEqual([
      "shared.txt",
      "sibling.txt",
    ]);
  });

  test("a branch without commits of its own moves along", async () => {
    const { gitDir } = cascade();
    const onto = await tipOf(gitDir, "sibling");
    expect(await rebase(gitDir, "main", { onto })).toEqual({ kind: "rebased", tip: onto, commits: [] });
  });

  test("20 siblings rebased at once: none fails", { timeout: 120_000 }, async () => {
    const names = Array.from({ length: 20 }, (_, index) => `sib${index}`);
    const siblings = Object.fromEntries(
      names.map((name): [string, SampleFiles] => [name, { [`${name}.txt`]: name }]),
    );
    const { gitDir } = sampleHub(base, { ...siblings, merged: { "merged.txt": "m\n" } });
    const onto = await tipOf(gitDir, "merged");
    const outcomes = await Promise.all(names.map((name) => rebase(gitDir, name, { onto })));
    expect(outcomes.map(({ kind }) => kind)).toEqual(names.map(() => "rebased"));
  });
});

/** A branch of two commits beside a sibling that was merged. */
function cascade() {
  const { gitDir, work, main } = sampleHub(base, { sibling: { "sibling.txt": "s\n" } });
  sampleGit(work, "checkout", "-qb", "draft", main);
  const first = commitSample(work, { "one.txt": "1\n" }, "impl: one");
  const second = commitSample(work, { "shared.txt": base["shared.txt"].replace("5", "draft") }, "impl: two");
  sampleGit(work, "push", "-q", gitDir, "draft");
  return { gitDir, work, main, first, second };
}
