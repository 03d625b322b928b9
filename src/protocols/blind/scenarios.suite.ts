// Ways through the blind protocol, as data: what everybody does, which nodes that leads to, and how it ends.
import { holeOf } from "../../domain/blind/blind.suite.ts";
import type { Stop } from "../outcome.ts";
import {
  type BlindPlay,
  HONEST,
  IMPL,
  PASSED,
  refusedBy,
  type Setting,
  SOUND,
  TESTS,
  TYPES,
} from "./blind.suite.ts";

export interface Scenario extends Setting {
  name: string;
  play: BlindPlay;
  /** The nodes that were started, in order. */
  way: string;
  /** What shipped, or what the person is told. */
  ends: "shipped" | RegExp;
}

export const SHAPE = "types scaffold skeleton type_adversary gate fork impl tests join verify_tdd";
export const SHIP = "certify challenge ship witness exit";
export const JUDGE = `merge validate post_validate ${SHIP}`;
const EARLY = "head_start early_adversary early_impl early_tests early_gate";

export function stop(role: string, kind: Stop["kind"] = "blocked", why = "something is missing"): Stop {
  return { role, kind, why, interfaceChange: null };
}

export function hole(severity: Parameters<typeof holeOf>[0]) {
  return { ...SOUND, holes: [holeOf(severity)] };
}

const BARE = { ...TYPES, contract: { ...TYPES.contract, predicates: [] } };
const CONFLICT = { kind: "conflict" as const, files: ["src/index.ts"] };

export const SHAPING: Scenario[] = [
  {
    name: "everybody does what is asked",
    play: { answers: HONEST },
    way: `${SHAPE} ${JUDGE}`,
    ends: "shipped",
  },
  {
    name: "the types role is blocked",
    play: { answers: { types: [stop("types")] } },
    way: "types halt exit",
    ends: /types ended with blocked: something is missing/,
  },
  {
    name: "a contract that nothing could prove goes back at once, and again",
    play: { answers: { ...HONEST, types: [BARE, BARE, TYPES] } },
    way: `types types_fix types_fix ${SHAPE.slice("types ".length)} ${JUDGE}`,
    ends: "shipped",
  },
  {
    name: "the types role gives up while it closes a hole",
    play: { answers: { types: [TYPES, stop("types")], type_adversary: [hole("Critical")] } },
    way: "types scaffold skeleton type_adversary gate types_fix halt exit",
    ends: /types ended with blocked/,
  },
  {
    name: "a hole at Major goes back to the types, the skeleton and the adversary",
    play: { answers: { ...HONEST, types: [TYPES, TYPES], type_adversary: [hole("Major"), SOUND] } },
    way: `types scaffold skeleton type_adversary gate types_fix ${SHAPE.slice("types ".length)} ${JUDGE}`,
    ends: "shipped",
  },
  {
    name: "minor holes hold nobody up",
    play: { answers: { ...HONEST, type_adversary: [hole("Minor")] } },
    way: `${SHAPE} ${JUDGE}`,
    ends: "shipped",
  },
  {
    name: "stubs that are none, and functions that nobody declared, go back to the types",
    play: {
      answers: { ...HONEST, types: [TYPES, TYPES], type_adversary: [SOUND, SOUND] },
      skeletons: [refusedBy("claims", "helper was not declared")],
    },
    way: `types scaffold skeleton type_adversary gate types_fix ${SHAPE.slice("types ".length)} ${JUDGE}`,
    ends: "shipped",
  },
  {
    name: "the budget of type fixes is spent",
    rigor: { base: "standard", maxTypeFixes: 1 },
    play: { answers: { types: [TYPES, TYPES], type_adversary: [hole("Critical"), hole("Major")] } },
    way: "types scaffold skeleton type_adversary gate types_fix scaffold skeleton type_adversary gate halt exit",
    ends: /After 1 fixes the types still have holes: a blank title/,
  },
  {
    name: "the type adversary is blocked",
    play: { answers: { types: [TYPES], type_adversary: [stop("type_adversary")] } },
    way: "types scaffold skeleton type_adversary gate halt exit",
    ends: /type_adversary ended with blocked/,
  },
  {
    name: "speculation: nobody waits for an adversary that finds nothing",
    blind: { speculation: "abort" },
    play: { answers: HONEST },
    way: `types ${EARLY} verify_tdd ${JUDGE}`,
    ends: "shipped",
  },
  {
    name: "speculation: stubs that are none send everybody home",
    blind: { speculation: "abort" },
    play: {
      answers: { ...HONEST, types: [TYPES, TYPES] },
      skeletons: [refusedBy("claims", "slugify has a body")],
    },
    way: `types ${EARLY} types_fix ${EARLY} verify_tdd ${JUDGE}`,
    ends: "shipped",
  },
  {
    name: "speculation: a writer that is blocked is told where the ways meet",
    blind: { speculation: "mail" },
    play: { answers: { ...HONEST, impl: [stop("impl")] } },
    way: `types ${EARLY} halt exit`,
    ends: /impl ended with blocked/,
  },
];

