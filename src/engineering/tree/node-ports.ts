// The ports of one node: those of its module, on whatever commit it stands by now, and the tree around it.
import { randomUUID } from "node:crypto";
import { CupelError } from "../../domain/error.ts";
import { plainSpec } from "../../domain/fractal/node-module.ts";
import { type ChildSpec } from "../../domain/fractal/node-spec.ts";
import { isMerged, nodeOf, type Tree, type TreeEvent, waitsFor } from "../../domain/fractal/tree.ts";
import { Text } from "../../domain/refs.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { Ancestor, NodePorts, TreePorts } from "../../protocols/fractal/port.ts";
import { tipOf } from "../../workshop/git/refs.ts";
import { adopt } from "./adopt.ts";
import { layOut } from "./lay-out.ts";
import { beyondMechanical, reached } from "./look-at-node.ts";
import { nodeAssignment, portsOn } from "./node-assignment.ts";
import { beginBranch, nodeBranch } from "./node-branch.ts";
import { shift } from "./shift.ts";
import { branchOfNode, contractOfNode, readTree, tellTree, type TreeDesk } from "./tree-desk.ts";

/** Also begins its branch, on its parent's as that is now. */
export async function nodePorts(desk: TreeDesk, node: string): Promise<NodePorts> {
  const begun = await readTree(desk);
  const branch = await beginNode(desk, begun, node);
  let now = await portsOn(desk, { tree: begun, node, commit: branch.tip });
  /** Others have become part of what it builds upon, or what it builds upon has changed. */
  const standOn = async (commit: string, children?: readonly string[]): Promise<void> => {
    const tree = await readTree(desk);
    now = await portsOn(desk, { tree, node, commit, ...(children === undefined ? {} : { children }) });
  };
  const tree: TreePorts = {
    ...toldTo(desk, node),
    ...seenFrom(desk, node),
    ground: async () => (await nodeBranch(desk.ports.hub, branch.branch)).base,
    async layOut(context, plan) {
      const laid = await layOut(desk, context, { tree: await readTree(desk), node, plan });
      const children = plan.children.map(({ id }) => id);
      if (laid.kind === "laid-out") await standOn(laid.commit, children);
      return laid;
    },
    adopt: (context, work) => adopt(desk, context, node, work),
    reached: (_, commit) => reached(desk, node, commit),
    async shift(context, commit) {
      const shifted = await shift(desk, context, node, commit);
      if (shifted.kind === "quiet" || shifted.kind === "woken") await standOn(shifted.commit);
      return shifted;
    },
    beyondMechanical: (_, work) => beyondMechanical(desk, node, work),
  };
  return {
    get assignment() {
      return now.assignment;
    },
    get letters() {
      return now.letters;
    },
    get records() {
      return now.records;
    },
    node: nodeAssignment(desk, begun, node),
    tree,
    ask: (context, request) => now.ask(context, request),
    write: (context, request) => now.write(context, request),
    lock: (context, contract) => now.lock(context, contract),
    inspect: (context, contract) => now.inspect(context, contract),
    scaffold: (context, contract) => now.scaffold(context, contract),
    merge: (context, work) => now.merge(context, work),
    changed: (context, work) => now.changed(context, work),
    test: (context, work) => now.test(context, work),
    examine: (context, candidate, look) => now.examine(context, candidate, look),
    symbols: (context, work) => now.symbols(context, work),
    differ: (context, work) => now.differ(context, work),
    certify: (context) => now.certify(context),
    read: (context, commit) => now.read(context, commit),
    contents: (context, work) => now.contents(context, work),
    ship: (context, candidate) => now.ship(context, candidate),
    history: (context) => now.history(context),
  };
}

async function beginNode(desk: TreeDesk, tree: Tree, node: string) {
  const { hub } = desk.ports;
  const { parent } = nodeOf(tree, node);
  const at =
    parent === null
      ? await tipOf(hub.gitDir, hub.branch)
      : (await nodeBranch(hub, branchOfNode(desk, parent))).tip;
  return beginBranch(hub, branchOfNode(desk, node), at);
}

/** Each event gets a name of its own before it is told, so that telling it again changes nothing. */
function toldTo(desk: TreeDesk, node: string): Pick<TreePorts, "post" | "block"> {
  const post = async (context: NodeContext, event: TreeEvent): Promise<void> => {
    const name = `tree:${event.kind}`;
    const key = await context.once(name, Text, async () => `${node}/${event.kind}/${randomUUID()}`);
    await tellTree(desk, key, event);
  };
  return {
    post,
    async block(context, on) {
      const tree = await readTree(desk);
      const isWaiting = nodeOf(tree, node).place.kind === "blocked";
      if (!isWaiting && (tree[on] === undefined || waitsFor(tree, on, node))) return "refused";
      await post(context, { kind: "blocked", node, on });
      return "waiting";
    },
  };
}

function seenFrom(desk: TreeDesk, node: string): Pick<TreePorts, "names" | "ancestors" | "siblings"> {
  return {
    names: async () => new Set(Object.keys(await readTree(desk))),
    ancestors: async () => ancestorsOf(desk, await readTree(desk), node),
    async siblings() {
      const tree = await readTree(desk);
      const { parent } = nodeOf(tree, node);
      return Object.entries(tree)
        .filter(([id, each]) => id !== node && each.parent === parent)
        .map(([id, { spec }]) => ({
          node: id,
          exports: "exports" in spec ? spec.exports.map(({ name }) => name) : [],
          merged: isMerged(tree, id),
        }));
    },
  };
}

async function ancestorsOf(desk: TreeDesk, tree: Tree, node: string): Promise<Ancestor[]> {
  const { parent, spec } = nodeOf(tree, node);
  if (parent === null) return [];
  const contract = await contractOfNode(desk, parent);
  if (contract === undefined) throw new Error(`${parent} has children and no contract`);
  const own = { id: parent, spec: plainSpec(nodeOf(tree, parent).spec), contract, child: childOf(spec) };
  return [own, ...(await ancestorsOf(desk, tree, parent))];
}

export function childOf(spec: Tree[string]["spec"]): ChildSpec {
  if ("exports" in spec) return spec;
  throw new CupelError("usage", `${spec.id} is the root of a tree and no child`);
}
