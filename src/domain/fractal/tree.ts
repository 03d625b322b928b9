// A tree of nodes and where each of them stands: which may go on now, what waits for whom, and what every event changes.
import { z } from "zod";
import { CupelError } from "../error.ts";
import { PersonsWord } from "../people/ship-evidence.ts";
import { GitId } from "../run/workspace-record.ts";
import { Text } from "../refs.ts";
import { ChildSpec, NodeId, NodeSpec } from "./node-spec.ts";

/** Where a node goes on when it may. */
export const NodeEntry = z.enum(["scaffold", "write_tests", "impl", "review"]);
export type NodeEntry = z.infer<typeof NodeEntry>;

export const NodePlace = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("due"), at: NodeEntry }),
  /** Its tests are there, or a person's fix, and its children are not all merged. */
  z.strictObject({ kind: z.literal("holding"), before: NodeEntry.extract(["impl", "review"]) }),
  /** It waits for an answer: of its parent, or where it has none of a person. */
  z.strictObject({ kind: z.literal("asking"), question: Text }),
  /** It waits for something that a sibling will offer. */
  z.strictObject({ kind: z.literal("blocked"), on: NodeId }),
  /** Approved, and waiting to be merged into its parent. */
  z.strictObject({ kind: z.literal("queued"), commit: GitId }),
  z.strictObject({ kind: z.literal("merged"), commit: GitId }),
  z.strictObject({ kind: z.literal("shipped") }),
  /** With the commit that brought it to its parent, where it was merged before. */
  z.strictObject({ kind: z.literal("halted"), merged: GitId.nullable() }),
]);
export type NodePlace = z.infer<typeof NodePlace>;

export const TreeNode = z.strictObject({
  spec: z.union([ChildSpec, NodeSpec]),
  parent: NodeId.nullable(),
  depth: z.int().min(1),
  children: z.array(NodeId),
  place: NodePlace,
  /** How often it was merged; a node that was sent back merges again. */
  merges: z.int().min(0),
  /** How often it was moved onto what was merged beside it, and for how many of these somebody had to be asked. */
  rebases: z.int().min(0),
  wakes: z.int().min(0),
  /** A person's word in place of review, judgement and gates. */
  override: PersonsWord.nullable(),
});
export type TreeNode = z.infer<typeof TreeNode>;

/** By id; parents before children, children in the order in which they were planned. */
export const Tree = z.record(NodeId, TreeNode);
export type Tree = z.infer<typeof Tree>;

export const TreeEvent = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("unfolded"), node: NodeId, children: z.array(ChildSpec) }),
  z.strictObject({ kind: z.literal("tests_ready"), node: NodeId }),
  z.strictObject({ kind: z.literal("asked"), node: NodeId, question: Text }),
  z.strictObject({ kind: z.literal("answered"), node: NodeId }),
  z.strictObject({ kind: z.literal("blocked"), node: NodeId, on: NodeId }),
  z.strictObject({ kind: z.literal("rebased"), node: NodeId, woke: z.boolean() }),
  z.strictObject({ kind: z.literal("approved"), node: NodeId, commit: GitId }),
  z.strictObject({ kind: z.literal("merged"), node: NodeId, commit: GitId }),
  z.strictObject({ kind: z.literal("rejected"), node: NodeId }),
  /** By its parent, who judges what it made. */
  z.strictObject({ kind: z.literal("sent_back"), node: NodeId }),
  z.strictObject({ kind: z.literal("shipped"), node: NodeId }),
  z.strictObject({ kind: z.literal("halted"), node: NodeId }),
  /** A person gave files, which are on its branch by now. */
  z.strictObject({ kind: z.literal("fixed"), node: NodeId }),
  z.strictObject({ kind: z.literal("overridden"), node: NodeId, commit: GitId, word: PersonsWord }),
]);
export type TreeEvent = z.infer<typeof TreeEvent>;

export function treeOf(root: NodeSpec): Tree {
  return { [root.id]: newNode(root, null, 1) };
}

function newNode(spec: TreeNode["spec"], parent: string | null, depth: number): TreeNode {
  const place = { kind: "due", at: "scaffold" } as const;
  return { spec, parent, depth, children: [], place, merges: 0, rebases: 0, wakes: 0, override: null };
}

export function nodeOf(tree: Tree, id: string): TreeNode {
  const node = tree[id];
  if (node === undefined)
    throw new CupelError("usage", `the tree has no node ${id}`, {
      expected: `one of ${Object.keys(tree).join(", ")}`,
    });
  return node;
}

/** The tree after an event; one that does not fit where the node stands is refused, so nothing happens twice. */
export function advance(tree: Tree, event: TreeEvent): Tree {
  const { place } = nodeOf(tree, event.node);
  if (!FITS[event.kind].includes(place.kind))
    throw new CupelError("usage", `${event.node} is ${place.kind} and cannot be ${event.kind}`, {
      expected: `a node that is ${FITS[event.kind].join(" or ")}`,
    });
  return settle(applied(tree, event));
}

