// Puts the plan of a node onto its branch: contract and stubs of its own, and for each child what it offers and must pass.
import type { ChildSpec } from "../../domain/fractal/node-spec.ts";
import { announcedContract } from "../../domain/fractal/node-module.ts";
import { nodeOf, type Tree } from "../../domain/fractal/tree.ts";
import { CupelError } from "../../domain/error.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { LaidOut, ToLayOut } from "../../protocols/fractal/port.ts";
import type { ModuleText } from "../../protocols/port.ts";
import type { Edits, Files } from "../../toolchains/port.ts";
import { renderCommitMessage } from "../../workshop/git/commit-message.ts";
import { readCommit } from "../../workshop/git/commits.ts";
import { changed } from "../module-ports/changed.ts";
import { contractBody } from "../module-ports/lock.ts";
import { readModule } from "../module-ports/read-module.ts";
import { moduleFilesAt } from "../ship/module-files.ts";
import { shelfOf } from "../ship/shelf.ts";
import { changesOf, type Git, nodeBranch, plainCommit } from "./node-branch.ts";
import { onTip } from "./on-tip.ts";
import { branchOfNode, draftsIn, type TreeDesk } from "./tree-desk.ts";
import { SETTLED } from "./untouched.ts";

const FACE = "src/interface.ts";
const SUITE = "test/contract.test.ts";

export async function layOut(
  desk: TreeDesk,
  context: NodeContext,
  { tree, node, plan }: { tree: Tree; node: string; plan: ToLayOut },
): Promise<LaidOut> {
  const { hub, toolchain } = desk.ports;
  const work = await writtenBy(desk, node, plan);
  if (work.kind === "too-large") return { kind: "refused", problems: [work.problem] };
  const written = work.files;
  const loops = await loopProblems(desk, tree, node, plan);
  const taken = await takenProblems(desk, plan.children);
  const children = await Promise.all(
    plan.children.map((child) => childFiles(desk, node, child, written[suitePlace(child.id)])),
  );
  const problems = [
    ...strayProblems(tree, node, plan, written),
    ...loops,
    ...taken,
    ...children.flatMap((laid) => (laid.kind === "refused" ? laid.problems : [])),
  ];
  if (problems.length > 0) return { kind: "refused", problems };
  const suite = written[SUITE];
  const files: Files = {
    ...below(node, {
      ...sourcesOnly(toolchain.scaffold(plan.contract)),
      ...contractBody(plan.contract),
      ...(suite === undefined ? {} : { [SUITE]: suite }),
    }),
    ...Object.fromEntries(
      children.flatMap((laid) => (laid.kind === "laid" ? Object.entries(laid.files) : [])),
    ),
  };
  const message = renderCommitMessage({
    phase: "skeleton",
    description: `${node}: contract, stubs and what its children offer`,
    body: "",
    session: context.thread,
    node: context.node,
    costUsd: 0,
  });
  const branch = branchOfNode(desk, node);
  const name = `lay-out:${plan.work ?? "nothing"}`;
  const commit = await desk.turns.take(branch, () =>
    onTip(hub, context, { name, branch }, async (tip) =>
      plainCommit(hub, {
        parent: tip,
        message,
        changes: changesOf({ ...(await cleared(desk, tip, node)), ...files }),
      }),
    ),
  );
  return { kind: "laid-out", commit };
}

function suitePlace(child: string): string {
  return `children/${child}/contract.test.ts`;
}

function below(folder: string, files: Files): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`modules/${folder}/${path}`, text]));
}

function sourcesOnly(files: Files): Files {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith("src/")));
}

/** What the planner wrote in its own folder, by path; what it deleted is empty. */
async function writtenBy({ ports }: TreeDesk, node: string, { work }: ToLayOut): Promise<ModuleText> {
  if (work === null) return { kind: "read", files: {} };
  const { hub } = ports;
  const [base] = (await readCommit(hub.gitDir, work)).parents;
  if (base === undefined) throw new Error(`${work} has no parent`);
  const paths = await changed(hub, { base, commit: work }, node);
  const text = await readModule(hub, work, node);
  if (text.kind === "too-large") return text;
  return { kind: "read", files: Object.fromEntries(paths.map((path) => [path, text.files[path] ?? ""])) };
}

