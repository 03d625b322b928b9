// The blind protocol as a graph: shaped and attacked, forked into two blind sides, verified, joined, mended and shipped.
import { defineGraph } from "../../graph/define-graph.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { certify } from "./certify.ts";
import { acceptFix, challenge } from "./challenge.ts";
import { crossCheck } from "./cross-check.ts";
import { exit } from "./exit.ts";
import { fix } from "./fix.ts";
import { gate, lock } from "./gate.ts";
import { earlyAdversary, earlyGate, earlyImpl, earlyTests, headStart } from "./head-start.ts";
import { merge } from "./merge.ts";
import { attackSuite, mutationFix } from "./mutation.ts";
import { postValidate } from "./post-validate.ts";
import { ship } from "./ship.ts";
import { checkSkeleton, scaffold } from "./skeleton.ts";
import { type BlindState, blindState, type BlindUpdate } from "./state.ts";
import { redoImpl, rejectTests, retest } from "./tests-reject.ts";
import { attackTypes } from "./type-adversary.ts";
import { shape } from "./types.ts";
import { validate } from "./validate.ts";
import { join, verifyTdd } from "./verify-tdd.ts";
import { witness } from "./witness.ts";
import { firstCode } from "./write-code.ts";
import { firstTests } from "./write-tests.ts";

const MINUTE = 60_000;
/** A call may wait for a busy provider before and after it works. */
const ASKING = { timeoutMs: 90 * MINUTE };
const HARNESS = { timeoutMs: 60 * MINUTE, lane: "harness" };

const TYPES = { ...ASKING, lane: "types" };
const TYPE_ADVERSARY = { ...ASKING, lane: "type adversary" };
const TESTS = { ...ASKING, lane: "tests" };
const IMPL = { ...ASKING, lane: "impl" };
const FIX = { ...ASKING, lane: "fix" };

type State = BlindState;
type Ports = ProtocolPorts;
type Context = NodeContext;

