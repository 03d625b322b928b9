// Branches of nodes on a real hub: each step again is the same step, of two writers one wins, and nothing is merged twice.
import { describe, expect, test } from "vitest";
import { sampleGit, sampleHub } from "../../../test/git-samples.ts";
import {
  fileAt,
  messageOf,
  rootCommit,
  subjectsOf,
  THREAD,
  waitingOf,
  workOf,
} from "../../../test/tree-ground.ts";
import { fold } from "./fold.ts";
import { advance, beginBranch, branchOf, commitOn, dropBranch, nodeBranch } from "./node-branch.ts";
import { rebaseNode, settleRebase, transplant } from "./rebase-node.ts";
import { settledOf, untouched } from "./untouched.ts";

const LIST = "one\ntwo\nthree\nfour\nfive\n";

async function hub() {
  const { gitDir } = sampleHub({ "README.md": "x\n" });
  const git = { gitDir };
  const scaffold = await rootCommit(git, {
    "modules/root/list.txt": LIST,
    "modules/a/src/index.ts": "stub\n",
  });
  const parent = branchOf(THREAD, "root");
  await beginBranch(git, parent, scaffold);
  return { git, scaffold, parent };
}

const folded = async (...given: Parameters<typeof fold>): Promise<string> => {
  const made = await fold(...given);
  if (made.kind === "conflict")
    throw new Error(`conflict in ${made.report.files.map(({ path }) => path).join(", ")}`);
  return made.commit;
};

describe("a branch", () => {
  test("is begun once, and stays where work has brought it", async () => {
    const { git, scaffold } = await hub();
    const branch = branchOf(THREAD, "a");
    const begun = await beginBranch(git, branch, scaffold);
    expect(begun).toEqual({ branch, base: scaffold, tip: scaffold });
    const work = { from: scaffold, files: { "modules/a/src/index.ts": "done\n" }, message: messageOf("a") };
    const first = await commitOn(git, branch, work);
    expect(await beginBranch(git, branch, scaffold)).toEqual({ branch, base: scaffold, tip: first });
    expect(await commitOn(git, branch, work)).toBe(first);
    const next = { ...work, from: first, files: { "modules/a/src/index.ts": null } };
    const second = await commitOn(git, branch, next);
    expect(await commitOn(git, branch, work)).toBe(first);
    expect((await nodeBranch(git, branch)).tip).toBe(second);
    expect(subjectsOf(git, scaffold, second)).toEqual(["impl: a", "impl: a"]);
  });

  test("gets one of two works that begin at the same tip; the other is told where it is", async () => {
    const { git, scaffold } = await hub();
    const branch = branchOf(THREAD, "a");
    await beginBranch(git, branch, scaffold);
    const write = (text: string) =>
      commitOn(git, branch, { from: scaffold, files: { "modules/a/x.txt": text }, message: messageOf("a") });
    const both = await Promise.allSettled([write("1"), write("2")]);
    const won = both.filter((each) => each.status === "fulfilled");
    expect(won).toHaveLength(1);
    expect((await nodeBranch(git, branch)).tip).toBe(won[0]?.value);
    expect(both.find((each) => each.status === "rejected")?.reason).toMatchObject({ code: "git_failed" });
  });

  test("never goes back, and never aside", async () => {
    const { git, scaffold, parent } = await hub();
    const a = await workOf(git, "a", scaffold, { "modules/a/x.txt": "1\n" });
    await advance(git, parent, scaffold, a.branch.tip);
    await expect(advance(git, parent, a.branch.tip, scaffold)).rejects.toMatchObject({
      code: "invalid_input",
    });
    // Asked for again after it went on.
    await advance(git, parent, scaffold, a.branch.tip);
    expect((await nodeBranch(git, parent)).tip).toBe(a.branch.tip);
  });

  test("that nobody wants any more is gone with its base, also when it is dropped twice", async () => {
    const { git, scaffold } = await hub();
    const { branch } = await workOf(git, "a", scaffold, { "modules/a/x.txt": "1\n" });
    await dropBranch(git, branch.branch);
    await dropBranch(git, branch.branch);
    await expect(nodeBranch(git, branch.branch)).rejects.toMatchObject({ code: "not_found" });
    expect((await beginBranch(git, branch.branch, scaffold)).tip).toBe(scaffold);
  });

  test.each(["../x", "a/.git/config", "a/.GIT/hooks/x", "/etc/x", "a//b", "a\\b"])(
    "takes no file at %j",
    async (path) => {
      const { git, scaffold, parent } = await hub();
      const work = { from: scaffold, files: { [path]: "x" }, message: messageOf("x") };
      await expect(commitOn(git, parent, work)).rejects.toMatchObject({ code: "invalid_input" });
    },
  );
});

