// Controls for the judging of mutants: now and then the tests of a mutant run with its switch off. Whatever they notice
// then is not the mutant, so a suite that fails in a control is unsteady or knows that it is being judged.
import { randomInt } from "node:crypto";
import type { MutantOutcome } from "./inner-job.ts";

/** About one control for so many mutants, and always one early on. */
const EACH = 48;
const EARLY = 6;
const MOST = 2 ** 31;

/** Drawn before any foreign code runs, so that nobody can foresee or change it. */
interface ControlPlan {
  /** By how many mutants were judged before the control: a large number at random, or -1 for none. */
  draws: number[];
  /** What is switched on: a number that no switch has. */
  decoy: number;
}

/** A process that goes on behind a mutant that broke another has a control at once: it may be the last thing it does. */
export function drawControls(todo: number, mutants: number, goesOn: boolean): ControlPlan {
  const draws = Array.from({ length: todo + 1 }, () => -1);
  for (let from = 0; from < todo; from += from === 0 ? EARLY : EACH) {
    const within = Math.min(from === 0 ? EARLY : EACH, todo - from);
    draws[1 + from + randomInt(within)] = randomInt(MOST);
  }
  if (goesOn) draws[randomInt(2)] = randomInt(MOST);
  return { draws, decoy: mutants + randomInt(mutants + 1) };
}

/** Why the tests cannot be believed; undefined when they noticed nothing, as it should be. */
export function distrust(outcome: MutantOutcome, covered: boolean): string | undefined {
  switch (outcome.status) {
    case "survived":
      return undefined;
    case "noCoverage":
      return covered ? `a control did not run the tests that it should: ${REASON}` : undefined;
    case "killed":
      return `${outcome.killedBy.join(", ")} failed in a control, in which nothing was mutated: ${REASON}`;
    case "timeout":
      return `a control, in which nothing was mutated, took longer than ${Math.round(outcome.limitMs)} ms: ${REASON}`;
    case "invalid":
      return `a control, in which nothing was mutated, ended with ${outcome.why}: ${REASON}`;
  }
}

const REASON = "the tests are unsteady, or notice that they judge mutants";