const SUITES_OF_TWO = { ...HONEST, tests: [TESTS, { ...TESTS, properties: fuzzed("example") }] };

function fuzzed(flavour: string) {
  return TESTS.properties.map((property) => ({ ...property, name: `${flavour} has no spaces` }));
}

const TRIVIAL = refusedBy(
  "red-on-skeleton",
  "modules/slugify/test/slugify.test.ts:4: has no spaces passes on stubs (green)",
);
const FALSE_CLAIM = refusedBy("claims", "has no spaces does not call slugify (claim)");
const UNCOVERING = {
  ...TESTS,
  properties: TESTS.properties.map((each) => ({ ...each, coversSketch: null })),
};

export const FORKING: Scenario[] = [
  {
    name: "the tester is blocked",
    play: { answers: { ...HONEST, tests: [stop("tests")] } },
    way: "types scaffold skeleton type_adversary gate fork impl tests join halt exit",
    ends: /tests ended with blocked/,
  },
  {
    name: "the implementer never answers",
    play: { answers: { ...HONEST, impl: [stop("impl", "timed-out", "nothing was heard for ten minutes")] } },
    way: "types scaffold skeleton type_adversary gate fork impl tests join halt exit",
    ends: /impl ended with timed-out: nothing was heard/,
  },
  {
    name: "trivial tests go back to the tester alone",
    play: { answers: { ...HONEST, tests: [TESTS, TESTS] }, verified: [TRIVIAL] },
    way: `${SHAPE} tests_reject retest verify_tdd ${JUDGE}`,
    ends: "shipped",
  },
  {
    name: "false claims and an uncovered sketch spend the tests' own budget",
    play: {
      answers: { ...HONEST, tests: [TESTS, UNCOVERING, TESTS] },
      verified: [FALSE_CLAIM, PASSED, FALSE_CLAIM],
    },
    way: `${SHAPE} tests_reject retest verify_tdd tests_reject retest verify_tdd tests_reject halt exit`,
    ends: /After 2 rejections the tests still cannot be believed: claims: has no spaces does not call slugify/,
  },
  {
    name: "a gate that was not asked has not said yes",
    play: { answers: { ...HONEST, tests: [TESTS, TESTS] }, verified: [{ ...PASSED, verdicts: [] }] },
    way: `${SHAPE} tests_reject retest verify_tdd ${JUDGE}`,
    ends: "shipped",
  },
  {
    name: "a tester that is blocked when its tests come back",
    play: { answers: { ...HONEST, tests: [TESTS, stop("tests")] }, verified: [TRIVIAL] },
    way: `${SHAPE} tests_reject retest halt exit`,
    ends: /tests ended with blocked/,
  },
  {
    name: "tests that touch code, and an implementer that touches tests, each put it back",
    play: {
      answers: { ...HONEST, tests: [TESTS, TESTS], impl: [IMPL, IMPL] },
      changed: { tests: [["src/index.ts", "test/slugify.test.ts"]], impl: [["test/slugify.test.ts"]] },
    },
    way: `${SHAPE} tests_reject retest verify_tdd redo_impl verify_tdd ${JUDGE}`,
    ends: "shipped",
  },
  {
    name: "an implementer that writes nothing is asked again, and is blocked",
    play: { answers: { ...HONEST, impl: [IMPL, stop("impl")] }, idle: ["impl 1"] },
    way: `${SHAPE} redo_impl halt exit`,
    ends: /impl ended with blocked/,
  },
  {
    name: "code that never keeps to its place spends the budget of fixes",
    rigor: { base: "standard", maxFixAttempts: 1 },
    play: {
      answers: { ...HONEST, impl: [IMPL, IMPL] },
      changed: { impl: [["contract.json"], ["contract.json"]] },
    },
    way: `${SHAPE} redo_impl verify_tdd halt exit`,
    ends: /After 1 attempts it is still wrong/,
  },
  {
    name: "suites that conflict with each other",
    blind: { testers: 2 },
    play: {
      answers: SUITES_OF_TWO,
      changed: { tests: [["test/a.test.ts"], ["test/example.test.ts"]] },
      merges: [CONFLICT],
    },
    way: `${SHAPE} halt exit`,
    ends: /cannot be brought together; they conflict in src\/index.ts/,
  },
  {
    name: "tests and code that conflict",
    play: { answers: HONEST, merges: [CONFLICT] },
    way: `${SHAPE} merge halt exit`,
    ends: /cannot be brought together; they conflict in src\/index.ts/,
  },
];

