// The tree around one node with a real hub, store and toolchain: what a planner may lay out, whose work is taken over, and
// what is the same when a step runs again after a crash.
import { expect, onTestFinished, test } from "vitest";
import { sampleGit } from "../../../test/git-samples.ts";
import { fileAt, messageOf, subjectsOf } from "../../../test/tree-ground.ts";
import { openGround, orderOf } from "../../../test/engineering-ground.ts";
import { contextOf } from "../../../test/step-context.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { CLAMP_CONTRACT } from "../../../test/module-samples.ts";
import { PACKAGES } from "../../../test/typescript-site.ts";
import type { ChildSpec } from "../../domain/fractal/node-spec.ts";
import type { NodePorts } from "../../protocols/fractal/port.ts";
import { fractal } from "../../protocols/fractal/protocol.ts";
import { changesOf, commitOn, nodeBranch, plainCommit } from "./node-branch.ts";
import { nodePorts } from "./node-ports.ts";
import { branchOfNode, readTree, tellTree, treeDesk } from "./tree-desk.ts";

const ROOT = {
  id: "percent",
  description: "Gives whole percents.",
  acceptanceCriteria: [{ id: "AC-1", text: "never more than all" }],
  complexityConstraints: null,
};
const CHILD: ChildSpec = {
  ...ROOT,
  id: "clamp",
  description: "Keeps a number within a range.",
  exports: [{ name: "clamp", signature: "(value: number, low: number, high: number) => number" }],
  uses: [],
};
const SUITE =
  'import { expect, test } from "vitest";\nimport { clamp } from "../src/index.ts";\n\ntest("holds", () => expect(clamp(2, 1, 3)).toBe(2));\n';
const CONTRACT = { ...CLAMP_CONTRACT, module_id: "MM-percent", name: "percent" };

async function opened() {
  const ground = await openGround(temporaryDirectory(), { packages: PACKAGES });
  onTestFinished(() => ground.close());
  const { ports } = ground;
  const desk = treeDesk(ports, orderOf(), fractal);
  await ports.store.trees.begin(ports.fence, desk.name, ROOT);
  const node = await nodePorts(desk, "percent");
  const base = await node.tree.ground(contextOf());
  const written = (from: string, files: Record<string, string | null>) =>
    plainCommit(ports.hub, {
      parent: from,
      message: messageOf("an agent's work"),
      changes: changesOf(
        Object.fromEntries(Object.entries(files).map(([path, text]) => [`modules/percent/${path}`, text])),
      ),
    });
  const tip = async () => (await nodeBranch(ports.hub, branchOfNode(desk, "percent"))).tip;
  return { desk, ports, node, base, written, tip };
}

const PLACE = "children/clamp/contract.test.ts";
const plan = (work: string | null, children = [CHILD]) => ({ contract: CONTRACT, children, work });

const LONG = { timeout: 120_000 };

test("a plan is laid out with what its child offers and must pass, once", LONG, async () => {
  const { node, base, written, ports, tip } = await opened();
  const work = await written(base, { [PLACE]: SUITE });
  const kept = new Map<string, unknown>();
  const laid = await node.tree.layOut(contextOf({ kept }), plan(work));
  if (laid.kind === "refused") throw new Error(laid.problems.join("\n"));
  expect(await node.tree.layOut(contextOf({ kept }), plan(work))).toEqual(laid);
  expect(await tip()).toBe(laid.commit);
  expect(subjectsOf(ports.hub, base, laid.commit)).toHaveLength(1);
  const at = (path: string) => fileAt(ports.hub, laid.commit, `modules/${path}`);
  expect(`${at("clamp/test/contract.test.ts").trimEnd()}\n`).toBe(SUITE);
  expect(at("clamp/src/interface.ts")).toContain("readonly clamp: (value: number");
  expect(JSON.parse(at("percent/contract.json"))).toMatchObject({ module_id: "MM-percent" });
  expect(() => at(`percent/${PLACE}`)).toThrow(PLACE);
  expect(node.assignment.dependencies.map(({ ref }) => ref)).toEqual(["MM-clamp@1.0.0"]);
});

