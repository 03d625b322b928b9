// Makes the modules of a task as a tree: the task is its root, which unfolds, folds back and ships, or halts at some node.
import { sha256Hex } from "../../domain/canonical.ts";
import { nodeModuleId, nodeRef } from "../../domain/fractal/node-module.ts";
import { NodeId, type NodeSpec } from "../../domain/fractal/node-spec.ts";
import { foldOrder } from "../../domain/fractal/next-in-tree.ts";
import { type Tree } from "../../domain/fractal/tree.ts";
import { slugify } from "../../domain/task/slug.ts";
import type { TaskFile } from "../../domain/task/task-file.ts";
import type { Halt } from "../../protocols/outcome.ts";
import type { TreeProtocol } from "../../protocols/port.ts";
import { closeCalls } from "../calls/close-calls.ts";
import type { Made } from "../make-modules.ts";
import type { TaskOrder, TaskPorts } from "../port.ts";
import { type Shelf, shelfOf } from "../ship/shelf.ts";
import { type Growing, growTree } from "./grow-tree.ts";
import { mergeChildren, mergeRoot, tellVerdicts } from "./merge-children.ts";
import { resolveNode } from "./resolve-node.ts";
import { shipNode, stateOfNode, verdictOn, workOn } from "./node-thread.ts";
import { nodeThread, readTree, treeDesk, type TreeDesk } from "./tree-desk.ts";

export async function makeTree(ports: TaskPorts, order: TaskOrder, protocol: TreeProtocol): Promise<Made> {
  const desk = treeDesk(ports, order, protocol);
  const root = rootSpec(order.task, await shelfOf(ports));
  await ports.store.trees.begin(ports.fence, desk.name, root);
  await tellVerdicts(desk);
  await resolveNode(desk);
  const grown = await growTree(growing(desk, root.id), desk.settings.concurrency);
  if (grown.kind === "stopped") return grown;
  const tree = await readTree(desk);
  for (const node of Object.keys(tree)) await closeCalls(ports, nodeThread(desk, node), order);
  if (grown.kind === "shipped") return { kind: "shipped", modules: grown.order.map(nodeRef) };
  return haltedAt(desk, tree, grown.nodes);
}

function growing(desk: TreeDesk, root: string): Growing {
  return {
    read: () => readTree(desk),
    changed: () =>
      new Promise((resolve) => {
        const listener = (): void => {
          desk.listeners.delete(listener);
          resolve();
        };
        desk.listeners.add(listener);
      }),
    work: (due) => workOn(desk, due),
    merge: (parent, waiting) =>
      parent === null ? mergeRoot(desk, root) : mergeChildren(desk, parent, waiting),
    ship: (node) => shipNode(desk, node),
  };
}

/** The criteria of the task are those of the root, numbered as they stand. */
function rootSpec(task: TaskFile, shelf: Shelf): NodeSpec {
  return {
    id: rootId(task, shelf),
    description: task.description,
    acceptanceCriteria: task.acceptance_criteria.map((text, index) => ({ id: `AC-${index + 1}`, text })),
    complexityConstraints: null,
  };
}

/** After the task, unless another task has shipped something of that name. */
function rootId({ task_name, task_id }: TaskFile, shelf: Shelf): string {
  const slug = slugify(task_name);
  const plain = NodeId.safeParse(slug).success ? slug : `task-${slug}`.slice(0, MOST).replace(/-$/, "");
  const owner = shelf.ownerOf(plain);
  const isOwn = shelf.versionsOf(nodeModuleId(plain)).every(({ task }) => task === task_id);
  if ((owner === undefined || owner === nodeModuleId(plain)) && isOwn) return plain;
  return `${plain.slice(0, MOST - HASH - 1).replace(/-$/, "")}-${sha256Hex(task_id).slice(0, HASH)}`;
}

const MOST = 64;
const HASH = 8;

async function haltedAt(desk: TreeDesk, tree: Tree, nodes: readonly string[]): Promise<Made> {
  const halts: { module: string; halt: Halt }[] = [];
  for (const node of nodes) {
    const seen = await stateOfNode(desk, node);
    if (seen.kind === "stopped") return seen;
    const { outcome } = seen.state;
    const halt = outcome?.kind === "halted" ? outcome.halt : (await verdictOn(desk, node))?.halt;
    if (halt === undefined || halt === null) throw new Error(`${node} halted and does not say why`);
    halts.push({ module: nodeModuleId(node), halt });
  }
  const order = foldOrder(tree);
  const shipped = order.filter((node) => tree[node]?.place.kind === "shipped");
  const left = order.filter((node) => !shipped.includes(node) && !nodes.includes(node));
  return { kind: "halted", halts, abandoned: left.map(nodeModuleId), shipped: shipped.map(nodeRef) };
}
