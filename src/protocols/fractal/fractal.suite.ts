// One node of a tree with played roles and a played harness; the tree around it is the real one, with what the others do told.
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { Exporting } from "../../domain/fractal/exceptions.ts";
import type { ChildSpec, NodeSpec } from "../../domain/fractal/node-spec.ts";
import type { Rhythm } from "../../domain/fractal/routing.ts";
import type { SeenTest } from "../../domain/fractal/test-manifest.ts";
import { advance, nodeOf, type Tree, treeOf, waitsFor } from "../../domain/fractal/tree.ts";
import { openGraphs } from "../../graph/graphs.ts";
import type { Update } from "../../graph/port.ts";
import { LocalJournal } from "../../store/local/journal.ts";
import { Sql } from "../../store/sql.ts";
import { draft, PASSING, type Play, playedPorts } from "../played-ports.suite.ts";
import type { Examination } from "../seen.ts";
import { edgesOf } from "../walked-edges.suite.ts";
import { fractalGraph } from "./graph.ts";
import type { Adopted, Ancestor, LaidOut, NodePorts, Shifted } from "./port.ts";
import type { FractalState } from "./state.ts";

export const SPEC: NodeSpec = {
  id: "slugify",
  description: "Turns titles into slugs.",
  acceptanceCriteria: [{ id: "AC-1", text: "returns a slug for every title" }],
  complexityConstraints: null,
};
export const CHILD: ChildSpec = {
  ...SPEC,
  id: "words",
  acceptanceCriteria: [{ id: "AC-1.1", text: "splits titles into words" }],
  exports: [{ name: "words", signature: "(title: string) => string[]" }],
  uses: [],
};

const { contract } = draft();
export const PLAN = {
  exit: {
    kind: "InitWork",
    contract,
    test_plan: [{ criterionId: "AC-1", plannedTestName: "makes a slug", approach: "examples" }],
    children: [],
  },
};
export const WITH_CHILD = { exit: { ...PLAN.exit, children: [CHILD] } };
export const QUESTION = {
  exit: {
    kind: "ClarificationNeeded",
    question: "What is a blank title?",
    ambiguityReference: "AC-1",
    specSentence: "returns a slug for every title",
  },
};
export const ANSWER = { exit: { kind: "Answer", answer: "One of spaces only.", because: "every title" } };
export const TESTS = { exit: { kind: "TestsReady", shows: [{ test: "makes a slug", criterion: "AC-1" }] } };
export const CHALLENGE = { exit: { kind: "EmitChallenge", test: "makes a slug", criterion: "AC-1" } };
export const CONCLUDE = { exit: { kind: "ConcludeSuite" } };
export const NO_TYPE = {
  exit: { kind: "InvalidScaffold", missingType: "Slug", expectedLocation: "src/index.ts" },
};
export const CODE = { exit: { kind: "TestsPassed", strategy: "replace" } };
export const stuckBy = (subtype: string) => ({
  exit: { kind: "Stuck", subtype, diagnosis: "it does not work", recommendation: "ask somebody" },
});
export const BLOCKED = {
  exit: { kind: "BlockedDependency", missingSymbol: "words", expectedImportPath: "#modules/words" },
};
export const APPROVED = { exit: { kind: "Approved", signOff: "Read; it does what AC-1 says." } };
export const APPROVE = { exit: { kind: "Approve", signOff: "Read; it does what AC-1 says." } };
export const ADAPTED = {
  exit: {
    kind: "RebaseAdapted",
    adaptations: [{ symbol: "split", change: "split → words", reason: "renamed" }],
  },
};
const EVENT = {
  author: "words",
  impactLevel: "Breaking" as const,
  changes: [{ symbol: "split", changeType: "RemovedExport" as const, from: "() => void", reason: "renamed" }],
};
export const commit = (digit: string): string => digit.repeat(40);
export const WOKEN: Shifted = { kind: "woken", commit: commit("5"), event: EVENT, touched: ["words.split"] };
export const CLASH: Shifted = {
  kind: "conflict",
  event: EVENT,
  file: "src/index.ts",
  ours: "a",
  theirs: "b",
};
export const QUIET: Shifted = { kind: "quiet", commit: commit("6") };

/** Everybody does what is asked at the first try. */
export const HONEST = {
  scaffold: [PLAN],
  test_author: [TESTS],
  impl_fractal: [CODE],
  tdd_review: [APPROVED],
};
export const HONEST_PAIR = {
  scaffold: [PLAN],
  test_challenge: [CHALLENGE, CONCLUDE],
  impl_fractal: [CODE],
  reviewer: [APPROVE],
};

export interface NodePlay extends Play {
  rhythm?: Rhythm;
  shifts?: Shifted[];
  laidOut?: LaidOut[];
  /** Why the nth work that was to be taken over is refused. */
  adopted?: (string[] | undefined)[];
  reached?: SeenTest[][];
  siblings?: Exporting[];
  beyond?: string[][];
  ancestors?: Ancestor[];
  /** What the parent's queue says of each try. */
  queue?: ("merged" | "rejected")[];
}

export const RED: Examination = {
  ...PASSING,
  verdicts: [{ gate: "red-on-skeleton", verdict: "PASS", findings: [] }],
};

