// Merges whoever waits for one parent, tells everybody whom it reaches, and lets the parent judge what came.
import { below, isMerged, nodeOf, type Tree } from "../../domain/fractal/tree.ts";
import { plainSpec } from "../../domain/fractal/node-module.ts";
import { CupelError } from "../../domain/error.ts";
import { goOn } from "../../graph/go-on.ts";
import type { NodeContext } from "../../graph/port.ts";
import {
  type JudgePorts,
  type ToJudge,
  verdictGraph,
  type VerdictState,
} from "../../protocols/fractal/judge.ts";
import type { QueueResult } from "../../protocols/fractal/merge-queue.ts";
import type { FractalState } from "../../protocols/fractal/state.ts";
import { present } from "../../protocols/present.ts";
import { closeCalls } from "../calls/close-calls.ts";
import { readModule } from "../module-ports/read-module.ts";
import { broadcast } from "./broadcast.ts";
import { foldedBefore } from "./fold.ts";
import type { Went } from "./grow-tree.ts";
import { mergeWaiting, type Waiting } from "./merge-ground.ts";
import { portsOn } from "./node-assignment.ts";
import { nodeBranch } from "./node-branch.ts";
import { childOf } from "./node-ports.ts";
import { stateOfNode, verdictOn, verdictThread, wayOf } from "./node-thread.ts";
import {
  branchOfNode,
  draftsIn,
  nodeThread,
  readTree,
  suitesIn,
  tellTree,
  type TreeDesk,
} from "./tree-desk.ts";

/** One drain after the other; what came of each is judged at the same time, and while others are merged. */
export async function mergeChildren(
  desk: TreeDesk,
  parent: string,
  waiting: readonly string[],
): Promise<Went> {
  const results = await drained(desk, parent, waiting);
  const went = await Promise.allSettled(results.map((result) => answered(desk, parent, result)));
  const ended = went.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
  return ended.find(({ kind }) => kind === "stopped") ?? { kind: "went" };
}

/** The root has no parent to be folded into: its branch is what ships. */
export async function mergeRoot(desk: TreeDesk, root: string): Promise<Went> {
  const { tip } = await nodeBranch(desk.ports.hub, branchOfNode(desk, root));
  await tellTree(desk, keyOf(desk, root, "merged"), { kind: "merged", node: root, commit: tip });
  return { kind: "went" };
}

function drained(
  desk: TreeDesk,
  parent: string,
  waiting: readonly string[],
): Promise<QueueResult<Waiting>[]> {
  const { hub } = desk.ports;
  const branch = branchOfNode(desk, parent);
  return desk.turns.take(branch, async () => {
    const tree = await readTree(desk);
    const drafts = await draftsIn(desk, tree);
    const suites = suitesIn(desk, drafts, new AbortController().signal);
    const { tip } = await nodeBranch(hub, branch);
    const standing = await standingOn(desk, tree, parent, tip);
    const ground = {
      branch,
      standing: standing.flatMap((child) => below(tree, child)),
      suite: (folder: string, commit: string) => suites.run(drafts.get(folder), commit),
    };
    const candidates = await Promise.all(waiting.map((node) => candidateOf(desk, tree, node)));
    return (await mergeWaiting(hub, ground, tip, candidates)).results;
  });
}

/** Children that are merged, and those whose merge nobody has judged yet. */
async function standingOn(desk: TreeDesk, tree: Tree, parent: string, tip: string): Promise<string[]> {
  const { hub } = desk.ports;
  const standing: string[] = [];
  for (const node of nodeOf(tree, parent).children) {
    const isQueued = nodeOf(tree, node).place.kind === "queued";
    const branch = isQueued ? await nodeBranch(hub, branchOfNode(desk, node)) : undefined;
    const folded = branch && (await foldedBefore(hub, { node, branch }, tip));
    if (isMerged(tree, node) || (folded !== undefined && folded.tip === branch?.tip)) standing.push(node);
  }
  return standing;
}