async function refusalOf(node: NodePorts, given: ReturnType<typeof plan>): Promise<string> {
  const laid = await node.tree.layOut(contextOf(), given);
  return laid.kind === "refused" ? laid.problems.join("\n") : "laid out";
}

test("a plan without a suite, with code, or with modules in a circle is refused by name", LONG, async () => {
  const { node, base, written, tip } = await opened();
  expect(await refusalOf(node, plan(null))).toMatch(/children\/clamp\/contract\.test\.ts is missing/);
  const code = await written(base, { [PLACE]: SUITE, "src/index.ts": "export {};\n" });
  expect(await refusalOf(node, plan(code))).toMatch(/src\/index\.ts is not for the planner/);
  const suites = await written(base, { [PLACE]: SUITE, "children/lerp/contract.test.ts": SUITE });
  const circle = [
    { ...CHILD, uses: ["lerp"] },
    { ...CHILD, id: "lerp", uses: ["clamp"] },
  ];
  expect(await refusalOf(node, plan(suites, circle))).toMatch(/built upon each other/);
  expect(await tip()).toBe(base);
});

test("what was announced stays as it is", LONG, async () => {
  const { node, base, written, desk } = await opened();
  const laid = await node.tree.layOut(contextOf(), plan(await written(base, { [PLACE]: SUITE })));
  if (laid.kind === "refused") throw new Error(laid.problems.join("\n"));
  await tellTree(desk, "unfolded", { kind: "unfolded", node: "percent", children: [CHILD] });
  expect(Object.keys(await readTree(desk))).toEqual(["percent", "clamp"]);
  const other = { ...CHILD, exports: [{ name: "clamp", signature: "(value: string) => string" }] };
  expect(await refusalOf(node, plan(null, [other]))).toMatch(/clamp was announced already/);
  const lax = await written(laid.commit, { [PLACE]: `${SUITE}// more\n` });
  expect(await refusalOf(node, plan(lax))).toMatch(/clamp was announced already/);
  expect(await refusalOf(node, plan(null))).toBe("laid out");
});

test(
  "work is taken over where it keeps to its paths, also when the branch has moved meanwhile",
  LONG,
  async () => {
    const { node, base, written, ports, desk, tip } = await opened();
    const stray = await written(base, { "test/a.test.ts": "a\n", "src/index.ts": "b\n" });
    const paths = ["test/"];
    expect(await node.tree.adopt(contextOf(), { base, commit: stray, paths })).toMatchObject({
      kind: "refused",
      problems: [expect.stringContaining("src/index.ts was changed")],
    });
    const settled = await written(base, { "test/contract.test.ts": "a\n" });
    expect(await node.tree.adopt(contextOf(), { base, commit: settled, paths })).toMatchObject({
      kind: "refused",
      problems: [expect.stringContaining("test/contract.test.ts")],
    });
    expect(await tip()).toBe(base);
    const first = await written(base, { "test/a.test.ts": "a\n" });
    expect(await node.tree.adopt(contextOf(), { base, commit: first, paths })).toEqual({
      kind: "adopted",
      commit: first,
    });
    // Meanwhile a child was merged, and the tests come back mended, from where their author had begun.
    const branch = branchOfNode(desk, "percent");
    const files = { "modules/clamp/src/index.ts": "c\n" };
    const merged = await commitOn(ports.hub, branch, { from: first, files, message: messageOf("a child") });
    const second = await written(base, { "test/b.test.ts": "b\n" });
    const kept = new Map<string, unknown>();
    const adopted = await node.tree.adopt(contextOf({ kept }), { base, commit: second, paths });
    expect(await node.tree.adopt(contextOf({ kept }), { base, commit: second, paths })).toEqual(adopted);
    expect(adopted).toEqual({ kind: "adopted", commit: await tip() });
    expect(subjectsOf(ports.hub, merged, await tip())).toHaveLength(1);
    const listed = sampleGit(ports.hub.gitDir, "ls-tree", "-r", "--name-only", await tip(), "modules/");
    expect(listed.split("\n")).toEqual(["modules/clamp/src/index.ts", "modules/percent/test/b.test.ts"]);
  },
);
