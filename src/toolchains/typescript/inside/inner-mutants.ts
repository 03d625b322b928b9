// Judges mutants in one process: the unmutated tests first, then for each mutant the tests that reach it, up to the
// first that fails.
import { distrust, drawControls } from "./inner-controls.ts";
import type { DryRun, InnerAnswer, InnerRun, MutantOutcome, MutateJob } from "./inner-job.ts";
import { hitLimit, limitsOf } from "./inner-limits.ts";
import { type LoadedModule, Switch } from "./inner-module.ts";
import { runSuite } from "./inner-suite.ts";
import { startWatchdog, type Watchdog } from "./inner-watchdog.ts";
import { rememberWorld, restoreWorld, stayAliveNoLonger, takeStrays } from "./inner-world.ts";
import { unsupportedSoFar } from "./unsupported.ts";

type Say = (answer: InnerAnswer) => void;

export async function judgeMutants(job: MutateJob, module: LoadedModule, say: Say): Promise<void> {
  const world = rememberWorld();
  const todo = job.todo ?? Array.from({ length: job.mutants }, (_, mutant) => mutant);
  const { draws, decoy } = drawControls(todo.length, job.mutants, job.dry !== undefined);
  const dry = job.dry ?? (await dryRun(job, module, say));
  restoreWorld(world);
  if (dry === undefined) return;
  if (job.dry === undefined) say({ kind: "dry", dry });
  if (todo.length === 0) return;
  const watchdog = startWatchdog();
  stayAliveNoLonger();
  /** Mutants that were judged by a test. Here and below without what foreign code could have replaced. */
  const seen: number[] = [];
  const isTrusted = async (): Promise<boolean> => {
    const draw = draws[seen.length] ?? -1;
    draws[seen.length] = -1;
    const among = seen.length === 0 ? todo : seen;
    const mutant = draw === -1 ? undefined : among[draw % among.length];
    if (mutant === undefined) return true;
    say({ kind: "control" });
    const patient = { ...job, leastMs: Math.max(job.leastMs, CONTROL_MS) };
    const { outcome } = await judge({ job: patient, module, dry, mutant, active: decoy, watchdog });
    restoreWorld(world);
    const why = distrust(outcome, among === seen);
    say(why === undefined ? { kind: "control-held" } : { kind: "not-green", why, untrusted: true });
    return why === undefined;
  };
  for (let at = 0; at < todo.length; at++) {
    const mutant = todo[at] ?? -1;
    if (!(await isTrusted())) return;
    const judged = await judge({ job, module, dry, mutant, active: mutant, watchdog });
    restoreWorld(world);
    say({ kind: "mutant", mutant, outcome: judged.outcome, ran: judged.ran });
    // What was left behind by a run that never ended must not decide about others: the harness starts anew.
    if (judged.abandoned) return;
    if (judged.outcome.status !== "noCoverage") seen[seen.length] = mutant;
  }
  await isTrusted();
}

/** A control is only in time trouble when the tests are to blame, however busy the machine is. */
const CONTROL_MS = 10_000;

/** A loop with a switch in it takes so much longer at most. */
const SLOWER = 10;

async function dryRun(job: MutateJob, module: LoadedModule, say: Say): Promise<DryRun | undefined> {
  const outside = new Switch(-1, job.mutants, Number.POSITIVE_INFINITY);
  const atRest = outside.reached;
  const covering: Record<string, number[]> = {};
  const tests: DryRun["tests"] = [];
  const hitsOf = new Map<string, number>();
  let hitsBefore = 0;
  module.configureProperties({ seed: job.seed });
  const start = performance.now();
  const run = await runSuite({
    root: job.root,
    files: job.files.map((path) => ({ path })),
    load: (path) => module.load(path, outside),
    testTimeoutMs: job.testTimeoutMs * SLOWER,
    stopAtFirstFailure: false,
    before: () => {
      hitsBefore = outside.hits;
      outside.reached = new Uint8Array(job.mutants);
    },
    after: (test) => {
      const index = tests.length;
      hitsOf.set(test.id, outside.hits - hitsBefore);
      outside.reached.forEach((reached, mutant) => {
        if (reached === 1) (covering[mutant] ??= []).push(index);
      });
      outside.reached = atRest;
      tests.push({ id: test.id, name: "", file: "", durationMs: 0, hits: outside.hits - hitsBefore });
    },
  });
  const took = performance.now() - start;
  const why = notGreen(run, await allStrays());
  if (why !== undefined) {
    const what = unsupportedSoFar();
    say(what === undefined ? { kind: "not-green", why } : { kind: "unsupported", what });
    return undefined;
  }
  const results = new Map(run.results.map((result) => [result.id, result]));
  for (const test of tests) {
    const { name = "", file = "", durationMs = 0 } = results.get(test.id) ?? {};
    Object.assign(test, { name, file, durationMs });
  }
  const inTests = tests.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return {
    tests,
    static: [...atRest.keys()].filter((mutant) => atRest[mutant] === 1),
    covering,
    staticHits: outside.hits - [...hitsOf.values()].reduce((sum, hits) => sum + hits, 0),
    loadMs: Math.max(0, took - inTests),
  };
}

