// What everything that works on one tree shares: the factory, the tree in the store, its drafts and suites, and turns for
// what only one may do at a time.
import { join } from "node:path";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { CupelError } from "../../domain/error.ts";
import { nodeRef } from "../../domain/fractal/node-module.ts";
import { DEFAULT_FRACTAL, type FractalSettings } from "../../domain/fractal/settings.ts";
import { nodeOf, type Tree, type TreeEvent } from "../../domain/fractal/tree.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { moduleIdOf, type ModuleRef } from "../../domain/refs.ts";
import { fileCache } from "../../evidence/liveness.ts";
import type { ProtocolTraits } from "../../protocols/port.ts";
import type { TaskOrder, TaskPorts } from "../port.ts";
import type { Packages } from "../ship/build-packages.ts";
import { CONTRACT, moduleFilesAt } from "../ship/module-files.ts";
import { threadName } from "../subject.ts";
import { type Drafts, draftsOf } from "./drafts.ts";
import { branchOf, nodeBranch } from "./node-branch.ts";
import { type Suites, suitesOf } from "./suites.ts";
import { Turns } from "./turns.ts";

export interface TreeDesk {
  ports: TaskPorts;
  order: TaskOrder;
  protocol: ProtocolTraits;
  settings: FractalSettings;
  /** Of the tree in the store; threads and branches of nodes are named after it. */
  name: string;
  /** Of what was built in this process. */
  builds: Map<string, Promise<Packages>>;
  turns: Turns;
  /** Called when something was told to the tree. */
  listeners: Set<() => void>;
}

export function treeDesk(ports: TaskPorts, order: TaskOrder, protocol: ProtocolTraits): TreeDesk {
  return {
    ports,
    order,
    protocol,
    settings: order.fractal ?? DEFAULT_FRACTAL,
    name: threadName(ports.runId, order, "tree"),
    builds: new Map(),
    turns: new Turns(),
    listeners: new Set(),
  };
}

export function nodeThread({ ports, order }: TreeDesk, node: string): string {
  return threadName(ports.runId, order, `tree/${node}`);
}

export function branchOfNode({ name }: TreeDesk, node: string): string {
  return branchOf(name, node);
}

export async function readTree({ ports, name }: TreeDesk): Promise<Tree> {
  const tree = await ports.store.trees.read(name);
  if (tree === undefined) throw new CupelError("not_found", `there is no tree ${name}`);
  return tree;
}

/** The same key again changes nothing. */
export async function tellTree(desk: TreeDesk, key: string, event: TreeEvent): Promise<Tree> {
  const { ports, name, listeners } = desk;
  const tree = await ports.store.trees.append(ports.fence, name, key, event);
  for (const listener of listeners) listener();
  return tree;
}

/** The contract that a node has laid out last; undefined while it has laid out nothing. */
export async function contractOfNode(desk: TreeDesk, node: string): Promise<MicroModuleContract | undefined> {
  const { hub } = desk.ports;
  const { tip } = await nodeBranch(hub, branchOfNode(desk, node));
  const found = await moduleFilesAt(hub, tip, node, undefined, "on-its-way");
  const text = found.kind === "module" ? found.files[CONTRACT] : undefined;
  return text === undefined
    ? undefined
    : parseOrThrow(MicroModuleContract, JSON.parse(text), `the contract of ${node}`);
}

/** What it was divided into, what its siblings offer it, and what its contract names of what has shipped. */
export async function dependenciesOf(
  desk: TreeDesk,
  tree: Tree,
  node: string,
  children = nodeOf(tree, node).children,
): Promise<ModuleRef[]> {
  const { spec } = nodeOf(tree, node);
  const used = "uses" in spec ? spec.uses : [];
  return [...[...used, ...children].map(nodeRef), ...(await shippedBelow(desk, node))];
}

async function shippedBelow(desk: TreeDesk, node: string): Promise<ModuleRef[]> {
  const given = desk.order.task.dependency_contracts.map(({ module_ref }) => module_ref);
  if (given.length === 0) return [];
  const { gitDir } = desk.ports.hub;
  const begun = await nodeBranch({ gitDir }, branchOfNode(desk, node)).catch(() => undefined);
  const contract = begun === undefined ? undefined : await contractOfNode(desk, node);
  const named = (contract?.dependencies ?? []).map(({ ref }) => moduleIdOf(ref));
  return given.filter((ref) => named.includes(moduleIdOf(ref)));
}

/** Every node of the tree as a module that is not sealed yet. */
export async function draftsIn(
  desk: TreeDesk,
  tree: Tree,
  planned?: { node: string; children: readonly string[] },
): Promise<Drafts> {
  const { ports, builds } = desk;
  const own = planned === undefined ? [] : planned.children.filter((id) => tree[id] === undefined);
  const known = Object.keys(tree).map(async (id) => ({
    ref: nodeRef(id),
    folder: id,
    dependencies: await dependenciesOf(
      desk,
      tree,
      id,
      planned?.node === id ? [...planned.children] : undefined,
    ),
  }));
  const fresh = own.map((id) => ({ ref: nodeRef(id), folder: id, dependencies: [] }));
  return draftsOf({ ...ports, builds }, [...(await Promise.all(known)), ...fresh]);
}

export function suitesIn({ ports, order }: TreeDesk, drafts: Drafts, signal: AbortSignal): Suites {
  const cache = fileCache(join(ports.workplace, "suites"));
  const { secondsPerTest } = order.rigor;
  return suitesOf({ drafts, toolchain: ports.toolchain, cache, secondsPerTest, signal });
}
