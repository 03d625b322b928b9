// A node that follows what a sibling has brought: nobody is woken but by what the node really uses, what has happened is
// found again after a crash, and more than following a rename is told.
import { expect, onTestFinished, test } from "vitest";
import { below as inFolder, TREE_FILES } from "../../../test/draft-ground.ts";
import { openGround, orderOf } from "../../../test/engineering-ground.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { contextOf } from "../../../test/step-context.ts";
import { fileAt, messageOf, rootCommit } from "../../../test/tree-ground.ts";
import { PACKAGES } from "../../../test/typescript-site.ts";
import type { ChildSpec } from "../../domain/fractal/node-spec.ts";
import { type ChangeEntry, impactOf } from "../../domain/run/merge-event.ts";
import type { Message } from "../../domain/run/message.ts";
import { fractal } from "../../protocols/fractal/protocol.ts";
import { beginBranch, changesOf, commitOn, nodeBranch, plainCommit } from "./node-branch.ts";
import { nodePorts } from "./node-ports.ts";
import { branchOfNode, tellTree, treeDesk } from "./tree-desk.ts";

const SIGNATURE = "(value: number, low: number, high: number) => number";
const spec = (id: string) => ({
  id,
  description: `Does what ${id} is for.`,
  acceptanceCriteria: [{ id: "AC-1", text: "it works" }],
  complexityConstraints: null,
});
const child = (id: string, uses: string[]): ChildSpec => ({
  ...spec(id),
  exports: [{ name: id, signature: id === "clamp" ? SIGNATURE : "(share: number) => number" }],
  uses,
});
const LONG = { timeout: 240_000 };

/** percent, which uses clamp, stands on their parent's scaffold with one commit of its own. */
async function opened() {
  const ground = await openGround(temporaryDirectory(), { packages: PACKAGES });
  onTestFinished(() => ground.close());
  const { ports } = ground;
  const { hub, store } = ports;
  const desk = treeDesk(ports, orderOf(), fractal);
  await store.trees.begin(ports.fence, desk.name, spec("root"));
  const children = [child("clamp", []), child("percent", ["clamp"])];
  await tellTree(desk, "1", { kind: "unfolded", node: "root", children });
  const root = branchOfNode(desk, "root");
  const scaffold = await rootCommit(hub, TREE_FILES);
  await beginBranch(hub, root, scaffold);
  const node = await nodePorts(desk, "percent");
  const own = branchOfNode(desk, "percent");
  const work = (files: Record<string, string>) =>
    commitOn(hub, own, { from: scaffold, files: inFolder("percent", files), message: messageOf("own work") });
  const merge = (files: Record<string, string>) =>
    commitOn(hub, root, { from: scaffold, files, message: messageOf("a sibling") });
  const letter = async (changes: ChangeEntry[], seq = 1): Promise<Message> => ({
    id: `m-${seq}`,
    dedupe_key: `k-${seq}`,
    seq,
    kind: "ContextShift",
    type: "SIBLING_MERGED",
    severity: "INFO",
    route_hint: "rebase",
    from: "clamp",
    to: "turn",
    payload_ref: await store.payloads.put(
      JSON.stringify({ author: "clamp", impactLevel: impactOf(changes), changes }),
    ),
  });
  return { hub, node, scaffold, work, merge, letter, branch: () => nodeBranch(hub, own) };
}

const NEW: ChangeEntry = { symbol: "twice", changeType: "NewExport", to: SIGNATURE, reason: "new" };
const GONE: ChangeEntry = {
  symbol: "clamp",
  changeType: "RemovedExport",
  from: SIGNATURE,
  reason: "renamed",
};

