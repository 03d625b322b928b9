// One node of a tree as a graph. It ends whenever it has to wait, and is entered again when the tree says so.
import { defineGraph } from "../../graph/define-graph.ts";
import type { NodeContext } from "../../graph/port.ts";
import { author } from "./author.ts";
import { clarify } from "./clarify.ts";
import { implement } from "./implement.ts";
import { layOut, plan } from "./plan.ts";
import type { NodePorts } from "./port.ts";
import { enqueue, review } from "./review.ts";
import { challenge, ship } from "./ship.ts";
import { type FractalState, fractalState } from "./state.ts";
import { rebase, turn } from "./turn.ts";

const MINUTE = 60_000;
const ASKING = { timeoutMs: 90 * MINUTE };
const HARNESS = { timeoutMs: 60 * MINUTE, lane: "harness" };
const PLANNER = { ...ASKING, lane: "planner" };

type State = FractalState;
type Context = NodeContext;

const tell =
  (kind: "tests_ready" | "halted" | "shipped") => async (_: State, ports: NodePorts, context: Context) => {
    await ports.tree.post(context, { kind, node: ports.node.spec.id });
    return { update: kind === "tests_ready" ? { released: true } : {} };
  };

export const fractalGraph = defineGraph({
  name: "fractal",
  version: 1,
  state: fractalState,
  nodes: {
    scaffold: {
      ...PLANNER,
      does: "says what the node promises, how it is tested, and which children it has",
      run: plan,
      routes: ["lay_out", "scaffold", "clarify", "halt"],
    },
    clarify: {
      ...PLANNER,
      does: "asks whoever is above, from parent to parent",
      run: clarify,
      routes: ["scaffold", "halt"],
    },
    lay_out: {
      ...HARNESS,
      does: "lays out stubs, interfaces and suites, and lets children begin",
      run: layOut,
      routes: ["wait", "scaffold", "halt"],
    },
    author: {
      ...ASKING,
      lane: "test author",
      does: "writes tests, all at once or one at a time; they must fail on stubs",
      run: author,
      routes: ["hold", "impl", "author", "scaffold", "review", "halt"],
    },
    hold: {
      ...HARNESS,
      does: "waits until all children are merged",
      run: tell("tests_ready"),
      to: ["end"],
    },
    impl: {
      ...ASKING,
      lane: "impl",
      does: "makes the tests pass with what the children offer",
      run: implement,
      routes: ["turn", "impl", "scaffold", "wait", "clarify", "halt"],
    },
    wait: {
      ...HARNESS,
      does: "gives way to others: until it is its turn, or until a sibling offers what it needs",
      run: async () => ({ update: {} }),
      to: ["end"],
    },
    turn: {
      ...HARNESS,
      does: "moves onto what siblings have brought before anything else happens",
      run: turn,
      routes: ["impl", "review", "author", "turn", "rebase", "scaffold", "halt"],
    },
    rebase: {
      ...ASKING,
      lane: "rebaser",
      does: "follows a sibling's change by imports, names and types alone",
      run: rebase,
      routes: ["turn", "scaffold", "halt"],
    },
    review: {
      ...ASKING,
      lane: "reviewer",
      does: "reads what passes every gate",
      run: review,
      routes: ["enqueue", "impl", "author", "halt"],
    },
    enqueue: { ...HARNESS, does: "goes to the merge queue of its parent", run: enqueue, to: ["end"] },
    challenge: {
      ...HARNESS,
      does: "puts challenge and adjudication on record, by rule",
      run: challenge,
      to: ["ship"],
    },
    ship: { ...HARNESS, does: "brings the module to the door", run: ship, routes: ["shipped", "halt"] },
    shipped: { ...HARNESS, does: "tells the tree that it is sealed", run: tell("shipped"), to: ["end"] },
    halt: {
      ...HARNESS,
      does: "stops with everything a person needs in order to decide",
      run: tell("halted"),
      to: ["end"],
    },
  },
  entries: {
    start: "scaffold",
    shape: "scaffold",
    make: "turn",
    tests: "author",
    challenge: "challenge",
    ship: "ship",
  },
});