const FITS: Readonly<Record<TreeEvent["kind"], readonly NodePlace["kind"][]>> = {
  unfolded: ["due"],
  tests_ready: ["due"],
  asked: ["due"],
  answered: ["asking"],
  blocked: ["due"],
  rebased: ["due"],
  approved: ["due"],
  merged: ["queued"],
  rejected: ["queued"],
  sent_back: ["merged"],
  shipped: ["merged"],
  halted: ["due", "asking", "blocked", "queued", "holding", "merged"],
  fixed: ["halted"],
  overridden: ["halted"],
};

function applied(tree: Tree, event: TreeEvent): Tree {
  const node = nodeOf(tree, event.node);
  if (event.kind === "unfolded") return unfolded(tree, event.node, event.children);
  if (event.kind === "blocked" && waitsFor(tree, event.on, event.node))
    throw new CupelError("usage", `${event.on} waits for ${event.node} itself`, {
      expected: "another plan instead of waiting for each other",
    });
  return { ...tree, [event.node]: { ...node, ...changed(node, event) } };
}

function changed(node: TreeNode, event: Exclude<TreeEvent, { kind: "unfolded" }>): Partial<TreeNode> {
  switch (event.kind) {
    case "tests_ready":
      return { place: { kind: "holding", before: "impl" } };
    case "asked":
      return { place: { kind: "asking", question: event.question } };
    case "answered":
      return { place: { kind: "due", at: "scaffold" } };
    case "blocked":
      return { place: { kind: "blocked", on: event.on } };
    case "rebased":
      return { rebases: node.rebases + 1, wakes: node.wakes + (event.woke ? 1 : 0) };
    case "approved":
      return { place: { kind: "queued", commit: event.commit } };
    case "merged":
      return { place: { kind: "merged", commit: event.commit }, merges: node.merges + 1 };
    case "rejected":
      return { place: { kind: "due", at: "impl" } };
    case "sent_back":
      return { place: { kind: "due", at: "write_tests" } };
    case "shipped":
      return { place: { kind: "shipped" } };
    default:
      return decided(node, event);
  }
}

/** What needs a person, and what they said. */
function decided(
  { place }: TreeNode,
  event: Extract<TreeEvent, { kind: "halted" | "fixed" | "overridden" }>,
): Partial<TreeNode> {
  switch (event.kind) {
    case "halted":
      return { place: { kind: "halted", merged: place.kind === "merged" ? place.commit : null } };
    case "fixed":
      return { place: { kind: "due", at: "review" } };
    case "overridden": {
      const merged = place.kind === "halted" ? place.merged : null;
      const back = merged ?? event.commit;
      return { place: { kind: merged === null ? "queued" : "merged", commit: back }, override: event.word };
    }
  }
}

/** Children that stay keep what they have done; those that are no longer wanted leave with everything below them. */
function unfolded(tree: Tree, id: string, specs: readonly ChildSpec[]): Tree {
  const node = nodeOf(tree, id);
  const kept = new Set(specs.map((spec) => spec.id));
  const gone = node.children.filter((child) => !kept.has(child)).flatMap((child) => below(tree, child));
  const others = Object.entries(tree).filter(([each]) => !gone.includes(each));
  const fresh = specs
    .filter((spec) => tree[spec.id] === undefined)
    .map((spec): [string, TreeNode] => [spec.id, newNode(spec, id, node.depth + 1)]);
  const parent: TreeNode = {
    ...node,
    children: specs.map((spec) => spec.id),
    place: { kind: "due", at: "write_tests" },
  };
  return Object.fromEntries([
    ...others.map(([each, value]) => [each, each === id ? parent : value]),
    ...fresh,
  ]);
}

/** A node and everything below it. */
export function below(tree: Tree, id: string): string[] {
  return [id, ...nodeOf(tree, id).children.flatMap((child) => below(tree, child))];
}

/** Lets go on what has waited for nothing but this, and holds what must wait again. */
function settle(tree: Tree): Tree {
  const settled = Object.entries(tree).map(([id, node]): [string, TreeNode] => {
    const { place, children } = node;
    const whole = children.every((child) => isMerged(tree, child));
    if (place.kind === "holding" && whole) return [id, { ...node, place: { kind: "due", at: place.before } }];
    if (place.kind === "blocked" && isMerged(tree, place.on))
      return [id, { ...node, place: { kind: "due", at: "impl" } }];
    if (whole || place.kind !== "due" || (place.at !== "impl" && place.at !== "review")) return [id, node];
    return [id, { ...node, place: { kind: "holding", before: place.at } }];
  });
  return Object.fromEntries(settled);
}

export function isMerged(tree: Tree, id: string): boolean {
  const place = tree[id]?.place.kind;
  return place === "merged" || place === "shipped";
}

/** Whether that one, directly or through others, waits for this one: then waiting for it would never end. */
export function waitsFor(tree: Tree, that: string, id: string): boolean {
  const { place, children } = nodeOf(tree, that);
  if (that === id) return true;
  if (place.kind === "blocked") return waitsFor(tree, place.on, id);
  return children.some((child) => !isMerged(tree, child) && waitsFor(tree, child, id));
}