export const blindGraph = defineGraph({
  name: "blind",
  version: 1,
  state: blindState,
  nodes: {
    types: {
      ...TYPES,
      does: "designs the contract, and for each function examples and properties",
      run: (state: State, ports: Ports, context: Context) => shape("propose", state, ports, context),
      routes: ["scaffold", "head_start", "types_fix", "halt"],
    },
    types_fix: {
      ...TYPES,
      does: "closes the holes that were found in the types",
      run: (state: State, ports: Ports, context: Context) => shape("revise", state, ports, context),
      routes: ["scaffold", "head_start", "types_fix", "halt"],
    },
    scaffold: {
      ...HARNESS,
      does: "lays out stubs from the contract",
      run: scaffold,
      to: ["skeleton", "type_adversary"],
    },
    skeleton: {
      ...HARNESS,
      does: "sees on disk that every function is there, none is undeclared and all are stubs",
      run: checkSkeleton,
      to: ["gate"],
    },
    type_adversary: {
      ...TYPE_ADVERSARY,
      does: "looks for what the types allow and the specification forbids",
      run: attackTypes,
      to: ["gate"],
    },
    gate: {
      ...HARNESS,
      does: "judges by rule whether the types have holes",
      run: async (state: State, ports: Ports, context: Context) => {
        const { update, goto } = await gate(state, ports, context);
        return { update, goto: goto === "pass" ? ("fork" as const) : goto };
      },
      routes: ["fork", "types_fix", "halt"],
      after: ["skeleton", "type_adversary"],
    },
    fork: {
      ...HARNESS,
      does: "locks the contract and lets both sides begin, blind to each other",
      run: async (state: State, ports: Ports, context: Context) => ({
        update: await lock(state, ports, context),
      }),
      to: ["tests", "impl"],
    },
    tests: {
      ...TESTS,
      does: "writes tests from the specification alone",
      run: async (state: State, ports: Ports, context: Context) => ({
        update: await firstTests(state, ports, context),
      }),
      to: ["join"],
    },
    impl: {
      ...IMPL,
      does: "writes the code from the specification alone",
      run: async (state: State, ports: Ports, context: Context) => ({
        update: await firstCode(state, ports, context),
      }),
      to: ["join"],
    },
    join: {
      ...HARNESS,
      does: "waits for both sides",
      run: async (state: State) => join(state),
      routes: ["verify_tdd", "halt"],
      after: ["tests", "impl"],
    },
    head_start: {
      ...HARNESS,
      does: "lays out stubs and lets everybody begin at once",
      run: headStart,
      to: ["early_adversary", "early_tests", "early_impl"],
    },
    early_adversary: {
      ...TYPE_ADVERSARY,
      does: "looks for holes while others already write; a critical one stops them or is mailed to them",
      run: earlyAdversary,
      to: ["early_gate"],
    },
    early_tests: {
      ...TESTS,
      does: "writes tests before the types are judged",
      run: earlyTests,
      to: ["early_gate"],
    },
    early_impl: {
      ...IMPL,
      does: "writes the code before the types are judged",
      run: earlyImpl,
      to: ["early_gate"],
    },
    early_gate: {
      ...HARNESS,
      does: "judges by rule whether the types, and with them the work, stand",
      run: earlyGate,
      routes: ["verify_tdd", "types_fix", "halt"],
      after: ["early_adversary", "early_tests", "early_impl"],
    },
    verify_tdd: {
      ...HARNESS,
      does: "sees every test fail on stubs, every claim hold and every sketch covered",
      run: verifyTdd,
      routes: ["merge", "tests_reject", "redo_impl", "halt"],
    },
    tests_reject: {
      ...HARNESS,
      does: "names the tests that cannot be believed",
      run: async (state: State) => rejectTests(state),
      routes: ["retest", "halt"],
    },
    retest: {
      ...TESTS,
      does: "mends the tests that were sent back; the implementation is kept",
      run: retest,
      routes: ["verify_tdd", "halt"],
    },
    redo_impl: {
      ...IMPL,
      does: "mends code that left its place",
      run: redoImpl,
      routes: ["verify_tdd", "halt"],
    },
    merge: {
      ...HARNESS,
      does: "brings tests and code together in a fresh place",
      run: merge,
      routes: ["validate", "cross_check", "halt"],
    },
    cross_check: {
      ...HARNESS,
      does: "holds implementations against each other and the specification",
      run: crossCheck,
      routes: ["validate", "halt"],
    },
    validate: {
      ...HARNESS,
      does: "runs the verified tests on the code",
      run: validate,
      routes: ["post_validate", "fix", "halt"],
    },
    fix: {
      ...FIX,
      does: "mends the code, never the tests, with what was learned so far",
      run: fix,
      routes: ["validate", "fix", "halt"],
    },
    post_validate: {
      ...HARNESS,
      does: "runs every gate, real mutants included",
      run: postValidate,
      routes: ["fix", "mutation_adversary", "mutation_fix", "certify", "halt"],
    },
    mutation_adversary: {
      ...ASKING,
      lane: "mutation adversary",
      does: "reads the survivors and says which properties are missing",
      run: attackSuite,
      routes: ["mutation_fix", "halt"],
    },
    mutation_fix: {
      ...TESTS,
      does: "adds the tests that were missing",
      run: mutationFix,
      routes: ["verify_tdd", "halt"],
    },
    accept_fix: {
      ...HARNESS,
      does: "takes a person's fix in place of both sides' work",
      run: async (state: State) => acceptFix(state),
      to: ["validate"],
    },
    certify: {
      ...HARNESS,
      does: "looks for canaries on the wrong side",
      run: certify,
      routes: ["challenge", "halt"],
    },
    challenge: {
      ...HARNESS,
      does: "puts challenge and adjudication on record, by rule",
      run: challenge,
      to: ["ship"],
    },
    ship: {
      ...HARNESS,
      does: "brings the module to the door",
      run: ship,
      routes: ["witness", "fix", "halt"],
    },
    witness: {
      ...ASKING,
      lane: "witness",
      does: "tells from the journal what happened",
      run: witness,
      to: ["exit"],
    },
    exit: {
      ...HARNESS,
      does: "keeps everything that came of it",
      run: exit,
      to: ["end"],
    },
    halt: {
      ...HARNESS,
      does: "stops with everything a person needs in order to decide",
      run: async () => ({ update: {} }),
      to: ["exit"],
    },
  },
  entries: { start: "types", shape: "types", make: "fork", challenge: "accept_fix", ship: "ship" },
});

/** What a person's fix changes: it is what is tested and shipped, and nobody else mends it. */
export function withFix(commit: string, description: string, most: number): BlindUpdate {
  return { outcome: null, merged: commit, fix: description, fixAttempts: most, mutationRounds: most };
}

export function withOverride(escalation: string, rationale: string, most: number): BlindUpdate {
  return { outcome: null, override: { escalation_ref: escalation, rationale }, fixAttempts: most };
}
