// Calls what a module exports with the same generated inputs, unmutated twice and mutated once, and looks for the first
// difference that a caller could see.
import { OwnClasses } from "./inner-differential-classes.ts";
import { type Instance, observe, type Seen } from "./inner-differential-observe.ts";
import type { CompareJob, Comparison, InnerAnswer, Subject } from "./inner-job.ts";
import { type LoadedModule, Switch } from "./inner-module.ts";
import { startWatchdog, type Watchdog } from "./inner-watchdog.ts";
import { rememberWorld, restoreWorld, takeStrays } from "./inner-world.ts";

export async function compareSurvivors(
  job: CompareJob,
  module: LoadedModule,
  say: (answer: InnerAnswer) => void,
): Promise<void> {
  const world = rememberWorld();
  const watchdog = startWatchdog();
  let left = job.totalEffort;
  const end = performance.now() + job.totalMostMs;
  for (const subject of job.subjects) {
    if (left <= 0 || performance.now() > end) break;
    const { comparison, ran, effort } = await compare(job, module, subject, watchdog);
    watchdog.rest();
    left -= effort;
    restoreWorld(world);
    takeStrays();
    say({ kind: "compared", mutant: subject.mutant, comparison, ran });
  }
}

interface Compared {
  comparison: Comparison;
  /** The functions that ran, by number. */
  ran: number[];
  effort: number;
}

async function compare(
  job: CompareJob,
  module: LoadedModule,
  subject: Subject,
  watchdog: Watchdog,
): Promise<Compared> {
  const instances = {
    once: instance(job, module, -1, subject.mutant),
    again: instance(job, module, -1, subject.mutant),
    mutated: instance(job, module, subject.mutant, subject.mutant),
  };
  const effort = new Effort(Object.values(instances));
  const comparison = await compareInstances(job, subject, instances, { effort, watchdog });
  const ran = Object.values(instances).flatMap(({ on }) => on.ran(job.regions));
  return { comparison, ran: [...new Set(ran)], effort: effort.spent() };
}

/** In mutants that were passed, of whose time everything else takes a multiple. */
const EACH_ROUND = 2_000;
const EACH_CHARACTER = 10;

class Effort {
  readonly #instances: readonly Switched[];
  #beside = 0;

  constructor(instances: readonly Switched[]) {
    this.#instances = instances;
  }

  round(seen: readonly Seen[]): void {
    this.#beside += EACH_ROUND;
    for (const each of seen)
      if (each.kind === "seen") this.#beside += EACH_CHARACTER * (each.input.length + each.text.length);
  }

  spent(): number {
    return this.#instances.reduce((sum, { on }) => sum + on.hits, this.#beside);
  }
}

/** A few rounds that take longer have blocked the process. */
const STUCK_MS = 4_000;

async function compareInstances(
  job: CompareJob,
  subject: Subject,
  { once, again, mutated }: Record<"once" | "again" | "mutated", Switched>,
  { effort, watchdog }: { effort: Effort; watchdog: Watchdog },
): Promise<Comparison> {
  const { holder } = subject;
  const functions = job.functions.filter(
    ({ name }) => holder === undefined || name === holder || name.startsWith(`${holder}.`),
  );
  const different = new Set<string>();
  const favourites = new Set<string>();
  const deadline = performance.now() + job.mostMs;
  for (let round = 0; different.size < job.inputs; round++) {
    if (round % 16 === 0) {
      watchdog.watch(STUCK_MS);
      if (isHopeless(job, effort.spent(), different.size) || performance.now() > deadline)
        return noClaim(`only ${different.size} of ${job.inputs} inputs reached it`);
    }
    const callee = functions[round % functions.length];
    if (callee === undefined) return noClaim("nothing can be called");
    const generator = { seed: job.seed + round * 7919, hints: job.hints };
    mutated.on.reached[subject.mutant] = 0;
    const seen: Seen[] = [];
    for (const each of [once, again, mutated]) seen.push(await observe(each, callee, generator, favourites));
    effort.round(seen);
    const verdict = differs(callee.name, seen, mutated.on.over);
    if (verdict.kind !== "as-one") return verdict;
    if (verdict.through !== undefined) favourites.add(verdict.through);
    if (verdict.counts && mutated.on.reached[subject.mutant] === 1)
      different.add(`${callee.name} ${verdict.input}`);
  }
  return { kind: "same", inputs: different.size };
}

/** What is hardly reached in the beginning will not be reached often enough in the end. */
function isHopeless({ inputs, effort }: CompareJob, used: number, reached: number): boolean {
  const spent = used / effort;
  return spent > 1 || (spent > 1 / 6 && reached / inputs < spent / 8);
}

function differs(
  name: string,
  [first, second, third]: readonly Seen[],
  over: boolean,
): Comparison | { kind: "as-one"; input: string; counts: boolean; through: string | undefined } {
  if (first === undefined || second === undefined || third === undefined) return noClaim("nothing was seen");
  if (first.kind === "opaque") return noClaim(`${name} gives ${first.what}, which cannot be compared`);
  if (second.kind === "opaque" || first.text !== second.text)
    return noClaim(`${name} does not always do the same`);
  const same = third.kind === "seen" && first.text === third.text && !over;
  return same
    ? { kind: "as-one", input: first.input, counts: first.counts, through: third.through }
    : { kind: "different", call: first.input.slice(0, 500) };
}

function noClaim(why: string): Comparison {
  return { kind: "no-claim", why };
}

interface Switched extends Instance {
  on: Switch;
}

function instance(job: CompareJob, module: LoadedModule, active: number, mutant: number): Switched {
  const on = new Switch(active, job.mutants, active === -1 ? Number.POSITIVE_INFINITY : 50_000_000);
  let exports: unknown;
  try {
    exports = module.load(job.entry, on);
  } catch {
    exports = undefined;
  }
  const isReached = () => on.reached[mutant] === 1;
  return { on, exports, classes: new OwnClasses(exports, job), isReached };
}
