// Fifty children of one parent that merge in random order and write into one file of their parent: no change is lost, and
// every commit of the parent's branch passes. Real git, a real process for each suite, and callers that die on the way.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256Hex } from "../src/domain/canonical.ts";
import { contentKeys, type Draft } from "../src/engineering/tree/draft-content.ts";
import { mergeWaiting, type Waiting } from "../src/engineering/tree/merge-ground.ts";
import {
  beginBranch,
  branchOf,
  commitOn,
  type Git,
  nodeBranch,
} from "../src/engineering/tree/node-branch.ts";
import { rebaseNode, settleRebase, transplant } from "../src/engineering/tree/rebase-node.ts";
import type { Judged } from "../src/protocols/fractal/merge-queue.ts";
import { logSince } from "../src/workshop/git/commits.ts";
import { sampleHub } from "./git-samples.ts";
import { temporaryDirectory } from "./temporary.ts";
import { fileAt, messageOf, rootCommit, THREAD, waitingOf, workOfMany } from "./tree-ground.ts";

const CHILDREN = 50;
const SLOTS = 300;
const REGISTRY = "modules/root/registry.txt";

/** Names stand in slots, far enough from each other that only those of one slot get into each other's way. */
const EMPTY = Array.from({ length: SLOTS }, (_, slot) => `slot ${slot}:\n-\n-\n`).join("");

function withName(registry: string, name: string, slots: readonly number[]): string {
  return slots.reduce(
    (text, slot) => text.replace(new RegExp(`^slot ${slot}:.*$`, "m"), (line) => `${line} ${name}`),
    registry,
  );
}

/** What each child is held against, and the parent: whoever is there is in each of its slots, and nobody else is. */
const CHILD_CHECK = `import assert from "node:assert";
import { value } from "./index.mjs";
assert.ok(Number.isInteger(value), "its value is a number");
`;
const ROOT_CHECK = `import assert from "node:assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
const registry = readFileSync("modules/root/registry.txt", "utf8");
const lines = registry.split("\\n").filter((line) => line.startsWith("slot "));
assert.equal(lines.length, ${SLOTS}, "every slot is there");
const wanted = readdirSync("modules").filter((name) => existsSync("modules/" + name + "/slots.json"));
const pairs = wanted.flatMap((name) =>
  JSON.parse(readFileSync("modules/" + name + "/slots.json", "utf8")).map((slot) => slot + " " + name));
const found = lines.flatMap((line, slot) => line.split(":")[1].split(" ").filter(Boolean).map((name) => slot + " " + name));
assert.deepEqual(found.sort(), pairs.sort());
let all = 0;
for (const name of wanted) all += (await import(process.cwd() + "/modules/" + name + "/index.mjs")).value;
assert.ok(all < 1000, "together they are not too much: " + all);
`;

test("fifty children with overlaps, in random order", { timeout: 300_000 }, async () => {
  const { gitDir } = sampleHub({ "README.md": "x\n" });
  const git: Git = { gitDir };
  const below = chance("fifty children");
  const scaffold = await rootCommit(git, {
    [REGISTRY]: EMPTY,
    "modules/root/check.mjs": ROOT_CHECK,
  });
  const branch = branchOf(THREAD, "root");
  await beginBranch(git, branch, scaffold);
  const slotsOf = new Map<string, number[]>();
  const names = Array.from({ length: CHILDREN }, (_, index) => `c-${index + 1}`);
  const works = names.map((name, index) => {
    const slots = [...new Set([below(SLOTS), below(SLOTS)])];
    slotsOf.set(name, slots);
    // Two of them are fine alone and too much together.
    const value = index < 2 ? 600 : 1;
    const files = {
      [`modules/${name}/index.mjs`]: `export const value = ${value};\n`,
      [`modules/${name}/check.mjs`]: CHILD_CHECK,
      [`modules/${name}/slots.json`]: JSON.stringify(slots),
      [REGISTRY]: withName(EMPTY, name, slots),
    };
    return { node: name, files };
  });
  workOfMany(git, scaffold, works);

  const seen = { merged: new Array<string>(), conflict: 0, rejected: 0, died: 0 };
  const drafts = names.map((folder) => ({ ref: `MM-${folder}@1.0.0`, folder, dependencies: [] }));
  let asked = 0;
  const runs = suiteRuns(git, drafts, () => {
    const isDeadly = (asked += 1) % 37 === 0;
    seen.died += isDeadly ? 1 : 0;
    return isDeadly;
  });
  const left = names.toSorted((one, other) => (sha256Hex(one) < sha256Hex(other) ? -1 : 1));
  for (let round = 0; left.length > 0; round += 1) {
    expect(round).toBeLessThan(60);
    const batch = left.splice(0, 10 + below(20));
    const waiting = await Promise.all(batch.map((name) => waitingOf(git, name)));
    const standing = ["root", ...seen.merged];
    const suite = (folder: string, commit: string) => runs.suite(folder, commit);
    const results = await untilItLives(async () => {
      const { tip } = await nodeBranch(git, branch);
      return (await mergeWaiting(git, { branch, standing, suite }, tip, waiting)).results;
    });
    for (const result of results) {
      const { node } = result.candidate;
      if (result.kind === "merged") {
        seen.merged.push(node);
        continue;
      }
      seen[result.kind] += 1;
      await adapt(git, branch, result.candidate, {
        slots: slotsOf.get(node) ?? [],
        ...(result.kind === "rejected" ? { value: 1 } : {}),
      });
      left.push(node);
    }
  }

  expect(seen.merged.toSorted()).toEqual(names.toSorted());
  expect([seen.conflict > 3, seen.rejected > 0, seen.died > 0]).toEqual([true, true, true]);
  const { tip } = await nodeBranch(git, branch);
  const history = await logSince(git.gitDir, scaffold, tip);
  expect(history.map(({ parsed }) => parsed?.folded?.node)).toEqual(seen.merged);
  // Seen from the other side, commit by commit: everybody who came so far is in each of his slots, and nobody else.
  const arrived: string[] = [];
  for (const { commit, parsed } of history) {
    arrived.push(parsed?.folded?.node ?? "");
    const lines = fileAt(git, commit, REGISTRY)
      .split("\n")
      .filter((line) => line.startsWith("slot "));
    const there = lines.map((line) =>
      line
        .replace(/^slot \d+:/, "")
        .split(" ")
        .filter(Boolean)
        .toSorted(),
    );
    const expected = lines.map((_, slot) =>
      arrived.filter((name) => slotsOf.get(name)?.includes(slot)).toSorted(),
    );
    expect(there).toEqual(expected);
    expect(runs.green.has(commit)).toBe(true);
  }
  expect(runs.green.has(tip)).toBe(true);
});