describe("folding", () => {
  test("makes one commit of many, that says which node and which tip it was", async () => {
    const { git, scaffold } = await hub();
    const a = await workOf(git, "a", scaffold, { "modules/a/x.txt": "1\n" }, { "modules/a/x.txt": "2\n" });
    const commit = await folded(git, a, scaffold);
    expect(await folded(git, a, scaffold)).toBe(commit);
    expect(subjectsOf(git, scaffold, commit)).toEqual(["merge: a is done"]);
    const trailers = sampleGit(
      git.gitDir,
      "log",
      "-1",
      "--format=%(trailers:key=Cupel-Node)%(trailers:key=Cupel-Tip)",
      commit,
    );
    expect(trailers).toBe(`Cupel-Node: a\nCupel-Tip: ${a.branch.tip}`);
    expect(await fold(git, a, commit)).toEqual({ kind: "there", commit });
    expect(
      await fold(git, a, await folded(git, await workOf(git, "b", scaffold, { "b.txt": "b\n" }), commit)),
    ).toEqual({
      kind: "there",
      commit,
    });
  });

  test("what a node did after it was folded comes as a change of its own", async () => {
    const { git, scaffold } = await hub();
    const first = await workOf(
      git,
      "a",
      scaffold,
      { "modules/a/x.txt": "1\n" },
      { "modules/a/x.txt": "2\n" },
    );
    const once = await folded(git, first, scaffold);
    const { branch } = first;
    const work = { from: branch.tip, files: { "modules/a/x.txt": "3\n" }, message: messageOf("a again") };
    await commitOn(git, branch.branch, work);
    const twice = await folded(git, await waitingOf(git, "a"), once);
    expect(fileAt(git, twice, "modules/a/x.txt")).toBe("3");
    // The same after a rebase, which leaves behind what was folded.
    const rebased = await rebaseNode(git, { node: "a", branch: branch.branch, onto: once });
    expect(rebased).toMatchObject({ kind: "clean", branch: { base: once } });
    const again = await folded(git, await waitingOf(git, "a"), once);
    expect(fileAt(git, again, "modules/a/x.txt")).toBe("3");
    expect(subjectsOf(git, once, (await nodeBranch(git, branch.branch)).tip)).toEqual(["impl: a again"]);
  });

  test("says which files do not fit together, and refuses a node that did nothing", async () => {
    const { git, scaffold } = await hub();
    const a = await workOf(git, "a", scaffold, { "modules/root/list.txt": LIST.replace("three", "a") });
    const b = await workOf(git, "b", scaffold, { "modules/root/list.txt": LIST.replace("three", "b") });
    const conflict = await fold(git, b, await folded(git, a, scaffold));
    expect(conflict.kind === "conflict" ? conflict.report.files.map(({ path }) => path) : conflict).toEqual([
      "modules/root/list.txt",
    ]);
    await expect(fold(git, await workOf(git, "c", scaffold), scaffold)).rejects.toMatchObject({
      code: "usage",
    });
  });
});

