// How the gatekeeper protocol stops: each reason in the words that a person decides on.
import { feedbackLine } from "../../domain/gatekeeper/revision-feedback.ts";
import { MAX_ATTEMPTS } from "../../domain/gatekeeper/work-graph.ts";
import { type Reason, reasonOf } from "../halt-reasons.ts";
import type { GatekeeperState } from "./state.ts";

export function researchExhausted(findings: readonly string[]): Reason {
  return reasonOf(
    findings.map((evidence) => ({ invariant: "research can be built on", evidence })),
    "Make the task clearer: nobody could find out what the module must do.",
    "AMEND_SPEC",
    `After ${MAX_ATTEMPTS} attempts the research is still unsound: ${findings[0] ?? ""}`,
  );
}

export function specExhausted(findings: readonly string[]): Reason {
  return reasonOf(
    findings.map((evidence) => ({ invariant: "the specification says what the research found", evidence })),
    "Say how the contract is to be, or change what the task asks for.",
    "AMEND_SPEC",
    `After ${MAX_ATTEMPTS} attempts the specification still cannot be built on: ${findings[0] ?? ""}`,
  );
}

/** Everything that still speaks against the code: failing tests with their inputs, and what gates found. */
export function revisionsExhausted({
  feedback,
  findings,
}: Pick<GatekeeperState, "feedback" | "findings">): Reason {
  const failed = [
    ...feedback.map((told) => ({ invariant: told.test, evidence: feedbackLine(told) })),
    ...findings.map((evidence) => ({ invariant: "the code can be accepted", evidence })),
  ];
  return reasonOf(
    failed,
    "Provide code that passes, or say that a test asks for too much and change the task accordingly.",
    "PROVIDE_FIX",
    `The builder's attempts are spent, and the code is still wrong: ${failed[0]?.evidence ?? ""}`,
  );
}

export function critical(findings: readonly string[]): Reason {
  return reasonOf(
    findings.map((evidence) => ({ invariant: "nothing critical was found", evidence })),
    "Look at what was found and decide whether the module is made again, in another way or not at all.",
    "PROVIDE_FIX",
    `Something was found that no revision makes good: ${findings[0] ?? ""}`,
  );
}

export function suiteExhausted(weaknesses: readonly string[]): Reason {
  return reasonOf(
    weaknesses.map((evidence) => ({ invariant: "tests are strong enough to count", evidence })),
    "Provide tests that notice these things, or make the task clearer.",
    "PROVIDE_FIX",
    `The tester's attempts are spent, and its tests still do not count: ${weaknesses[0] ?? ""}`,
  );
}

export function nothingToFix(): Reason {
  return reasonOf(
    [],
    "Change the task: there is no contract yet that code could be held against.",
    "AMEND_SPEC",
    "The halt came before the contract was locked, so no code can be taken in its place.",
  );
}