/** The same numbers whenever the test runs. */
function chance(seed: string): (limit: number) => number {
  let asked = 0;
  return (limit) => Number.parseInt(sha256Hex(`${seed} ${(asked += 1)}`).slice(0, 8), 16) % limit;
}

/** A caller that died asks again, and finds what it had done. */
async function untilItLives<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error && error.message === "killed")) throw error;
    }
  }
}

/** Moves a child onto the head that it did not fit, as whoever is asked to adapt it would. */
async function adapt(
  git: Git,
  parent: string,
  { node, branch }: Waiting,
  { slots, value }: { slots: readonly number[]; value?: number },
): Promise<void> {
  const { tip: onto } = await nodeBranch(git, parent);
  const own = branch.branch;
  const rebased = await rebaseNode(git, { node, branch: own, onto });
  if (rebased.kind === "conflict") {
    expect(rebased.report.files.map(({ path }) => path)).toEqual([REGISTRY]);
    const message = messageOf(`${node} on what was merged`);
    const commit = await transplant(git, { node, branch: own, onto, folders: [node], message });
    await settleRebase(git, { branch: own, onto, commit });
  }
  const { tip } = rebased.kind === "clean" ? rebased.branch : await nodeBranch(git, own);
  const files = {
    ...(rebased.kind === "clean"
      ? {}
      : { [REGISTRY]: withName(`${fileAt(git, onto, REGISTRY)}\n`, node, slots) }),
    ...(value === undefined ? {} : { [`modules/${node}/index.mjs`]: `export const value = ${value};\n` }),
  };
  await commitOn(git, own, { from: tip, files, message: messageOf(`${node} adapts`) });
}

/** Plain node on the files of the commit; a child's answer holds as long as its folder is the same, the parent's never. */
function suiteRuns(git: Git, drafts: readonly Draft[], isDeadly: () => boolean) {
  const place = temporaryDirectory();
  const known = new Map<string, Judged>();
  const green = new Set<string>();
  const toolchain = { versions: () => Promise.resolve({ node: process.version }) };
  const keyOf = contentKeys({ hub: git, toolchain }, drafts);
  return {
    green,
    async suite(folder: string, commit: string): Promise<Judged> {
      const draft = drafts.find((each) => each.folder === folder);
      const key = draft === undefined ? commit : ((await keyOf(draft, commit)) ?? commit);
      const before = known.get(key);
      if (before !== undefined) return before;
      if (isDeadly()) throw new Error("killed");
      const judged = checked(git, commit, folder, place);
      if (draft === undefined && judged.kind === "green") green.add(commit);
      known.set(key, judged);
      return judged;
    },
  };
}

/** Beside the hub, where git writes only what differs from the commit before. */
function checked({ gitDir }: Git, commit: string, folder: string, directory: string): Judged {
  const env = { ...process.env, GIT_INDEX_FILE: join(directory, "index") };
  const tree = join(directory, "tree");
  mkdirSync(tree, { recursive: true });
  const args = [`--git-dir=${gitDir}`, `--work-tree=${tree}`, "read-tree", "--reset", "-u", commit];
  const laid = spawnSync("git", args, { env });
  if (laid.status !== 0) throw new Error(String(laid.stderr));
  const ran = spawnSync(process.execPath, [`modules/${folder}/check.mjs`], { cwd: tree });
  return ran.status === 0 ? { kind: "green" } : { kind: "red", failing: [String(ran.stderr).slice(0, 300)] };
}