export function nodePorts(play: NodePlay) {
  const { ports, noted } = playedPorts(play);
  const counts = new Map<string, number>();
  const nth = (what: string): number => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
    return (counts.get(what) ?? 0) - 1;
  };
  const tree: { now: Tree } = { now: treeOf(SPEC) };
  const node: NodePorts = {
    ...ports,
    node: {
      spec: SPEC,
      parent: null,
      uses: [],
      level: 1,
      limits: { depth: 2, breadth: 2, nodes: 9 },
      rhythm: play.rhythm ?? "batch",
    },
    tree: {
      async post(_, event) {
        tree.now = advance(tree.now, event);
      },
      ground: async () => commit("0"),
      async block(_, on) {
        if (tree.now[on] === undefined || waitsFor(tree.now, on, SPEC.id)) return "refused";
        tree.now = advance(tree.now, { kind: "blocked", node: SPEC.id, on });
        return "waiting";
      },
      names: async () => new Set(Object.keys(tree.now)),
      ancestors: async () => play.ancestors ?? [],
      siblings: async () => play.siblings ?? [],
      layOut: async () => play.laidOut?.[nth("laid out")] ?? { kind: "laid-out", commit: commit("1") },
      async adopt(_, work): Promise<Adopted> {
        const problems = play.adopted?.[nth("adopted")];
        return problems === undefined
          ? { kind: "adopted", commit: work.commit }
          : { kind: "refused", problems };
      },
      reached: async () => play.reached?.[nth("reached")] ?? [{ name: "makes a slug", reaches: ["slugify"] }],
      shift: async () => play.shifts?.[nth("shift")] ?? { kind: "still" },
      beyondMechanical: async () => play.beyond?.[nth("beyond")] ?? [],
    },
    async write(context, request) {
      const answer = await ports.write(context, request);
      if (answer.kind === "stopped") return answer;
      const work = play.work?.[nth("written")] ?? { kind: "taken" as const, commit: workOf(nth("work")) };
      return { ...answer, work };
    },
    async examine(context, candidate, look) {
      const seen = await ports.examine(context, candidate, look);
      return look === undefined || seen.verdicts.length > 0 ? seen : RED;
    },
  };
  return { ports: node, noted, tree };
}

/** The nth commit that somebody made. */
export function workOf(nth: number): string {
  return `d${nth.toString(16)}`.padEnd(40, "0");
}

/** Walks one node to its end as the supervisor of a tree would: entered again whenever the tree says so. */
export async function goNode(play: NodePlay) {
  const sql = Sql.open(join(temporaryDirectory(), "cupel.db"), { durability: "normal" });
  onTestFinished(() => sql.close());
  const updates: Update[] = [];
  const graphs = openGraphs({ sql, holder: "us", observers: [(update) => void updates.push(update)] });
  const { ports, noted, tree } = nodePorts(play);
  const queue = [...(play.queue ?? ["merged"])];
  const going = { thread: "t", ports };
  let went = await graphs.run(fractalGraph, { ...going, runId: "r-1" });
  for (let turns = 0; turns < 20; turns += 1) {
    if (went.kind !== "finished") throw new Error(JSON.stringify(went));
    const { place } = nodeOf(tree.now, SPEC.id);
    if (place.kind === "halted" || place.kind === "shipped") break;
    if (place.kind === "holding" || place.kind === "blocked") tree.now = withChildMerged(tree.now);
    else if (place.kind === "queued") {
      const kind = queue.shift() ?? "merged";
      if (kind === "rejected") tree.now = advance(tree.now, { kind, node: SPEC.id });
      else tree.now = advance(tree.now, { kind, node: SPEC.id, commit: place.commit });
      const critiques = [{ file: "src/index.ts", line: 1, issue: "breaks words", requiredFix: "do not" }];
      if (kind === "rejected")
        went = await graphs.enter(fractalGraph, { ...going, at: "make", input: { next: "impl", critiques } });
    } else if (place.kind === "merged")
      went = await graphs.enter(fractalGraph, { ...going, at: "challenge" });
    else if (place.kind === "due" && place.at === "write_tests")
      went = await graphs.enter(fractalGraph, { ...going, at: "tests", input: { next: "impl" } });
    else if (place.kind === "due" && place.at === "impl")
      went = await graphs.enter(fractalGraph, { ...going, at: "make", input: { next: "impl" } });
    else break;
  }
  const events = await new LocalJournal(sql).read(0, 2000);
  const way = events.flatMap((event) => (event.kind === "node_started" ? [event.node] : []));
  const state: FractalState | undefined = went.kind === "finished" ? went.state : undefined;
  return {
    way,
    noted,
    tree: tree.now,
    state,
    edges: () => updates.flatMap((update) => edgesOf(fractalGraph, update)),
  };
}

function withChildMerged(tree: Tree): Tree {
  const child = tree[CHILD.id];
  if (child === undefined) throw new Error("it waits for nobody");
  const queued = { ...child, place: { kind: "queued" as const, commit: commit("9") } };
  return advance({ ...tree, [CHILD.id]: queued }, { kind: "merged", node: CHILD.id, commit: commit("9") });
}