test("nothing moves without a letter, and what it does not use wakes nobody", LONG, async () => {
  const { node, work, merge, letter, branch, hub } = await opened();
  const commit = await work({ "test/own.test.ts": "// mine\n" });
  const head = await merge({ "modules/clamp/src/more.ts": "export const more = 1;\n" });
  expect(await node.tree.shift(contextOf(), commit)).toEqual({ kind: "still" });
  expect((await branch()).tip).toBe(commit);
  const mail = [await letter([NEW])];
  const shifted = await node.tree.shift(contextOf({ mail }), commit);
  const { base, tip } = await branch();
  expect(shifted).toEqual({ kind: "quiet", commit: tip });
  expect([base, tip === commit]).toEqual([head, false]);
  expect(fileAt(hub, tip, "modules/percent/test/own.test.ts")).toContain("mine");
  expect(fileAt(hub, tip, "modules/clamp/src/more.ts")).toContain("more");
  // Somebody who died before he could tell where the node stands now.
  expect(await node.tree.shift(contextOf({ mail }), commit)).toEqual(shifted);
  expect(await node.tree.shift(contextOf({ mail }), tip)).toEqual({ kind: "still" });
});

test(
  "what it uses wakes somebody, whatever came with it, and following a rename is mechanical",
  LONG,
  async () => {
    const { node, work, merge, letter, hub } = await opened();
    const commit = await work({ "test/own.test.ts": "// mine\n" });
    await merge({ "modules/clamp/src/more.ts": "export const more = 1;\n" });
    const renamed: ChangeEntry = { ...NEW, symbol: "within" };
    const mail = [await letter([NEW]), await letter([GONE, renamed], 2)];
    const shifted = await node.tree.shift(contextOf({ mail }), commit);
    if (shifted.kind !== "woken") throw new Error(JSON.stringify(shifted));
    expect(shifted.touched).toEqual(["clamp.clamp"]);
    expect(shifted.event.changes).toEqual([GONE, renamed]);
    const source = fileAt(hub, shifted.commit, "modules/percent/src/index.ts");
    const beyond = async (text: string) => {
      const commit = await plainCommit(hub, {
        parent: shifted.commit,
        message: messageOf("adapted"),
        changes: changesOf(inFolder("percent", { "src/index.ts": text })),
      });
      return node.tree.beyondMechanical(contextOf(), { base: shifted.commit, commit, event: shifted.event });
    };
    const followed = source.replaceAll(/\bclamp\b(?=[ (])/g, "within");
    expect(followed).toContain("return within(");
    expect(await beyond(followed)).toEqual([]);
    expect(await beyond(followed.replace(", 100)", ", 99)"))).toEqual([expect.stringContaining('"99"')]);
  },
);

test("who stands on a merge already is woken all the same when he is told of it", LONG, async () => {
  const { node, work, merge, letter, branch } = await opened();
  const commit = await work({ "test/own.test.ts": "// mine\n" });
  await merge({ "modules/clamp/src/more.ts": "export const more = 1;\n" });
  const quiet = await node.tree.shift(contextOf({ mail: [await letter([NEW])] }), commit);
  expect(quiet.kind).toBe("quiet");
  const { tip } = await branch();
  const late = [await letter([GONE, { ...NEW, symbol: "within" }], 2)];
  expect(await node.tree.shift(contextOf({ mail: late }), tip)).toMatchObject({
    kind: "woken",
    commit: tip,
    touched: ["clamp.clamp"],
  });
});

test(
  "what both changed is told, and the node stands on what was merged with its own folder",
  LONG,
  async () => {
    const { node, work, merge, letter, branch, hub } = await opened();
    const commit = await work({ "examples.md": "mine\n" });
    const head = await merge({ "modules/percent/examples.md": "theirs\n" });
    const shifted = await node.tree.shift(contextOf({ mail: [await letter([NEW])] }), commit);
    expect(shifted).toMatchObject({ kind: "conflict", file: "modules/percent/examples.md" });
    const { base, tip } = await branch();
    expect(base).toBe(head);
    expect(fileAt(hub, tip, "modules/percent/examples.md").trim()).toBe("mine");
  },
);
