// Ways through one node of a tree, as data: what everybody does, which steps that leads to, and how it ends.
import { failing } from "../blind/blind.suite.ts";
import { PASSING } from "../played-ports.suite.ts";
import {
  ADAPTED,
  ANSWER,
  APPROVE,
  APPROVED,
  BLOCKED,
  CHALLENGE,
  CHILD,
  CLASH,
  CODE,
  CONCLUDE,
  HONEST,
  HONEST_PAIR,
  NO_TYPE,
  PLAN,
  QUESTION,
  QUIET,
  RED,
  stuckBy,
  TESTS,
  WITH_CHILD,
  WOKEN,
  type NodePlay,
} from "./fractal.suite.ts";

const SHAPE = "scaffold lay_out wait author hold";
const MAKE = "turn impl turn review enqueue";
const SHIP = "challenge ship shipped";
const stop = { role: "x", kind: "blocked", why: "something is missing", interfaceChange: null };
const RETRY = { ...stop, kind: "retry", strategy: "split first" };
const WRONG = failing("makes a slug");
const REFUSED = { ...PASSING, findings: ["static: an import of vm"] };
export const critique = { file: "src/index.ts", line: 1, issue: "too long", requiredFix: "shorten" };
export const MORE = {
  exit: {
    kind: "MoreTests",
    critiques: [critique],
    additionalTests: [{ criterionId: "AC-1", plannedTestName: "odd titles", approach: "fuzz" }],
  },
};
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

export interface Scenario {
  name: string;
  play: NodePlay;
  way: string;
  ends: "shipped" | RegExp;
}