/** Skipped tests judge nothing, so they stand in nobody's way. */
function notGreen(run: InnerRun, strays: readonly string[]): string | undefined {
  const failed = run.results.find(({ outcome }) => outcome === "failed" || outcome === "timeout");
  if (failed !== undefined)
    return `${failed.name} fails before anything is mutated: ${failed.failures[0]?.message ?? ""}`;
  const [collection] = run.collectionErrors;
  if (collection !== undefined) return `${collection.file} cannot be loaded: ${collection.message}`;
  const [stray] = strays;
  if (stray !== undefined) return `an error outside of a test: ${stray}`;
  return run.results.some(({ outcome }) => outcome === "passed") ? undefined : "no test ran";
}

interface Trial {
  job: MutateJob;
  module: LoadedModule;
  dry: DryRun;
  /** Whose tests are run. */
  mutant: number;
  /** What is switched on. */
  active: number;
  watchdog: Watchdog;
}

interface Judged {
  outcome: MutantOutcome;
  /** The functions that ran, by number. */
  ran: number[];
  abandoned: boolean;
}

async function judge(trial: Trial): Promise<Judged> {
  const { job, module, dry, mutant, active, watchdog } = trial;
  const { tests, baselineMs, limitMs, loadHits } = limitsOf(dry, mutant, job.leastMs);
  if (tests.length === 0) return { outcome: { status: "noCoverage" }, ran: [], abandoned: false };
  const on = new Switch(active, job.mutants, loadHits);
  const hitsOf = new Map(tests.map(({ id, hits }) => [id, hits]));
  module.configureProperties({ seed: job.seed, endOnFailure: true });
  // Later than the clock below, which lets an idle mutant end without the end of the process.
  watchdog.watch(limitMs * 1.2 + 200);
  const raced = await race(
    runSuite({
      root: job.root,
      files: byFile(tests),
      load: (path) => module.load(path, on),
      testTimeoutMs: limitMs,
      stopAtFirstFailure: true,
      before: (test) => on.allow(hitLimit(hitsOf.get(test.id) ?? 0)),
      after: () => on.allow(loadHits),
    }),
    limitMs,
  );
  watchdog.rest();
  on.retire();
  const strays = await allStrays();
  const timeout = { status: "timeout", baselineMs, limitMs } as const;
  const ran = on.ran(job.regions);
  if (raced === undefined) return { outcome: timeout, ran, abandoned: true };
  return { outcome: on.over ? timeout : verdict(raced, strays), ran, abandoned: false };
}

function byFile(tests: DryRun["tests"]): { path: string; tests: string[] }[] {
  const files = new Map<string, string[]>();
  for (const { file, id } of tests) files.set(file, [...(files.get(file) ?? []), id]);
  return [...files].map(([path, ids]) => ({ path, tests: ids }));
}

function verdict(run: InnerRun, strays: readonly string[]): MutantOutcome {
  const failed = run.results.filter(({ outcome }) => outcome === "failed" || outcome === "timeout");
  if (failed.length > 0) return { status: "killed", killedBy: failed.map(({ name }) => name) };
  const [collection] = run.collectionErrors;
  if (collection !== undefined) return { status: "killed", killedBy: [collection.file] };
  const [stray] = strays;
  if (stray !== undefined) return { status: "invalid", why: `an error outside of a test: ${stray}` };
  return { status: "survived" };
}

const immediately = setImmediate;

/** Rejections that nobody handles are told one turn later. */
async function allStrays(): Promise<string[]> {
  await new Promise((resolve) => immediately(resolve));
  return takeStrays();
}

const later = setTimeout;
const cancel = clearTimeout;

/** Undefined when it does not end in time, or when nothing is left that could ever end it. */
function race<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const giveUp = () => finish(() => resolve(undefined));
    const timer = later(giveUp, limitMs);
    timer.unref();
    process.once("beforeExit", giveUp);
    const finish = (settle: () => void) => {
      cancel(timer);
      process.removeListener("beforeExit", giveUp);
      settle();
    };
    work.then(
      (value) => finish(() => resolve(value)),
      (error: unknown) => finish(() => reject(error)),
    );
  });
}