describe("rebasing", () => {
  test("keeps the node's own commits on the new head, once, and its stubs never fight what was merged", async () => {
    const { git, scaffold } = await hub();
    const parent = await workOf(git, "p", scaffold, { "modules/x/src/index.ts": "stub of x\n" });
    const child = await workOf(git, "y", parent.branch.tip, { "modules/y/src/index.ts": "y\n" });
    const x = await workOf(git, "x", parent.branch.tip, { "modules/x/src/index.ts": "x\n" });
    await advance(git, parent.branch.branch, parent.branch.tip, await folded(git, x, parent.branch.tip));
    // The parent moves first, so nothing of what the child stood on is in its history any more.
    const other = await workOf(git, "a", scaffold, { "modules/a/src/index.ts": "a\n" });
    const head = await folded(git, other, scaffold);
    const moved = await rebaseNode(git, { node: "p", branch: parent.branch.branch, onto: head });
    if (moved.kind !== "clean") throw new Error("the parent does not fit");
    const order = { node: "y", branch: child.branch.branch, onto: moved.branch.tip };
    const rebased = await rebaseNode(git, order);
    expect(rebased).toMatchObject({ kind: "clean", branch: { base: moved.branch.tip } });
    expect(await rebaseNode(git, order)).toEqual(rebased);
    const { tip } = await nodeBranch(git, child.branch.branch);
    expect(subjectsOf(git, moved.branch.tip, tip)).toEqual(["impl: y, step 1"]);
    expect(["a", "x", "y"].map((name) => fileAt(git, tip, `modules/${name}/src/index.ts`))).toEqual([
      "a",
      "x",
      "y",
    ]);
  });

  test("a conflict leaves the branch where it is; an adaptation takes its place", async () => {
    const { git, scaffold } = await hub();
    const a = await workOf(git, "a", scaffold, { "modules/root/list.txt": LIST.replace("three", "a") });
    const b = await workOf(git, "b", scaffold, {
      "modules/root/list.txt": LIST.replace("three", "b"),
      "modules/b/x.txt": "b\n",
    });
    const onto = await folded(git, a, scaffold);
    const order = { node: "b", branch: b.branch.branch, onto };
    const failed = await rebaseNode(git, order);
    expect(failed).toMatchObject({ kind: "conflict", at: b.branch.tip });
    expect(failed.kind === "conflict" ? failed.report.files[0]?.hunks[0]?.ours.text : "").toContain("a");
    expect(await nodeBranch(git, order.branch)).toEqual(b.branch);
    const start = { ...order, folders: ["b"], message: messageOf("b, on the new head") };
    const carried = await transplant(git, start);
    expect(await transplant(git, start)).toBe(carried);
    expect([fileAt(git, carried, "modules/b/x.txt"), fileAt(git, carried, "modules/root/list.txt")]).toEqual([
      "b",
      LIST.replace("three", "a").trim(),
    ]);
    const settled = { branch: order.branch, onto, commit: carried };
    const placed = await settleRebase(git, settled);
    expect(placed).toEqual({ branch: order.branch, base: onto, tip: carried });
    expect(await settleRebase(git, settled)).toEqual(placed);
    await expect(settleRebase(git, { ...settled, commit: scaffold })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});

test("what the scaffold settled is named when it was changed, taken away or made into something else", async () => {
  const { git } = await hub();
  const paths = settledOf("c");
  const [types = "", suite = ""] = paths;
  const scaffold = await rootCommit(git, {
    [types]: "types\n",
    [suite]: "suite\n",
    "modules/c/src/index.ts": "",
  });
  const look = async (node: string, files: Record<string, string | null>) =>
    untouched(git, scaffold, (await workOf(git, node, scaffold, files)).branch.tip, paths);
  expect(await look("c1", { "modules/c/src/index.ts": "code\n", "modules/c/test/own.test.ts": "x" })).toEqual(
    [],
  );
  expect(await look("c2", { [types]: "types \n" })).toEqual([
    expect.stringContaining(`${types} was modified`),
  ]);
  expect(await look("c3", { [suite]: null })).toEqual([expect.stringContaining(`${suite} was deleted`)]);
  const folder = await look("c4", { [types]: null, [`${types}/x.ts`]: "x" });
  expect(folder.join()).toContain(`${types} was deleted`);
});
