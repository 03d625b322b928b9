import { expect, test } from "vitest";
import type { ChildSpec, NodeSpec } from "./node-spec.ts";
import { treeLines, treeRows, treeSummary } from "./tree-view.ts";
import { advance, type TreeEvent, treeOf } from "./tree.ts";

const spec = (id: string): NodeSpec => ({
  id,
  description: id,
  acceptanceCriteria: [{ id: "AC-1", text: id }],
  complexityConstraints: null,
});
const child = (id: string): ChildSpec => ({
  ...spec(id),
  exports: [{ name: "go", signature: "() => void" }],
  uses: [],
});

test("a tree is read from its root down, with what each node is at", () => {
  const commit = "a".repeat(40);
  const grown: TreeEvent[] = [
    { kind: "unfolded", node: "shop", children: [child("cart"), child("till")] },
    { kind: "unfolded", node: "cart", children: [child("line"), child("sum")] },
    { kind: "rebased", node: "till", woke: false },
    { kind: "rebased", node: "till", woke: true },
    { kind: "approved", node: "till", commit },
    { kind: "halted", node: "sum" },
  ];
  const tree = grown.reduce(advance, treeOf(spec("shop")));
  expect(treeLines(treeRows(tree))).toEqual([
    "shop  gets its tests",
    "├─ cart  gets its tests",
    "│  ├─ line  is planned",
    "│  └─ sum  halted",
    "└─ till  waits to be merged, 2 rebases, 1 woke somebody",
  ]);
  expect(treeSummary(treeRows(tree))).toBe("5 nodes, 2 rebases, 1 of them woke somebody");
});
