// The thread of one node: begun, gone on with, or entered again where the tree says that it is due.
import { type Due } from "../../domain/fractal/next-in-tree.ts";
import { nodeOf } from "../../domain/fractal/tree.ts";
import { whyStopped } from "../../graph/go-on.ts";
import type { GraphOutcome } from "../../graph/port.ts";
import { fractalGraph } from "../../protocols/fractal/graph.ts";
import { verdictGraph, type VerdictState } from "../../protocols/fractal/judge.ts";
import type { FractalState, FractalUpdate } from "../../protocols/fractal/state.ts";
import { threadName } from "../subject.ts";
import type { Went } from "./grow-tree.ts";
import { nodeBranch } from "./node-branch.ts";
import { nodePorts } from "./node-ports.ts";
import { branchOfNode, nodeThread, readTree, type TreeDesk } from "./tree-desk.ts";

type Entry = "shape" | "tests" | "make" | "challenge" | "ship";

/** Of what its parent said when it came by that way. */
export function verdictThread({ ports, order }: TreeDesk, node: string, way: number): string {
  return threadName(ports.runId, order, `verdict/${node}/${way}`);
}

/** A node that was sent back comes again by another way, and is told anew. */
export function wayOf(desk: TreeDesk, node: string): number {
  return desk.ports.graphs.find(nodeThread(desk, node))?.epoch ?? 0;
}

/** While others decide about what this one builds upon, it is not begun. */
export async function workOn(desk: TreeDesk, { node, at }: Due): Promise<Went> {
  const isDue = await desk.turns.take(`verdicts of ${node}`, async () => {
    const { place } = nodeOf(await readTree(desk), node);
    return place.kind === "due" && place.at === at;
  });
  if (!isDue) return { kind: "went" };
  if (at === "review") return reviewFix(desk, node);
  const entry = { scaffold: "shape", write_tests: "tests", impl: "make" } as const;
  return walk(desk, node, entry[at]);
}

/** What a person wrote is looked at like what anybody wrote; whatever was counted before counts no more. */
async function reviewFix(desk: TreeDesk, node: string): Promise<Went> {
  const seen = await stateOfNode(desk, node);
  if (seen.kind === "stopped") return seen;
  const { tip } = await nodeBranch(desk.ports.hub, branchOfNode(desk, node));
  const criteriaMissing = nodeOf(await readTree(desk), node).spec.acceptanceCriteria.map(({ id }) => id);
  return walk(desk, node, "make", {
    commit: tip,
    tests: tip,
    coverage: seen.state.coverage ?? { criteriaWithTests: [], criteriaMissing },
    next: "review",
    ...NOTHING_COUNTED,
  });
}

const NOTHING_COUNTED: FractalUpdate = {
  planFixes: 0,
  testFixes: 0,
  attempts: 0,
  reviews: 0,
  failures: [],
  findings: [],
  critiques: [],
  question: null,
  shift: null,
  // What it was the work of is closed; from here on it is the person's.
  pack: null,
  released: true,
  concluded: true,
  outcome: null,
};

export async function shipNode(desk: TreeDesk, node: string): Promise<Went> {
  const { override } = nodeOf(await readTree(desk), node);
  if (override === null) return walk(desk, node, "challenge");
  return walk(desk, node, "ship", { override, proposal: null, outcome: null });
}

/** A thread that was interrupted goes on where it was; only one that has ended is entered. */
function walk(desk: TreeDesk, node: string, at: Entry, given?: FractalUpdate): Promise<Went> {
  const thread = nodeThread(desk, node);
  return desk.turns.take(thread, () => walkThread(desk, thread, node, at, given));
}

async function walkThread(
  desk: TreeDesk,
  thread: string,
  node: string,
  at: Entry,
  given?: FractalUpdate,
): Promise<Went> {
  const { graphs, runId } = desk.ports;
  const found = graphs.find(thread);
  const ports = await nodePorts(desk, node);
  const going = { thread, ports };
  if (found === undefined) return wentBy(await graphs.run(fractalGraph, { ...going, runId }));
  if (found.status === "open") return wentBy(await graphs.resume(fractalGraph, going));
  const input = given ?? (await inputOf(desk, node, at));
  return wentBy(await graphs.enter(fractalGraph, { ...going, at, input }));
}

/** Where it goes on from, and what its parent or the queue said of what it brought before. */
async function inputOf(desk: TreeDesk, node: string, at: Entry): Promise<FractalUpdate> {
  if (at === "challenge" || at === "ship" || at === "shape") return {};
  const { tip: commit } = await nodeBranch(desk.ports.hub, branchOfNode(desk, node));
  const said = await verdictOn(desk, node);
  const findings = said?.findings ?? [];
  const critiques = said?.critiques ?? [];
  const next = "impl" as const;
  return { commit, next, ...(findings.length + critiques.length === 0 ? {} : { findings, critiques }) };
}

/** Undefined where nobody had to say anything. */
export async function verdictOn(desk: TreeDesk, node: string): Promise<VerdictState | undefined> {
  const { graphs } = desk.ports;
  const thread = verdictThread(desk, node, wayOf(desk, node));
  if (graphs.find(thread)?.status !== "finished") return undefined;
  // It has ended, so nothing of this is asked for.
  const never = (): never => {
    throw new Error(`${thread} has ended`);
  };
  const told = await graphs.resume(verdictGraph, {
    thread,
    ports: {
      ask: never,
      broadcast: never,
      times: 1,
      get merged() {
        return never();
      },
    },
  });
  return told.kind === "finished" ? told.state : undefined;
}

type NodeState = { kind: "ended"; state: FractalState } | { kind: "stopped"; why: string };

/** What a node that has ended came to; one that died right before its end ends first. */
export async function stateOfNode(desk: TreeDesk, node: string): Promise<NodeState> {
  const thread = nodeThread(desk, node);
  // It may just have told the tree where it stands, and be about to end.
  const told = await desk.turns.take(thread, async () =>
    desk.ports.graphs.resume(fractalGraph, { thread, ports: await nodePorts(desk, node) }),
  );
  return told.kind === "finished"
    ? { kind: "ended", state: told.state }
    : { kind: "stopped", why: whyStopped(told) };
}

function wentBy(outcome: GraphOutcome<FractalState>): Went {
  return outcome.kind === "finished" ? { kind: "went" } : { kind: "stopped", why: whyStopped(outcome) };
}