async function candidateOf(desk: TreeDesk, tree: Tree, node: string): Promise<Waiting> {
  return {
    node,
    branch: await nodeBranch(desk.ports.hub, branchOfNode(desk, node)),
    folders: below(tree, node),
    message: {
      phase: `merge(${node})`,
      description: nodeOf(tree, node).spec.description.replaceAll(/\s+/g, " ").slice(0, 120),
      body: "",
      session: nodeThread(desk, node),
      costUsd: 0,
    },
  };
}

async function answered(desk: TreeDesk, parent: string, result: QueueResult<Waiting>): Promise<Went> {
  const { node } = result.candidate;
  const seen = await stateOfNode(desk, node);
  if (seen.kind === "stopped") return seen;
  const refusals = refusalsOf(result);
  const thread = verdictThread(desk, node, wayOf(desk, node));
  const went = await goOn(desk.ports.graphs, verdictGraph, {
    thread,
    runId: desk.ports.runId,
    ports: await judgePorts(desk, result, seen.state, thread),
    input: { refusals },
  });
  if (went.kind === "stopped") return went;
  await closeCalls(desk.ports, thread, desk.order);
  if (result.kind !== "merged") {
    await tellTree(desk, keyOf(desk, node, "rejected"), { kind: "rejected", node });
    return { kind: "went" };
  }
  // Both are told before the parent itself can go on with what came.
  await desk.turns.take(`verdicts of ${parent}`, async () => {
    await tellTree(desk, keyOf(desk, node, "merged"), { kind: "merged", node, commit: result.commit });
    await sentBack(desk, node, went.state);
  });
  return { kind: "went" };
}

/** The same for one way of a node to the queue, whoever tells it. */
function keyOf(desk: TreeDesk, node: string, what: string): string {
  return `${node}/${what}/${wayOf(desk, node)}`;
}

async function sentBack(desk: TreeDesk, node: string, { findings, halt }: VerdictState): Promise<void> {
  if (halt !== null) await tellTree(desk, keyOf(desk, node, "halted"), { kind: "halted", node });
  else if (findings.length > 0)
    await tellTree(desk, keyOf(desk, node, "sent-back"), { kind: "sent_back", node });
}

/** A verdict that was found and not told, because somebody died between the two, is told before anything goes on. */
export async function tellVerdicts(desk: TreeDesk): Promise<void> {
  for (const [node, { place }] of Object.entries(await readTree(desk))) {
    const verdict = place.kind === "merged" ? await verdictOn(desk, node) : undefined;
    if (verdict !== undefined) await sentBack(desk, node, verdict);
  }
}

function refusalsOf(result: QueueResult<Waiting>): string[] {
  switch (result.kind) {
    case "merged":
      return [];
    case "rejected":
      return result.failing.map((test) => `merged into its parent, this does not hold: ${test}`);
    case "conflict":
      return result.files.map((file) => `${file} was changed by others, too, and does not fit`);
  }
}

async function judgePorts(
  desk: TreeDesk,
  result: QueueResult<Waiting>,
  state: FractalState,
  thread: string,
): Promise<JudgePorts> {
  const { node, branch } = result.candidate;
  const tree = await readTree(desk);
  const { spec, parent, merges, override } = nodeOf(tree, node);
  if (parent === null) throw new CupelError("usage", `${node} has no parent that could judge it`);
  const commit = result.kind === "merged" ? result.commit : branch.tip;
  const own = await portsOn(desk, { tree, node, commit: branch.tip, thread });
  const text = await readModule(desk.ports.hub, commit, node);
  const toJudge = (): ToJudge => ({
    spec: plainSpec(nodeOf(tree, parent).spec),
    child: childOf(spec),
    contract: present(state.contract, "contract"),
    files:
      text.kind === "read" ? Object.entries(text.files).map(([path, code]) => ({ path, text: code })) : [],
    evidence: present(state.evidence, "evidence"),
    coverage: present(state.coverage, "coverage"),
  });
  return {
    ask: (context, request) => own.ask(context, request),
    times: merges + 1,
    merged: override === null ? toJudge() : null,
    broadcast: (context: NodeContext) => broadcast(desk, context, tree, result),
  };
}
