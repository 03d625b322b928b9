// The debate as a graph: two rounds of the same shape, one for the contract and one for the module.
import { MAX_REVISIONS } from "../../domain/debate/retry-policy.ts";
import { defineGraph } from "../../graph/define-graph.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { adjudicate, type Adjudicated } from "./adjudicate.ts";
import type { Challenged } from "./challenge.ts";
import {
  challengeContract,
  lockContract,
  proposeContract,
  validateContractAmendments,
} from "./contract-round.ts";
import { acceptFix, build, challenge, examine, ship, validateAmendments } from "./module-round.ts";
import { type DebateState, debateState, type DebateUpdate } from "./state.ts";

const MINUTE = 60_000;
/** A call may wait for a busy provider before and after it works. */
const ASKING = { timeoutMs: 90 * MINUTE };
const HARNESS = { timeoutMs: 60 * MINUTE, lane: "harness" };

const PROPOSER = { ...ASKING, lane: "proposer" };
const CHALLENGER = { ...ASKING, lane: "challenger" };
const ARBITER = { ...ASKING, lane: "arbiter" };

type Ports = ProtocolPorts;

export const debateGraph = defineGraph({
  name: "debate",
  version: 1,
  state: debateState,
  nodes: {
    propose_contract: {
      ...PROPOSER,
      does: "writes the contract that the plan sketched",
      run: async (state: DebateState, ports: Ports, context: NodeContext) =>
        toContractRound(await proposeContract("propose", state, ports, context)),
      routes: ["challenge_contract", "lock_contract", "revise_contract", "halt"],
    },
    revise_contract: {
      ...PROPOSER,
      does: "mends what was shown to be wrong with the contract",
      run: async (state: DebateState, ports: Ports, context: NodeContext) =>
        toContractRound(await proposeContract("revise", state, ports, context)),
      routes: ["challenge_contract", "lock_contract", "revise_contract", "halt"],
    },
    challenge_contract: {
      ...CHALLENGER,
      does: "tries to show that the contract is wrong, vague or untestable",
      run: async (state: DebateState, ports: Ports, context: NodeContext) =>
        toContractRound(await challengeContract(state, ports, context)),
      routes: ["challenge_contract", "revise_contract", "adjudicate_contract", "halt"],
    },
    adjudicate_contract: {
      ...ARBITER,
      does: "decides about the contract",
      run: async (state: DebateState, ports: Ports, context: NodeContext) =>
        toContractRound(await adjudicate(state, ports, context)),
      routes: ["lock_contract", "amend_contract", "revise_contract", "halt"],
    },
    amend_contract: {
      ...PROPOSER,
      does: "applies the Arbiter's amendments to the contract",
      run: async (state: DebateState, ports: Ports, context: NodeContext) =>
        toContractRound(await proposeContract("amend", state, ports, context)),
      routes: ["validate_contract", "revise_contract", "halt"],
    },
    validate_contract: {
      ...HARNESS,
      does: "compares the contract before and after the amendments",
      run: async (state: DebateState) => toContractRound(validateContractAmendments(state)),
      routes: ["lock_contract", "halt"],
    },
    lock_contract: {
      ...HARNESS,
      does: "locks the contract and lays out stubs and a first test file",
      run: lockContract,
      to: ["propose"],
    },
    propose: {
      ...PROPOSER,
      does: "builds the module and its tests",
      run: (state: DebateState, ports: Ports, context: NodeContext) =>
        build("propose", state, ports, context),
      routes: ["examine", "revise", "halt"],
    },
    revise: {
      ...PROPOSER,
      does: "mends what was shown to be wrong with the module",
      run: (state: DebateState, ports: Ports, context: NodeContext) => build("revise", state, ports, context),
      routes: ["examine", "revise", "halt"],
    },
    accept_fix: {
      ...HARNESS,
      does: "takes a person's fix as the proposal",
      run: acceptFix,
      to: ["examine"],
    },
    examine: {
      ...HARNESS,
      does: "runs the gates and gathers what the Challenger may see",
      run: examine,
      routes: ["challenge", "revise", "halt"],
    },
    challenge: {
      ...CHALLENGER,
      does: "tries to show from the evidence that the module is wrong or incomplete",
      run: async (state: DebateState, ports: Ports, context: NodeContext) =>
        toModuleRound(await challenge(state, ports, context)),
      routes: ["challenge", "revise", "adjudicate", "halt"],
    },
    adjudicate: {
      ...ARBITER,
      does: "decides about the module",
      run: async (state: DebateState, ports: Ports, context: NodeContext) =>
        toModuleRound(await adjudicate(state, ports, context)),
      routes: ["ship", "apply_amendments", "revise", "halt"],
    },
    apply_amendments: {
      ...PROPOSER,
      does: "applies the Arbiter's amendments to the module",
      run: (state: DebateState, ports: Ports, context: NodeContext) => build("amend", state, ports, context),
      routes: ["validate_amendments", "halt"],
    },
    validate_amendments: {
      ...HARNESS,
      does: "compares the module before and after the amendments",
      run: validateAmendments,
      routes: ["ship", "halt"],
    },
    ship: {
      ...HARNESS,
      does: "brings the module to the door",
      run: ship,
      routes: ["end", "revise", "halt"],
    },
    halt: {
      ...HARNESS,
      does: "stops with everything a person needs in order to decide",
      run: async () => ({ update: {} }),
      to: ["end"],
    },
  },
  entries: {
    start: "propose_contract",
    shape: "propose_contract",
    make: "propose",
    challenge: "accept_fix",
    ship: "ship",
  },
});

/** What a person's fix changes: it is the proposal, and nobody else revises it. */
export function withFix(commit: string, description: string): DebateUpdate {
  return { outcome: null, commit, fix: description, revisionsUsed: MAX_REVISIONS };
}

export function withOverride(escalation: string, rationale: string): DebateUpdate {
  return { outcome: null, override: { escalation_ref: escalation, rationale }, revisionsUsed: MAX_REVISIONS };
}

type Go = Challenged["goto"] | Adjudicated["goto"] | "challenge" | "lock" | "validate_amendments";

const CONTRACT_ROUND = {
  again: "challenge_contract",
  challenge: "challenge_contract",
  revise: "revise_contract",
  adjudicate: "adjudicate_contract",
  approved: "lock_contract",
  lock: "lock_contract",
  apply_amendments: "amend_contract",
  validate_amendments: "validate_contract",
  halt: "halt",
} as const;

function toContractRound({ update, goto }: { update: DebateUpdate; goto: Go }) {
  return { update, goto: CONTRACT_ROUND[goto] };
}

const MODULE_ROUND = {
  again: "challenge",
  revise: "revise",
  adjudicate: "adjudicate",
  approved: "ship",
  apply_amendments: "apply_amendments",
  halt: "halt",
} as const;

function toModuleRound({ update, goto }: { update: DebateUpdate; goto: keyof typeof MODULE_ROUND }) {
  return { update, goto: MODULE_ROUND[goto] };
}