const DIFFER = {
  kind: "differ" as const,
  entry: "slugify",
  args: '"A b"',
  left: 'returned "a-b"',
  right: 'returned "a_b"',
  breaks: { left: [], right: [] },
};
const TWO = { ...HONEST, impl: [IMPL, IMPL] };
const CONTRADICTION = {
  propertyName: "has no spaces",
  failureType: "PropertyFailed" as const,
  counterexample: '["A b"]',
  expected: '"a_b"',
  message: "differs",
};

export const CROSSING: Scenario[] = [
  {
    name: "two implementations that nothing tells apart",
    blind: { implementers: 2 },
    play: { answers: TWO, differences: [{ kind: "same", tried: 100 }] },
    way: `${SHAPE} merge cross_check validate post_validate ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "an example of the specification decides, and the loser is dropped",
    blind: { implementers: 2 },
    play: { answers: TWO, differences: [{ ...DIFFER, left: DIFFER.right, right: DIFFER.left }] },
    way: `${SHAPE} merge cross_check validate post_validate ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "nothing decides, so a person is asked with the input and both results",
    blind: { implementers: 2 },
    play: { answers: TWO, differences: [{ ...DIFFER, args: '"A  b"' }] },
    way: `${SHAPE} merge cross_check halt exit`,
    ends: /differ on slugify\("A {2}b"\): one returned "a-b", the other returned "a_b"/,
  },
  {
    name: "a predicate that only one of them breaks decides",
    blind: { implementers: 2 },
    play: {
      answers: TWO,
      differences: [{ ...DIFFER, args: '"A  b"', breaks: { left: [], right: ["P1"] } }],
    },
    way: `${SHAPE} merge cross_check validate post_validate ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "only one of them passes the verified tests, so it is the one",
    blind: { implementers: 2 },
    play: {
      answers: TWO,
      differences: [{ ...DIFFER, args: '"A  b"' }],
      tests: [{ kind: "ran", passed: 1, failures: [{ failure: CONTRADICTION, functions: ["slugify"] }] }],
    },
    way: `${SHAPE} merge cross_check validate post_validate ${SHIP}`,
    ends: "shipped",
  },
  {
    name: "a verified test that contradicts the specification is a person's business",
    blind: { implementers: 2 },
    play: {
      answers: TWO,
      differences: [DIFFER],
      tests: [{ kind: "ran", passed: 1, failures: [{ failure: CONTRADICTION, functions: ["slugify"] }] }],
    },
    way: `${SHAPE} merge cross_check halt exit`,
    ends: /The test "has no spaces" asks for something else than the specification/,
  },
];