export const SCENARIOS: Scenario[] = [
  {
    name: "everybody does what is asked",
    play: { answers: HONEST },
    way: `${SHAPE} ${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a node waits for its child before it is implemented",
    play: { answers: { ...HONEST, scaffold: [WITH_CHILD] } },
    way: `${SHAPE} ${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "tests come one at a time",
    play: { rhythm: "ping-pong", answers: HONEST_PAIR },
    way: `${SHAPE} turn impl turn author review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a question is answered by the parent",
    play: { answers: { ...HONEST, scaffold: [QUESTION, PLAN], scaffold_answer: [ANSWER] }, ancestors: [] },
    way: "scaffold clarify halt",
    ends: /nobody above it knows: What is a blank title\?/,
  },
  {
    name: "a plan that invents a child's criterion is planned again",
    play: {
      answers: {
        ...HONEST,
        scaffold: [
          {
            exit: { ...PLAN.exit, children: [{ ...CHILD, acceptanceCriteria: [{ id: "AC-7", text: "x" }] }] },
          },
          PLAN,
        ],
      },
    },
    way: `scaffold ${SHAPE} ${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a plan that is never good ends with a person",
    play: { answers: { scaffold: many(6, PLAN) }, inspections: many(6, ["it does not compile"]) },
    way: "scaffold scaffold scaffold scaffold scaffold scaffold halt",
    ends: /After 5 fixes the plan of slugify/,
  },
  {
    name: "a planner who changes its own interface plans again, for ever is a person's matter",
    play: {
      answers: { scaffold: many(7, PLAN) },
      laidOut: many(7, { kind: "refused" as const, problems: ["src/interface.ts was changed"] }),
    },
    way: `${"scaffold lay_out ".repeat(6)}halt`,
    ends: /interface\.ts was changed/,
  },
  {
    name: "tests that pass on stubs are written again",
    play: {
      answers: { ...HONEST, test_author: [TESTS, TESTS] },
      examinations: [
        { ...RED, verdicts: [{ gate: "red-on-skeleton", verdict: "FAIL", findings: ["passes on stubs"] }] },
      ],
    },
    way: `scaffold lay_out wait author author hold ${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "tests that nobody can believe end with a person",
    play: { answers: { ...HONEST, test_author: many(6, TESTS) }, reached: many(6, []) },
    way: "scaffold lay_out wait author author author author author author halt",
    ends: /After 5 fixes the tests of slugify/,
  },
  {
    name: "tests that touch code are refused",
    play: { answers: { ...HONEST, test_author: [TESTS, TESTS] }, adopted: [["src/index.ts is not yours"]] },
    way: `scaffold lay_out wait author author hold ${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a type that is missing goes back to the planner",
    play: { answers: { ...HONEST, scaffold: [PLAN, PLAN], test_author: [NO_TYPE, TESTS] } },
    way: `scaffold lay_out wait author ${SHAPE} ${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "code that fails its tests is tried again",
    play: { answers: { ...HONEST, impl_fractal: [CODE, CODE] }, tests: [WRONG] },
    way: `${SHAPE} turn impl impl turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "code that never passes gets a stronger model, then a person",
    play: { answers: { ...HONEST, impl_fractal: many(10, CODE) }, tests: many(10, WRONG) },
    way: `${SHAPE} turn ${many(10, "impl").join(" ")} halt`,
    ends: /After 5 attempts slugify is still wrong: makes a slug/,
  },
  {
    name: "a skill ceiling is answered with a stronger model",
    play: { answers: { ...HONEST, impl_fractal: [stuckBy("SkillCeiling"), CODE] } },
    way: `${SHAPE} turn impl impl turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "who asks for another attempt gets it, and the last one is followed by a stronger model",
    play: { answers: { ...HONEST, impl_fractal: [...many(5, RETRY), CODE] } },
    way: `${SHAPE} turn ${many(6, "impl").join(" ")} turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "who keeps missing what is there is not asked for ever",
    play: {
      answers: { ...HONEST, impl_fractal: [...many(5, BLOCKED), CODE] },
      siblings: [{ node: "words", exports: ["words"], merged: true }],
    },
    way: `${SHAPE} turn ${many(4, "impl turn").join(" ")} impl impl turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "tests that let mutants live go to who wrote them",
    play: {
      answers: { ...HONEST, test_author: [TESTS, TESTS], impl_fractal: [CODE, CODE] },
      examinations: [PASSING, { ...PASSING, findings: ["mutation: 3 of 9 survive"] }],
    },
    way: `${SHAPE} turn impl turn review author impl turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a loop is answered with a fresh mind",
    play: { answers: { ...HONEST, impl_fractal: [stuckBy("InfiniteLoop"), CODE] } },
    way: `${SHAPE} turn impl impl turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "an impossible specification goes to the planner",
    play: {
      answers: {
        ...HONEST,
        scaffold: [PLAN, PLAN],
        test_author: [TESTS, TESTS],
        impl_fractal: [stuckBy("SpecImpossible"), CODE],
      },
    },
    way: `${SHAPE} turn impl ${SHAPE} ${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "who has no resources left asks a person",
    play: { answers: { ...HONEST, impl_fractal: [stuckBy("ResourceExhausted")] } },
    way: `${SHAPE} turn impl halt`,
    ends: /out of resources/,
  },
  {
    name: "what a sibling has already is taken from there",
    play: {
      answers: { ...HONEST, impl_fractal: [BLOCKED, CODE] },
      siblings: [{ node: "words", exports: ["words"], merged: true }],
    },
    way: `${SHAPE} turn impl turn impl turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "what nobody has goes to the planner",
    play: {
      answers: {
        ...HONEST,
        scaffold: [PLAN, PLAN],
        test_author: [TESTS, TESTS],
        impl_fractal: [BLOCKED, CODE],
      },
    },
    way: `${SHAPE} turn impl ${SHAPE} ${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a contradiction is asked about",
    play: {
      answers: {
        ...HONEST,
        impl_fractal: [
          {
            exit: {
              kind: "SpecAmbiguity",
              specSentence: "every title",
              contradictionTrace: "blank",
              question: "And blank ones?",
            },
          },
        ],
      },
    },
    way: `${SHAPE} turn impl clarify halt`,
    ends: /And blank ones\?/,
  },
  {
    name: "a gate that says no sends the code back",
    play: { answers: { ...HONEST, impl_fractal: [CODE, CODE] }, examinations: [RED, REFUSED] },
    way: `${SHAPE} turn impl turn review impl turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "gates that always say no end with a person",
    play: { answers: { ...HONEST, impl_fractal: many(6, CODE) }, examinations: [RED, ...many(6, REFUSED)] },
    way: `${SHAPE} turn ${many(6, "impl turn review").join(" ")} halt`,
    ends: /an import of vm/,
  },
  {
    name: "a reviewer wants more tests",
    play: {
      answers: {
        ...HONEST,
        test_author: [TESTS, TESTS],
        impl_fractal: [CODE, CODE],
        tdd_review: [MORE, APPROVED],
      },
    },
    way: `${SHAPE} turn impl turn review author impl turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a rejection leaves to a person",
    play: {
      answers: {
        ...HONEST,
        tdd_review: [
          { exit: { kind: "Reject", reason: "wrong from the ground up", missingCriteria: ["AC-1"] } },
        ],
      },
    },
    way: `${SHAPE} turn impl turn review halt`,
    ends: /wrong from the ground up/,
  },
  {
    name: "in ping-pong a rejection goes to the author of the tests, and changes to the code",
    play: {
      rhythm: "ping-pong",
      answers: {
        ...HONEST_PAIR,
        test_challenge: [CHALLENGE, CONCLUDE, CONCLUDE],
        impl_fractal: [CODE, CODE],
        reviewer: [
          { exit: { kind: "Reject", reason: "no test of blanks", missingCriteria: ["AC-1"] } },
          { exit: { kind: "RequestChanges", critiques: [critique] } },
          APPROVE,
        ],
      },
    },
    way: `${SHAPE} turn impl turn author review author review impl turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a sibling that changed nothing it uses is moved onto without waking anybody",
    play: { answers: HONEST, shifts: [QUIET] },
    way: `${SHAPE} turn turn impl turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a sibling that behaves differently is found by the suite",
    play: {
      answers: { ...HONEST, impl_fractal: [CODE, CODE] },
      shifts: [{ kind: "still" }, QUIET],
      tests: [{ kind: "ran", passed: 1, failures: [] }, WRONG],
    },
    way: `${SHAPE} turn impl turn turn impl turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a sibling that renamed what it uses wakes the rebaser",
    play: { answers: { ...HONEST, rebaser: [ADAPTED] }, shifts: [{ kind: "still" }, WOKEN] },
    way: `${SHAPE} turn impl turn rebase turn review enqueue ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "what takes more than mechanical changes goes to the planner",
    play: {
      answers: {
        ...HONEST,
        scaffold: [PLAN, PLAN],
        test_author: [TESTS, TESTS],
        impl_fractal: [CODE, CODE],
        rebaser: [ADAPTED],
      },
      shifts: [{ kind: "still" }, WOKEN],
      beyond: [['src/index.ts:3 "<" has become "<="']],
    },
    way: `${SHAPE} turn impl turn rebase ${SHAPE} ${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "lines that both changed go to the planner",
    play: { answers: { ...HONEST, scaffold: [PLAN, PLAN], test_author: [TESTS, TESTS] }, shifts: [CLASH] },
    way: `${SHAPE} turn ${SHAPE} ${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "what the queue rejects goes back to the code",
    play: {
      answers: { ...HONEST, impl_fractal: [CODE, CODE], tdd_review: [APPROVED, APPROVED] },
      queue: ["rejected", "merged"],
    },
    way: `${SHAPE} ${MAKE} ${MAKE} ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "the door that is barred is a person's matter",
    play: { answers: HONEST, ships: [{ kind: "barred", why: "slugify@1.0.0 has shipped" }] },
    way: `${SHAPE} ${MAKE} challenge ship halt`,
    ends: /has shipped/,
  },
  {
    name: "the planner is blocked",
    play: { answers: { scaffold: [stop] } },
    way: "scaffold halt",
    ends: /something is missing/,
  },
  {
    name: "the author is blocked",
    play: { answers: { ...HONEST, test_author: [stop] } },
    way: "scaffold lay_out wait author halt",
    ends: /something is missing/,
  },
  {
    name: "the reviewer is blocked",
    play: { answers: { ...HONEST, tdd_review: [stop] } },
    way: `${SHAPE} turn impl turn review halt`,
    ends: /something is missing/,
  },
  {
    name: "the rebaser is blocked",
    play: { answers: { ...HONEST, rebaser: [stop] }, shifts: [WOKEN] },
    way: `${SHAPE} turn rebase halt`,
    ends: /something is missing/,
  },
  {
    name: "planning that is used up cannot follow a sibling either",
    play: {
      answers: { ...HONEST, scaffold: many(7, PLAN), test_author: many(7, TESTS) },
      shifts: many(7, CLASH),
    },
    way: `${many(6, `${SHAPE} turn`).join(" ")} halt`,
    ends: /was merged and changed src\/index\.ts/,
  },
];
