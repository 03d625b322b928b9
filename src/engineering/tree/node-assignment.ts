// What one node is given, as an assignment of a module: it follows from the tree and from the commit that the node stands on.
import { FIRST_VERSION, plainSpec, plannedNode } from "../../domain/fractal/node-module.ts";
import { nodeOf, type Tree } from "../../domain/fractal/tree.ts";
import { sketchedBy } from "../../domain/task/sketched-by.ts";
import { renderTaskFile } from "../../domain/task/task-file.ts";
import type { TreeNodeAssignment } from "../../protocols/fractal/port.ts";
import type { ProtocolPorts } from "../../protocols/port.ts";
import { dependencyView, viewOf } from "../dependency-view.ts";
import { modulePorts } from "../module-ports/module-ports.ts";
import { directProvisions } from "../provisions.ts";
import { pillarOf } from "../subject.ts";
import { dependenciesOf, draftsIn, nodeThread, type TreeDesk } from "./tree-desk.ts";

export function nodeAssignment({ settings }: TreeDesk, tree: Tree, node: string): TreeNodeAssignment {
  const { spec, depth } = nodeOf(tree, node);
  const { rhythm, depth: deepest, breadth, nodes } = settings;
  const announced = "exports" in spec ? spec : undefined;
  return {
    spec: plainSpec(spec),
    parent:
      announced === undefined ? null : { exports: announced.exports, assigned: announced.acceptanceCriteria },
    uses: announced?.uses ?? [],
    level: depth,
    limits: { depth: deepest, breadth, nodes },
    rhythm,
  };
}

interface StandingOn {
  tree: Tree;
  node: string;
  commit: string;
  /** Of its plan, where the tree does not know them yet. */
  children?: readonly string[];
  /** Another thread than the node's own. */
  thread?: string;
}

/** The ports of the module that comes of a node, built upon drafts of that commit. */
export async function portsOn(desk: TreeDesk, standing: StandingOn): Promise<ProtocolPorts> {
  const { ports, order, protocol } = desk;
  const { tree, node, commit, thread = nodeThread(desk, node) } = standing;
  const { spec, children: known } = nodeOf(tree, node);
  const children = [...(standing.children ?? known)];
  const drafts = await draftsIn(desk, tree, { node, children });
  const dependencies = await dependenciesOf(desk, tree, node, children);
  const provided = await directProvisions(drafts, dependencies, commit);
  const views = provided.map(async ({ ref, open }) => viewOf(ref, await open()));
  const { task, rigor } = order;
  // Before it has a contract, a planner sees everything that it may name in it.
  const isPlanned = standing.children !== undefined || !isUnplanned(tree, node);
  const offered = task.dependency_contracts
    .map(({ module_ref }) => module_ref)
    .filter((ref) => !isPlanned && !dependencies.includes(ref));
  const assignment = {
    task,
    taskText: renderTaskFile(task),
    module: {
      ...plannedNode(plainSpec(spec), dependencies),
      // The root is what the task asks for; what a child is given is announced by its parent.
      ...("exports" in spec ? {} : { io_contract: sketchedBy(task) }),
    },
    version: FIRST_VERSION,
    folder: node,
    dependencies: [
      ...(await Promise.all(views)),
      ...(await Promise.all(offered.map((ref) => dependencyView(ports.store, ref)))),
    ],
    rigor,
  };
  const making = { assignment, protocol, thread, pillar: pillarOf(task), provisions: drafts };
  return modulePorts(ports, order, making);
}

function isUnplanned(tree: Tree, node: string): boolean {
  const { place } = nodeOf(tree, node);
  return place.kind === "due" && place.at === "scaffold";
}