/** Everything else than suites, and a suite of one's own where a parent has given one, is not the planner's to write. */
function strayProblems(tree: Tree, node: string, { children }: ToLayOut, written: Files): string[] {
  const isRoot = nodeOf(tree, node).parent === null;
  const own = new Set([...children.map(({ id }) => suitePlace(id)), ...(isRoot ? [SUITE] : [])]);
  return Object.keys(written)
    .filter((path) => !own.has(path))
    .map((path) =>
      SETTLED.includes(path)
        ? `${path} belongs to the parent of ${node}: leave it as it is`
        : `${path} is not for the planner to write; only ${[...own].join(", ") || "no file"} is`,
    );
}

async function loopProblems(
  desk: TreeDesk,
  tree: Tree,
  node: string,
  { children }: ToLayOut,
): Promise<string[]> {
  const fresh = Object.fromEntries(
    children
      .filter(({ id }) => tree[id] === undefined)
      .map((spec) => [
        spec.id,
        { ...nodeOf(tree, node), spec, parent: node, children: [], depth: nodeOf(tree, node).depth + 1 },
      ]),
  );
  try {
    await draftsIn(desk, { ...tree, ...fresh }, { node, children: children.map(({ id }) => id) });
    return [];
  } catch (error) {
    if (error instanceof CupelError && error.code === "invalid_input") return [error.message];
    throw error;
  }
}

async function takenProblems({ ports }: TreeDesk, children: readonly ChildSpec[]): Promise<string[]> {
  const shelf = await shelfOf(ports);
  return children
    .filter(({ id }) => shelf.ownerOf(id) !== undefined)
    .map(({ id }) => `modules/${id} has shipped already: give the child another name, or build upon that`);
}

/** Whatever an earlier plan led to gives way, but for what the parent settled. */
async function cleared({ ports }: TreeDesk, tip: string, node: string): Promise<Edits> {
  const paths = await filesOf(ports.hub, tip, node);
  const gone = Object.keys(paths).filter((path) => !SETTLED.includes(path));
  return Object.fromEntries(gone.map((path) => [`modules/${node}/${path}`, null]));
}

type ChildFiles = { kind: "laid"; files: Files } | { kind: "refused"; problems: string[] };

/** A child that is there already stays as it was announced. */
async function childFiles(
  desk: TreeDesk,
  node: string,
  child: ChildSpec,
  suite: string | undefined,
): Promise<ChildFiles> {
  const { id } = child;
  const { hub, toolchain } = desk.ports;
  const announced = toolchain.announce(id, child.exports);
  if (announced.kind === "refused")
    return { kind: "refused", problems: announced.problems.map((problem) => `${id}: ${problem}`) };
  const { tip } = await nodeBranch(hub, branchOfNode(desk, node));
  const before = await filesOf(hub, tip, id);
  const own: Files = { ...announced.files, ...contractBody(announcedContract(child)) };
  if (before[FACE] === undefined) {
    if (suite !== undefined && suite.trim() !== "")
      return { kind: "laid", files: below(id, { ...own, [SUITE]: suite }) };
    const missing = `${suitePlace(id)} is missing: write the suite that ${id} must pass`;
    return { kind: "refused", problems: [missing] };
  }
  const differs = before[FACE] !== own[FACE] || (suite !== undefined && before[SUITE] !== suite);
  const stays = `${id} was announced already and stays as it is: name another child for what is new`;
  return differs ? { kind: "refused", problems: [stays] } : { kind: "laid", files: {} };
}

/** Nothing where the commit has no such module. */
async function filesOf(hub: Git, commit: string, folder: string): Promise<Files> {
  const found = await moduleFilesAt(hub, commit, folder, undefined, "on-its-way");
  return found.kind === "module" ? found.files : {};
}
