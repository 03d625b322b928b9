// The gatekeeper protocol as a graph: research, specification, code behind a tester, a verifier, and the door.
import { defineGraph } from "../../graph/define-graph.ts";
import { architect } from "./architect.ts";
import { build } from "./build.ts";
import { exit } from "./exit.ts";
import { judge } from "./judge.ts";
import { layOut } from "./lay-out.ts";
import { research } from "./research.ts";
import { acceptFix, ship } from "./ship.ts";
import { type GatekeeperState, gatekeeperState, type GatekeeperUpdate } from "./state.ts";
import { testCode } from "./test-code.ts";
import { challenge, verify } from "./verify.ts";

const MINUTE = 60_000;
/** A call may wait for a busy provider before and after it works. */
const ASKING = { timeoutMs: 90 * MINUTE };
const HARNESS = { timeoutMs: 60 * MINUTE, lane: "harness" };

export const gatekeeperGraph = defineGraph({
  name: "gatekeeper",
  version: 1,
  state: gatekeeperState,
  nodes: {
    research: {
      ...ASKING,
      lane: "researcher",
      does: "finds out what the module must do, in examples",
      run: research,
      routes: ["research", "architect", "halt"],
    },
    architect: {
      ...ASKING,
      lane: "architect",
      does: "designs the contract, and writes the examples as code",
      run: architect,
      routes: ["architect", "lay_out", "halt"],
    },
    lay_out: {
      ...HARNESS,
      does: "locks the contract, and lays out stubs and examples",
      run: layOut,
      to: ["build"],
    },
    build: {
      ...ASKING,
      lane: "builder",
      does: "writes the code, and mends what was shown to be wrong",
      run: build,
      routes: ["test", "judge", "build", "halt"],
    },
    test: {
      ...ASKING,
      lane: "tester",
      does: "reads the code and tries to break it with tests",
      run: testCode,
      routes: ["judge", "test", "halt"],
    },
    judge: {
      ...HARNESS,
      does: "runs tests, gates and mutants, and gives the verdict by rule",
      run: judge,
      routes: ["verify", "build", "test", "halt"],
    },
    verify: {
      ...ASKING,
      lane: "verifier",
      does: "reads the code and the evidence",
      run: verify,
      routes: ["challenge", "halt"],
    },
    challenge: {
      ...HARNESS,
      does: "puts challenge and adjudication on record, by rule",
      run: challenge,
      routes: ["ship", "build", "halt"],
    },
    ship: {
      ...HARNESS,
      does: "brings the module to the door",
      run: ship,
      routes: ["exit", "build", "halt"],
    },
    accept_fix: {
      ...HARNESS,
      does: "takes a person's fix in place of everybody's work",
      run: async (state: GatekeeperState) => acceptFix(state),
      routes: ["judge", "halt"],
    },
    halt: {
      ...HARNESS,
      does: "stops with everything a person needs in order to decide",
      run: async (): Promise<{ update: GatekeeperUpdate }> => ({ update: {} }),
      to: ["exit"],
    },
    exit: {
      ...HARNESS,
      does: "keeps what the tests showed and where the work stands",
      run: exit,
      to: ["end"],
    },
  },
  entries: { start: "research", shape: "research", make: "lay_out", challenge: "accept_fix", ship: "ship" },
});
