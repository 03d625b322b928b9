// Two modules of a tree fold into their parent's branch, judged by real suites in the sandbox: nothing is merged or run
// twice, what breaks a sibling is sent back, and what a merge changes for others is read from the code.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { below, CLAMP_DRAFT, openDrafts, PERCENT_DRAFT } from "../../../test/draft-ground.ts";
import { messageOf, rootCommit, subjectsOf, THREAD, waitingOf, workOf } from "../../../test/tree-ground.ts";
import { bubblewrapWorks } from "../../../test/bubblewrap.ts";
import { rebaseKind } from "../../domain/fractal/impact.ts";
import { fileCache } from "../../evidence/liveness.ts";
import { announced } from "../../toolchains/typescript/compiler/announced.ts";
import { followParent } from "./follow-parent.ts";
import { mergeWaiting, type Waiting } from "./merge-ground.ts";
import { beginBranch, branchOf, commitOn, nodeBranch } from "./node-branch.ts";
import { consumedAt, mergeEventAt, surfaceAt } from "./surfaces.ts";

const SIGNATURES = {
  clamp: "(value: number, low: number, high: number) => number",
  percent: "(share: number) => number",
};
const CLAMP_SOURCE = `/** Within the range. */
export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
`;
const PERCENT_SOURCE = `import { clamp } from "#modules/clamp";

/** The share as whole percents. */
export function percent(share: number): number {
  return clamp(Math.round(share * 100), 0, 100);
}
`;
const suite = (name: keyof typeof SIGNATURES, ...tests: string[]) =>
  [`import { expect, test } from "vitest";`, `import { ${name} } from "../src/index.ts";`, ...tests, ""].join(
    "\n",
  );
const CLAMP_OWN = suite(
  "clamp",
  'test("a range that is none gives its low end", () => expect(clamp(5, 3, 1)).toBe(3));',
);

function stub(name: keyof typeof SIGNATURES, ...tests: string[]): Record<string, string> {
  const made = announced(name, [{ name, signature: SIGNATURES[name] }]);
  if (made.kind === "refused") throw new Error(made.problems.join());
  return below(name, { ...made.files, "test/contract.test.ts": suite(name, ...tests) });
}

const SCAFFOLD = {
  ...stub("clamp", 'test("keeps what is within", () => expect(clamp(2, 1, 3)).toBe(2));'),
  ...stub("percent", 'test("never more than all", () => expect(percent(7)).toBe(100));'),
};

const LONG = { timeout: 240_000 };

/** What one test has seen run, the next one need not run again. */
const kept = mkdtempSync(join(tmpdir(), "cupel-suites-"));
const cache = fileCache(kept);
afterAll(() => rmSync(kept, { recursive: true, force: true }));

async function grown() {
  const ground = await openDrafts({ cache });
  const { hub, toolchain } = ground.ports;
  const { drafts, suites } = ground;
  const scaffold = await rootCommit(hub, SCAFFOLD);
  const branch = branchOf(THREAD, "root");
  await beginBranch(hub, branch, scaffold);
  const waiting = [
    await workOf(hub, "percent", scaffold, below("percent", { "src/index.ts": PERCENT_SOURCE })),
    await workOf(
      hub,
      "clamp",
      scaffold,
      below("clamp", { "test/own.test.ts": CLAMP_OWN }),
      below("clamp", { "src/index.ts": CLAMP_SOURCE }),
    ),
  ];
  const suiteOf = (folder: string, commit: string) => suites.run(drafts.get(folder), commit);
  const merge = (head: string, candidates: readonly Waiting[], standing: string[] = []) =>
    mergeWaiting(hub, { branch, standing, suite: suiteOf }, head, candidates);
  return { ground, hub, branch, scaffold, waiting, merge, looking: { drafts, toolchain, suites } };
}

/** What the node of clamp does after it was merged. */
async function goOn({ hub }: Awaited<ReturnType<typeof grown>>, files: Record<string, string>) {
  const { branch } = await waitingOf(hub, "clamp");
  const message = messageOf("clamp goes on");
  await commitOn(hub, branch.branch, { from: branch.tip, files: below("clamp", files), message });
  return waitingOf(hub, "clamp");
}

test("one that needs another is merged after it, each as one commit, and never twice", LONG, async () => {
  const tree = await grown();
  const { hub, scaffold, waiting, merge, ground, branch } = tree;
  const { results, head } = await merge(scaffold, waiting);
  expect(results.map(({ kind, candidate }) => `${kind} ${candidate.node}`)).toEqual([
    "merged clamp",
    "merged percent",
  ]);
  expect(subjectsOf(hub, scaffold, head)).toEqual(["merge: clamp is done", "merge: percent is done"]);
  expect((await nodeBranch(hub, branch)).tip).toBe(head);
  // percent on the stub of clamp, then both; what is the same in two commits ran once.
  if (bubblewrapWorks) expect(ground.ran()).toBe(3);
  // Somebody who died before he knew what became of it, and somebody who knows the new head.
  const byNode = (all: typeof results) =>
    Object.fromEntries(all.map((each) => [each.candidate.node, each.kind === "merged" && each.commit]));
  const stale = await merge(scaffold, waiting);
  const late = await merge(head, waiting);
  expect([stale.head, late.head, (await nodeBranch(hub, branch)).tip]).toEqual([head, head, head]);
  expect([byNode(stale.results), byNode(late.results)]).toEqual([byNode(results), byNode(results)]);
  if (bubblewrapWorks) expect(ground.ran()).toBe(3);
});

