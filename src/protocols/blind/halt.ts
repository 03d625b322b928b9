// How the blind protocol stops: each reason in the words that a person decides on.
import type { TypeHole } from "../../domain/blind/type-hole.ts";
import type { Survivor } from "../../domain/blind/suite-verdict.ts";
import type { Disagreement } from "../../domain/blind/cross-check.ts";
import type { FailurePattern } from "../../domain/evidence/structured-failure.ts";
import { type Reason, reasonOf } from "../halt-reasons.ts";
import type { BlindState, BlindUpdate } from "./state.ts";

export function halted(
  state: Pick<BlindState, "trail">,
  reason: Reason,
  more: BlindUpdate = {},
): { update: BlindUpdate; goto: "halt" } {
  const trail = more.trail ?? state.trail;
  return { update: { ...more, outcome: { kind: "halted", halt: { trail, ...reason } } }, goto: "halt" };
}

export function typesExhausted(
  fixes: number,
  holes: readonly TypeHole[],
  findings: readonly string[],
): Reason {
  const failed = [
    ...holes.map(({ invariantBroken, description }) => ({
      invariant: invariantBroken,
      evidence: description,
    })),
    ...findings.map((evidence) => ({ invariant: "the types can be built on", evidence })),
  ];
  return reasonOf(
    failed,
    "Say how the types are to be, or change what the task asks for: its holes are not closed.",
    "AMEND_SPEC",
    `After ${fixes} fixes the types still have holes: ${failed[0]?.evidence ?? ""}`,
  );
}

export function testsExhausted(rejections: number, findings: readonly string[]): Reason {
  return reasonOf(
    findings.map((evidence) => ({
      invariant: "every test is red on stubs, and says what it tests",
      evidence,
    })),
    "Provide tests that fail on stubs because they call them, or make the task clearer.",
    "PROVIDE_FIX",
    `After ${rejections} rejections the tests still cannot be believed: ${findings[0] ?? ""}`,
  );
}

export function conflict(files: readonly string[]): Reason {
  return reasonOf(
    files.map((file) => ({
      invariant: "tests and code touch different files",
      evidence: `${file} is in both`,
    })),
    `Say which of the two versions counts: ${files.join(", ")}.`,
    "PROVIDE_FIX",
    `Tests and implementation cannot be brought together; they conflict in ${files.join(", ")}.`,
  );
}

export function stuck(patterns: readonly FailurePattern[], failures: BlindState["failures"]): Reason {
  const names = failures.map(({ failure }) => failure.propertyName);
  return reasonOf(
    patterns.map(({ affectedFns, category, occurrences }) => ({
      invariant: "a failure does not come back three times",
      evidence: `${category} in ${affectedFns.join(", ") || "the module"}, seen ${occurrences} times`,
    })),
    "Provide the fix, or change what is asked for: the same failure keeps coming back.",
    "PROVIDE_FIX",
    `The fix loop is stuck on ${names.join(", ")}.`,
  );
}

export function notConverging({
  understanding,
  failures,
}: Pick<BlindState, "understanding" | "failures">): Reason {
  return reasonOf(
    failures.map(({ failure }) => ({
      invariant: failure.propertyName,
      evidence: failure.message || "fails",
    })),
    "Provide the fix, or change what is asked for: the attempts do not come closer.",
    "PROVIDE_FIX",
    `The fix loop does not converge. ${understanding.learnings.join(" ")}`,
  );
}

export function fixesExhausted(
  attempts: number,
  { failures, gateFindings, understanding }: Pick<BlindState, "failures" | "gateFindings" | "understanding">,
): Reason {
  const failed = [
    ...failures.map(({ failure }) => ({
      invariant: failure.propertyName,
      evidence: failure.message || "fails",
    })),
    ...gateFindings.map((evidence) => ({ invariant: "the gates hold", evidence })),
  ];
  return reasonOf(
    failed,
    "Provide code that passes, or change what is asked for.",
    "PROVIDE_FIX",
    `After ${attempts} attempts it is still wrong. ${understanding.learnings.at(-1) ?? ""}`,
  );
}

export function buildBroken(errors: readonly string[]): Reason {
  return reasonOf(
    errors.map((evidence) => ({ invariant: "a fix leaves a module that builds", evidence })),
    "Provide the fix: the last attempt left something that does not build.",
    "PROVIDE_FIX",
    `A fix broke the build: ${errors[0] ?? ""}`,
  );
}

export function survivorsLeft(rounds: number, survivors: readonly Survivor[], why: string): Reason {
  return reasonOf(
    survivors.map(({ where, original, replacement }) => ({
      invariant: "the tests notice small mistakes",
      evidence: `${where}: ${original} became ${replacement} and no test failed`,
    })),
    "Provide tests that notice these changes, or say that the module ships with less.",
    "PROVIDE_FIX",
    `After ${rounds} rounds mutants still survive: ${why}`,
  );
}

export function undecided(found: Disagreement): Reason {
  const call = `${found.entry}(${found.args})`;
  return reasonOf(
    [
      {
        invariant: "implementations of one specification agree",
        evidence: `${call}: one ${found.left}, the other ${found.right}`,
      },
    ],
    `Which is right for ${call}? One implementation ${found.left}, the other ${found.right}.`,
    "AMEND_SPEC",
    `Two implementations of the same specification differ on ${call}: one ${found.left}, the other ${found.right}. Neither an example nor a predicate nor a verified test decides it.`,
  );
}

export function contested(test: string, found: Disagreement, right: string): Reason {
  const call = `${found.entry}(${found.args})`;
  return reasonOf(
    [
      {
        invariant: "verified tests say what the specification says",
        evidence: `${test} contradicts it on ${call}`,
      },
    ],
    `Is ${call} to give ${right}, as an example of the specification says, or what the test "${test}" asks for?`,
    "AMEND_SPEC",
    `The test "${test}" asks for something else than the specification on ${call}. Verified tests count until a person says otherwise.`,
  );
}

export function leaked(leaks: readonly { of: string; kind: string; name: string; path: string }[]): Reason {
  return reasonOf(
    leaks.map(({ of, kind, name, path }) => ({
      invariant: "tests and code were written blind to each other",
      evidence: `the canary of ${of} turned up in the ${kind} ${name}: ${path}`,
    })),
    "Decide whether the work is made again: one side could see the other.",
    "AMEND_SPEC",
    `The barrier between tests and implementation was broken ${leaks.length} times, so what they agree on proves nothing.`,
  );
}
