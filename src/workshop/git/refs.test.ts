// Refs move by compare and swap: one writer wins, the other is told, and killed writers block nobody.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { commitOnBranch, logSince, treeOf } from "./commits.ts";
import { renderCommitMessage } from "./commit-message.ts";
import { removeStale } from "./locks.ts";
import {
  createBranch,
  deleteBranch,
  listRefs,
  moveBranch,
  moveBranchNoted,
  readBranch,
  readRef,
  tipOf,
} from "./refs.ts";
import { sampleGit, sampleHub } from "../../../test/git-samples.ts";

function hub() {
  const { gitDir, main } = sampleHub({ "a.txt": "one\n" }, { next: { "a.txt": "two\n" } });
  return { gitDir, main, next: sampleGit(gitDir, "rev-parse", "next") };
}

const message = (description: string) =>
  renderCommitMessage({ phase: "impl", description, body: "", session: "s", node: "n", costUsd: 0 });

describe("a branch", () => {
  test("is created once", async () => {
    const { gitDir, main, next } = hub();
    expect(await readBranch(gitDir, "new")).toBeUndefined();
    expect(await createBranch(gitDir, "new", main)).toEqual({ kind: "moved" });
    expect(await createBranch(gitDir, "new", next)).toEqual({ kind: "lost", found: main });
    expect(await readBranch(gitDir, "new")).toBe(main);
  });

  test("moves only from where the caller thinks it is", async () => {
    const { gitDir, main, next } = hub();
    expect(await moveBranch(gitDir, "main", next, main)).toEqual({ kind: "lost", found: main });
    expect(await moveBranch(gitDir, "main", main, next)).toEqual({ kind: "moved" });
    expect(await tipOf(gitDir, "main")).toBe(next);
    expect(await moveBranch(gitDir, "absent", main, next)).toEqual({ kind: "lost", found: undefined });
  });

  test("moves together with a note, or neither comes to be", async () => {
    const { gitDir, main, next } = hub();
    const note = "refs/cupel/ships/MM-a@1.0.0";
    const move = { branch: "main", from: main, to: next, note };
    expect(await moveBranchNoted(gitDir, { ...move, from: next, to: main })).toEqual({
      kind: "lost",
      found: main,
    });
    expect(await readRef(gitDir, note)).toBeUndefined();
    const both = await Promise.all([moveBranchNoted(gitDir, move), moveBranchNoted(gitDir, move)]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(["lost", "moved"]);
    expect(await readRef(gitDir, note)).toBe(next);
    // Whoever comes later finds the note, wherever the branch is by then.
    expect(await moveBranchNoted(gitDir, { ...move, from: next, to: main })).toEqual({
      kind: "lost",
      found: next,
    });
    expect(await tipOf(gitDir, "main")).toBe(next);
    await expect(moveBranchNoted(gitDir, { ...move, note: "refs/a b" })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  test("is deleted only from where the caller thinks it is", async () => {
    const { gitDir, main, next } = hub();
    expect(await deleteBranch(gitDir, "next", main)).toEqual({ kind: "lost", found: next });
    expect(await deleteBranch(gitDir, "next", next)).toEqual({ kind: "moved" });
    expect((await listRefs(gitDir, "refs/heads/")).map(({ name }) => name)).toEqual(["refs/heads/main"]);
  });

  test("that is missing is an error with its name", async () => {
    const { gitDir } = hub();
    await expect(tipOf(gitDir, "absent")).rejects.toMatchObject({ code: "not_found" });
  });

  test("is not found through another name that ends like it", async () => {
    const { gitDir, main } = hub();
    sampleGit(gitDir, "update-ref", "refs/heads/refs/heads/odd", main);
    expect(await readRef(gitDir, "refs/heads/odd")).toBeUndefined();
  });

  test("cannot point to what is not there", async () => {
    const { gitDir, main } = hub();
    await expect(moveBranch(gitDir, "main", main, "1".repeat(40))).rejects.toMatchObject({
      code: "git_failed",
    });
    expect(await tipOf(gitDir, "main")).toBe(main);
  });
});

test("a commit on a branch carries its trailers into the log", async () => {
  const { gitDir, main, next } = hub();
  const tree = await treeOf(gitDir, next);
  const made = await commitOnBranch(gitDir, "main", main, {
    tree,
    message: message("push"),
    at: new Date(5000),
  });
  expect(made.kind).toBe("committed");
  expect(await commitOnBranch(gitDir, "main", main, { tree, message: message("late") })).toMatchObject({
    kind: "lost",
  });
  const log = await logSince(gitDir, main, await tipOf(gitDir, "main"));
  expect(log).toMatchObject([
    { tree, parents: [main], at: new Date(5000), parsed: { description: "push", node: "n" } },
  ]);
});

test("20 writers to 20 branches at once: none fails", async () => {
  const { gitDir, main, next } = hub();
  const names = Array.from({ length: 20 }, (_, index) => `b${index}`);
  const rounds = await Promise.all(
    names.map(async (name) => [
      await createBranch(gitDir, name, main),
      await moveBranch(gitDir, name, main, next),
      await deleteBranch(gitDir, name, next),
    ]),
  );
  expect(rounds.flat()).toEqual(Array.from({ length: 60 }, () => ({ kind: "moved" })));
});

test("of 20 writers to one branch exactly one wins, and the others are told where it is", async () => {
  const { gitDir, main, next } = hub();
  const moves = await Promise.all(Array.from({ length: 20 }, () => moveBranch(gitDir, "main", main, next)));
  expect(moves.filter(({ kind }) => kind === "moved")).toHaveLength(1);
  expect(moves.filter(({ kind }) => kind === "lost")).toEqual(
    Array.from({ length: 19 }, () => ({ kind: "lost", found: next })),
  );
});

describe("a lock", () => {
  test("of a killed process is cleared away", async () => {
    const { gitDir, main, next } = hub();
    const lock = join(gitDir, "refs", "heads", "main.lock");
    writeFileSync(lock, "");
    utimesSync(lock, new Date(0), new Date(0));
    expect(await moveBranch(gitDir, "main", main, next)).toEqual({ kind: "moved" });
    expect(existsSync(lock)).toBe(false);
  });

  test("that somebody has open stays, however old it is", () => {
    const { gitDir } = hub();
    const lock = join(gitDir, "refs", "heads", "main.lock");
    const open = openSync(lock, "w");
    utimesSync(lock, new Date(0), new Date(0));
    expect(removeStale(gitDir, lock)).toBe(false);
    closeSync(open);
    expect(removeStale(gitDir, lock)).toBe(true);
  });

  test("that is fresh, or of another repository, stays", () => {
    const { gitDir } = hub();
    const fresh = join(gitDir, "x.lock");
    writeFileSync(fresh, "");
    expect(removeStale(gitDir, fresh)).toBe(false);
    const foreign = join(gitDir, "..", "x.lock");
    writeFileSync(foreign, "");
    utimesSync(foreign, new Date(0), new Date(0));
    expect(removeStale(gitDir, foreign)).toBe(false);
  });
});

test("writers killed at any moment leave a branch that reads and moves", async () => {
  const { gitDir, main, next } = hub();
  const loop = `while :; do git update-ref refs/heads/busy ${next}; git update-ref refs/heads/busy ${main}; done`;
  for (let round = 0; round < 6; round += 1) {
    const writer = spawn("sh", ["-c", loop], { cwd: gitDir, detached: true, stdio: "ignore" });
    await sleep(40 + round * 17);
    if (writer.pid !== undefined) process.kill(-writer.pid, "SIGKILL");
  }
  // A kill may have hit while the lock was there; it counts as left behind after a few seconds.
  const lock = join(gitDir, "refs", "heads", "busy.lock");
  if (existsSync(lock)) utimesSync(lock, new Date(0), new Date(0));
  const found = await tipOf(gitDir, "busy");
  expect([main, next]).toContain(found);
  expect(await moveBranch(gitDir, "busy", found, found === main ? next : main)).toEqual({ kind: "moved" });
  sampleGit(gitDir, "fsck", "--strict");
});