test("what breaks a sibling is sent back with the sibling's tests, and the branch stays", LONG, async () => {
  const tree = await grown();
  const { hub, scaffold, waiting, merge, branch } = tree;
  const { head } = await merge(scaffold, waiting);
  const lax = await goOn(tree, {
    "src/index.ts": CLAMP_SOURCE.replace("(high,", "(high > 50 ? 200 : high,"),
  });
  const { results, head: tip } = await merge(head, [lax], ["clamp", "percent"]);
  expect(results).toMatchObject([{ kind: "rejected", failing: ["percent: never more than all"] }]);
  expect([tip, (await nodeBranch(hub, branch)).tip]).toEqual([head, head]);
});

test("what a merge changes for others is what the code shows and what no longer holds", LONG, async () => {
  const tree = await grown();
  const { scaffold, waiting, merge, looking } = tree;
  const { head } = await merge(scaffold, waiting);
  // Announced before, so nobody has to look at anything.
  const made = await mergeEventAt(looking, { author: CLAMP_DRAFT, before: scaffold, after: head });
  expect(made).toEqual({ author: "clamp", impactLevel: "Trivial", changes: [] });
  const source = CLAMP_SOURCE.replace(
    "Math.max(low, Math.min(high, value))",
    "Math.min(high, Math.max(low, value))",
  );
  const next = await goOn(tree, {
    "src/index.ts": `${source}\nexport const twice = (value: number): number => value * 2;\n`,
    "test/own.test.ts": CLAMP_OWN.replace("low end", "high end").replace("toBe(3)", "toBe(1)"),
  });
  const { results, head: tip } = await merge(head, [next], ["clamp", "percent"]);
  expect(results).toMatchObject([{ kind: "merged" }]);
  const event = await mergeEventAt(looking, { author: CLAMP_DRAFT, before: head, after: tip });
  expect(event).toEqual({
    author: "clamp",
    impactLevel: "Breaking",
    changes: [
      {
        symbol: "clamp",
        changeType: "BehaviorChange",
        reason: "no longer holds: a range that is none gives its low end",
      },
      {
        symbol: "twice",
        changeType: "NewExport",
        to: "(value: number) => number",
        reason: "clamp offers it now",
      },
    ],
  });
  const consumed = await consumedAt(looking, PERCENT_DRAFT, tip);
  expect(consumed).toEqual({ "clamp.clamp": SIGNATURES.clamp });
  expect(rebaseKind(event, consumed)).toEqual({ kind: "wakes", symbols: ["clamp.clamp"] });
  expect(await surfaceAt(looking, CLAMP_DRAFT, tip)).toEqual({
    clamp: SIGNATURES.clamp,
    twice: "(value: number) => number",
  });
});

test(
  "a suite that passes whatever the code does is red, and so is one whose module keeps another interface",
  LONG,
  async () => {
    const { hub, scaffold, looking } = await grown();
    const idle = suite("clamp", 'test("is there", () => expect(clamp).toBeDefined());');
    const files = below("clamp", { "src/index.ts": CLAMP_SOURCE, "test/contract.test.ts": idle });
    const { branch } = await workOf(hub, "idle", scaffold, files);
    expect(await looking.suites.run(CLAMP_DRAFT, branch.tip)).toMatchObject({
      kind: "red",
      failing: ["all its tests pass although nothing is implemented"],
    });
    const other = below("clamp", {
      "src/index.ts": CLAMP_SOURCE.replace("value: number,", "value: string,"),
    });
    const wrong = await workOf(hub, "wrong", scaffold, other);
    const seen = await looking.suites.run(CLAMP_DRAFT, wrong.branch.tip);
    expect(seen.kind === "red" ? seen.failing.join() : "green").toContain("src/interface.ts");
  },
);

test(
  "a node follows its parent without anybody's help, and its suite is run on what came of it",
  LONG,
  async () => {
    const { hub, scaffold, waiting, merge, looking } = await grown();
    const [percent, clamp] = waiting;
    if (percent === undefined || clamp === undefined) throw new Error("there are two");
    const { head } = await merge(scaffold, [clamp]);
    const ports = { git: hub, suites: looking.suites };
    expect(await looking.suites.run(PERCENT_DRAFT, percent.branch.tip)).toMatchObject({ kind: "red" });
    const order = { node: "percent", branch: percent.branch.branch, onto: head };
    const followed = await followParent(ports, PERCENT_DRAFT, order);
    expect(followed).toMatchObject({
      kind: "clean",
      suite: { kind: "green", passed: ["never more than all"] },
    });
    expect(await followParent(ports, PERCENT_DRAFT, order)).toEqual(followed);
    const rival = await workOf(hub, "rival", scaffold, below("clamp", { "src/index.ts": "export {};\n" }));
    const onto = { node: "rival", branch: rival.branch.branch, onto: head };
    const refused = await followParent(ports, CLAMP_DRAFT, onto);
    expect(refused).toMatchObject({ kind: "conflict", conflictFile: "modules/clamp/src/index.ts" });
  },
);
