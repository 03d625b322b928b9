// How a node of a tree stops: each reason in the words that a person decides on.
import type { Reason } from "../halt-reasons.ts";
import type { FractalState, FractalUpdate } from "./state.ts";

export interface Halted {
  update: FractalUpdate;
  goto: "halt";
}

export function halted(
  { trail }: Pick<FractalState, "trail">,
  reason: Reason,
  more: FractalUpdate = {},
): Halted {
  return { update: { ...more, outcome: { kind: "halted", halt: { trail, ...reason } } }, goto: "halt" };
}

export function unanswered(node: string, question: string, sentence: string): Reason {
  return {
    failed: [{ invariant: "the specification can be read in one way only", evidence: sentence }],
    decision: question,
    recommended: "AMEND_SPEC",
    context: `${node} cannot go on, and nobody above it knows: ${question} It is about "${sentence}".`,
  };
}

export function planExhausted(node: string, fixes: number, findings: readonly string[]): Reason {
  return exhausted("the plan of a node can be built on", findings, {
    decision: "Say how the work is to be divided, or change what the task asks for.",
    recommended: "AMEND_SPEC",
    context: `After ${fixes} fixes the plan of ${node} still cannot be used: ${findings[0] ?? ""}`,
  });
}

export function testsExhausted(node: string, fixes: number, findings: readonly string[]): Reason {
  return exhausted("every test is red on stubs and shows a criterion", findings, {
    decision: "Provide tests that fail on stubs because they call them, or make the criteria clearer.",
    recommended: "PROVIDE_FIX",
    context: `After ${fixes} fixes the tests of ${node} still cannot be believed: ${findings[0] ?? ""}`,
  });
}

/** Code was there, and its tests refused it. */
export const TESTS_PASS = "the tests of a node pass";
export const CODE_COMES = "the code of a node can be taken over";
const JUDGES_AGREE = "the tests of a node pass and its gates hold";

export function codeExhausted(
  node: string,
  attempts: number,
  findings: readonly string[],
  invariant = JUDGES_AGREE,
): Reason {
  return exhausted(invariant, findings, {
    decision: "Provide code that passes, or change what is asked for.",
    recommended: "PROVIDE_FIX",
    context: `After ${attempts} attempts ${node} is still wrong: ${findings[0] ?? ""}`,
  });
}

export function resourcesExhausted(node: string, diagnosis: string, recommendation: string): Reason {
  return {
    failed: [{ invariant: "the work fits into what it may use", evidence: diagnosis }],
    decision: `Decide whether ${node} may use more, or is to do less. The implementer suggests: ${recommendation}`,
    recommended: "AMEND_SPEC",
    context: `${node} is out of resources: ${diagnosis}`,
  };
}

export function rejected(node: string, reason: string, missing: readonly string[]): Reason {
  return exhausted(
    "a reviewer finds nothing fundamentally wrong",
    [reason, ...missing.map((id) => `${id} is not satisfied`)],
    {
      decision: `Decide how ${node} goes on: ${reason}`,
      recommended: "AMEND_SPEC",
      context: `The reviewer of ${node} rejects it: ${reason}`,
    },
  );
}

function exhausted(invariant: string, findings: readonly string[], rest: Omit<Reason, "failed">): Reason {
  const shown = findings.length > 0 ? findings : [rest.context];
  return { failed: shown.map((evidence) => ({ invariant, evidence })), ...rest };
}
