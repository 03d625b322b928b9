// Every way through one node of a tree: who runs next, what is believed, and how it ends.
import { fractalGraph } from "./graph.ts";
import { everyEdge } from "../walked-edges.suite.ts";
import { describe, expect, test } from "vitest";
import {
  ANSWER,
  APPROVED,
  BLOCKED,
  CHILD,
  CODE,
  goNode,
  HONEST,
  PLAN,
  QUESTION,
  QUIET,
  SPEC,
  stuckBy,
  TESTS,
  WITH_CHILD,
  WOKEN,
  ADAPTED,
  workOf,
} from "./fractal.suite.ts";
import { critique, MORE, SCENARIOS } from "./scenarios.suite.ts";

const walks: (() => string[])[] = [];

const parentOf = { id: "site", spec: { ...SPEC, id: "site" }, child: { ...CHILD, id: "slugify" } };

describe("a node comes to its end when", () => {
  test.each(SCENARIOS)("$name", async ({ play, way, ends }) => {
    const went = await goNode(play);
    walks.push(went.edges);
    expect(went.way.join(" ")).toBe(way);
    const outcome = went.state?.outcome;
    if (ends === "shipped") expect(outcome?.kind).toBe("shipped");
    else expect(outcome?.kind === "halted" ? outcome.halt.context : JSON.stringify(outcome)).toMatch(ends);
  });
});

test("a question climbs past a parent that does not know, and its answer reaches the planner", async () => {
  const { contract } = (await goNode({ answers: HONEST })).state ?? {};
  if (contract === undefined || contract === null) throw new Error("there is no contract");
  const passedOn = { exit: { ...QUESTION.exit, question: "Are blanks titles?" } };
  const went = await goNode({
    answers: { ...HONEST, scaffold: [QUESTION, PLAN], scaffold_answer: [passedOn, ANSWER] },
    ancestors: [parentOf, { ...parentOf, id: "root" }].map((each) => ({ ...each, contract })),
  });
  walks.push(went.edges);
  expect(went.way.slice(0, 3)).toEqual(["scaffold", "clarify", "scaffold"]);
  expect(went.noted.asked.filter(({ role }) => role === "scaffold_answer")).toHaveLength(2);
  expect(went.state?.answers).toEqual([{ question: "Are blanks titles?", answer: "One of spaces only." }]);
});

test("what a node is divided into is in its contract, also where its planner forgot it", async () => {
  const went = await goNode({ answers: { ...HONEST, scaffold: [WITH_CHILD] } });
  walks.push(went.edges);
  expect(went.state?.contract?.dependencies.map(({ ref }) => ref)).toEqual(["MM-words@^1.0.0"]);
  const alone = await goNode({ answers: HONEST });
  expect(alone.state?.contract?.dependencies).toEqual([]);
});

test("what a sibling will offer is waited for", async () => {
  const went = await goNode({
    answers: { ...HONEST, scaffold: [WITH_CHILD], impl_fractal: [BLOCKED, CODE] },
    siblings: [{ node: "words", exports: ["words"], merged: false }],
    shifts: [],
  });
  walks.push(went.edges);
  expect(went.state?.outcome?.kind).toBe("shipped");
});

test("what was criticised of the code reaches whoever writes it, after the tests are there", async () => {
  const { noted } = await goNode({
    answers: {
      ...HONEST,
      test_author: [TESTS, TESTS],
      impl_fractal: [CODE, CODE],
      tdd_review: [MORE, APPROVED],
    },
  });
  const shown = noted.asked.flatMap(({ role, input }) =>
    role === "impl_fractal" ? [input["critiques"]] : [],
  );
  expect(shown).toEqual([[], [critique]]);
});

test("who tests and who implements go on from the planner's conversation, until a fresh mind is asked for", async () => {
  const answers = { ...HONEST, impl_fractal: [stuckBy("InfiniteLoop"), CODE] };
  const { noted } = await goNode({ answers });
  const forks = noted.asked.flatMap(({ role, forkFrom }) =>
    role === "tdd_review" ? [] : [`${role} ${forkFrom ?? "afresh"}`],
  );
  expect(forks).toEqual(["scaffold afresh", "test_author s-1", "impl_fractal s-1", "impl_fractal afresh"]);
});

test("an agent is counted as woken only where what it uses has changed", async () => {
  const quiet = await goNode({ answers: HONEST, shifts: [QUIET, QUIET] });
  expect(quiet.state?.commit).toBe(workOf(2));
  expect(quiet.tree[SPEC.id]).toMatchObject({ rebases: 2, wakes: 0 });
  const woken = await goNode({ answers: { ...HONEST, rebaser: [ADAPTED] }, shifts: [QUIET, WOKEN] });
  expect(woken.tree[SPEC.id]).toMatchObject({ rebases: 2, wakes: 1 });
});

test("no edge of the graph is left that nobody walked", () => {
  const walked = new Set(walks.flatMap((edges) => edges()));
  expect(everyEdge(fractalGraph).filter((edge) => !walked.has(edge))).toEqual([]);
});
