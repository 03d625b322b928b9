// Drives the inner runner over all mutants: a process that a mutant blocks, breaks or never leaves is ended, and another
// goes on behind that mutant.
import type { MutationOptions, Site, SiteResult } from "../../port.ts";
import type { ModuleBundle } from "../inner/bundle.ts";
import { describeEnd, talk } from "../inner/talk.ts";
import type { DryRun, MutantOutcome, MutateJob } from "../inside/inner-job.ts";
import { limitsOf } from "../inside/inner-limits.ts";

export interface Judging {
  site: Site;
  bundle: ModuleBundle;
  globals: boolean;
  testTimeoutMs: number;
  /** What the code of the bundle calls the switch. */
  switchName: string;
  mutants: number;
  /** For each mutant the number of the function it stands in, or -1. */
  regions: readonly number[];
  wanted: readonly number[];
  /** Those of which no answer seems to be known: a guess, so that the first process has something to judge. */
  likely: readonly number[];
  options: MutationOptions;
}

export type Judged =
  | { kind: "judged"; dry: DryRun; outcomes: Map<number, JudgedMutant> }
  | { kind: "unsupported"; why: string }
  | { kind: "impossible"; why: string };

export interface JudgedMutant {
  outcome: MutantOutcome;
  /** The functions that ran, by number. */
  ran: readonly number[];
}

/** Property tests draw the same inputs in every run, so that the same content gets the same answers. */
export const PROPERTY_SEED = 20_260_101;

/** The longest time of one process; those that judge many mutants go on in another. */
const PROCESS_MS = 15 * 60_000;

/** `leftOver` takes away the mutants whose answers are known, once it is clear which tests reach them. */
export async function judgeAll(
  judging: Judging,
  leftOver: (dry: DryRun, wanted: readonly number[]) => number[],
): Promise<Judged> {
  const progress: Progress = {
    brokenControls: 0,
    outcomes: new Map(),
    dry: undefined,
    // The first that has no answer is the one that broke the process.
    todo: [...new Set([...judging.likely, ...judging.wanted])],
    broken: undefined,
  };
  const reuse = judging.options.known !== undefined && judging.options.known.size > 0;
  if (reuse) {
    const stopped = await step(judging, progress, judging.likely);
    if (stopped !== undefined) return stopped;
    if (progress.dry !== undefined) progress.todo = leftOver(progress.dry, progress.todo);
  }
  while (progress.todo.length > 0) {
    const stopped = await step(judging, progress, progress.todo);
    if (stopped !== undefined) return stopped;
  }
  const { dry, outcomes } = progress;
  return dry === undefined
    ? { kind: "impossible", why: "no mutant was asked for" }
    : { kind: "judged", dry, outcomes };
}

interface Progress {
  outcomes: Map<number, JudgedMutant>;
  dry: DryRun | undefined;
  todo: number[];
  /** What broke the last process. */
  broken: number | undefined;
  /** Controls that ended with their process. */
  brokenControls: number;
}

/** One process; an answer is the reason why there will be no other. */
async function step(
  judging: Judging,
  progress: Progress,
  asked: readonly number[],
): Promise<Judged | undefined> {
  const { answers, whole, result } = await talk(judging.site, jobOf(judging, progress.dry, asked), {
    timeoutMs: PROCESS_MS,
    ...(judging.options.signal === undefined ? {} : { signal: judging.options.signal }),
  });
  if (result.kind === "cancelled") return { kind: "impossible", why: "the run was cancelled" };
  for (const answer of answers) {
    if (answer.kind === "unsupported") return { kind: "unsupported", why: answer.what };
    if (answer.kind === "not-green")
      return { kind: answer.untrusted === true ? "impossible" : "unsupported", why: answer.why };
    if (answer.kind === "dry") progress.dry = answer.dry;
    if (answer.kind === "mutant") progress.outcomes.set(answer.mutant, answer);
  }
  if (progress.dry === undefined) return { kind: "unsupported", why: describeEnd(result) };
  progress.todo = progress.todo.filter((mutant) => !progress.outcomes.has(mutant));
  if (answers.at(-1)?.kind === "control")
    return ++progress.brokenControls > MOST_BROKEN_CONTROLS
      ? { kind: "impossible", why: NEVER_ENDED }
      : undefined;
  const isLeft = asked.some((mutant) => !progress.outcomes.has(mutant));
  if (!whole && isLeft) settleCulprit(judging, progress, progress.dry, wasEndedForTime(result));
  return undefined;
}

/** What a mutant left behind can end the process a little later; a suite that knows it is judged does so every time. */
const MOST_BROKEN_CONTROLS = 1;
const NEVER_ENDED =
  "controls, in which nothing was mutated, did not come to their end: the tests notice that they judge mutants";

/** One that broke the process is tried once more, first and in a fresh one: it may have been another's fault. */
function settleCulprit(judging: Judging, progress: Progress, dry: DryRun, forTime: boolean): void {
  const [culprit] = progress.todo;
  if (culprit === undefined) return;
  if (!forTime && progress.broken !== culprit) {
    progress.broken = culprit;
    return;
  }
  const { baselineMs, limitMs } = limitsOf(dry, culprit, judging.options.timeoutMs);
  progress.outcomes.set(culprit, { outcome: { status: "timeout", baselineMs, limitMs }, ran: [] });
  progress.todo = progress.todo.slice(1);
}

function jobOf(
  judging: Judging,
  dry: DryRun | undefined,
  todo: readonly number[],
): Omit<MutateJob, "nonce" | "root"> {
  return {
    kind: "mutate",
    code: judging.bundle.code,
    packages: judging.bundle.packages,
    files: [...judging.site.layout.tests],
    globals: judging.globals,
    testTimeoutMs: judging.testTimeoutMs,
    switchName: judging.switchName,
    mutants: judging.mutants,
    regions: judging.regions,
    leastMs: judging.options.timeoutMs,
    seed: PROPERTY_SEED,
    todo: [...todo],
    ...(dry === undefined ? {} : { dry }),
  };
}

/** By the watchdog inside, or by the harness. */
function wasEndedForTime(result: SiteResult): boolean {
  if (result.kind === "exited") return result.code === 128 + 9;
  return result.kind === "timed-out" || (result.kind === "killed" && result.signal === "SIGKILL");
}
