// Calls what a module exports with the same generated inputs, unmutated twice and mutated once, and looks for the first
// difference that a caller could see.
import { InputGenerator } from "./input-generator.ts";
import type { CallableFunction, CompareJob, Comparison, InnerAnswer, Subject } from "./inner-job.ts";
import { type LoadedModule, Switch } from "./inner-module.ts";
import { startWatchdog } from "./inner-watchdog.ts";
import { rememberWorld, restoreWorld, takeOutput, takeStrays } from "./inner-world.ts";
import { Opaque, picture } from "./picture.ts";

export async function compareSurvivors(
  job: CompareJob,
  module: LoadedModule,
  say: (answer: InnerAnswer) => void,
): Promise<void> {
  const world = rememberWorld();
  const watchdog = startWatchdog();
  for (const subject of job.subjects) {
    watchdog.watch(job.budgetMs + 1_000);
    const { comparison, ran } = await compare(job, module, subject);
    watchdog.rest();
    restoreWorld(world);
    takeStrays();
    say({ kind: "compared", mutant: subject.mutant, comparison, ran });
  }
}

interface Compared {
  comparison: Comparison;
  /** The functions that ran, by number. */
  ran: number[];
}

async function compare(job: CompareJob, module: LoadedModule, subject: Subject): Promise<Compared> {
  const instances = {
    once: instance(job, module, -1),
    again: instance(job, module, -1),
    mutated: instance(job, module, subject.mutant),
  };
  const comparison = await compareInstances(job, subject, instances);
  const ran = Object.values(instances).flatMap(({ on }) => on.ran(job.regions));
  return { comparison, ran: [...new Set(ran)] };
}

type Instance = ReturnType<typeof instance>;

async function compareInstances(
  job: CompareJob,
  subject: Subject,
  { once, again, mutated }: Record<"once" | "again" | "mutated", Instance>,
): Promise<Comparison> {
  const functions = job.functions.filter(
    ({ name }) => subject.holder === undefined || name === subject.holder,
  );
  const different = new Set<string>();
  const deadline = performance.now() + job.budgetMs;
  for (let round = 0; different.size < job.inputs; round++) {
    if (round % 16 === 0 && performance.now() > deadline)
      return noClaim(`only ${different.size} of ${job.inputs} inputs reached it in time`);
    const callee = functions[round % functions.length];
    if (callee === undefined) return noClaim("nothing can be called");
    const seed = job.seed + round * 7919;
    mutated.on.reached[subject.mutant] = 0;
    const seen: Seen[] = [];
    for (const { exports } of [once, again, mutated]) seen.push(await observe(exports, callee, seed, job));
    const verdict = differs(callee.name, seen, mutated.on.over);
    if (verdict.kind !== "as-one") return verdict;
    if (mutated.on.reached[subject.mutant] === 1) different.add(`${callee.name} ${verdict.input}`);
  }
  return { kind: "same", inputs: different.size };
}

function differs(
  name: string,
  [first, second, third]: readonly Seen[],
  over: boolean,
): Comparison | { kind: "as-one"; input: string } {
  if (first === undefined || second === undefined || third === undefined) return noClaim("nothing was seen");
  if (first.kind === "opaque") return noClaim(`${name} gives ${first.what}, which cannot be compared`);
  if (second.kind === "opaque" || first.text !== second.text)
    return noClaim(`${name} does not always do the same`);
  const same = third.kind === "seen" && first.text === third.text && !over;
  return same
    ? { kind: "as-one", input: first.input }
    : { kind: "different", call: `${name}(${first.input})`.slice(0, 500) };
}

function noClaim(why: string): Comparison {
  return { kind: "no-claim", why };
}

function instance(job: CompareJob, module: LoadedModule, active: number) {
  const on = new Switch(active, job.mutants, active === -1 ? Number.POSITIVE_INFINITY : 50_000_000);
  let exports: unknown;
  try {
    exports = module.load(job.entry, on);
  } catch {
    exports = undefined;
  }
  return { on, exports };
}

type Seen = { kind: "seen"; input: string; text: string } | { kind: "opaque"; what: string };

const later = setTimeout;
const stop = clearTimeout;
const LONGEST_CALL_MS = 250;

async function observe(
  exports: unknown,
  callee: CallableFunction,
  seed: number,
  job: CompareJob,
): Promise<Seen> {
  const heard: string[] = [];
  const generator = new InputGenerator(seed, job.hints);
  const args = callee.parameters.map((shape) =>
    generator.make(shape, (inner) => heard.push(shown(() => picture(inner)))),
  );
  takeOutput();
  try {
    const input = shown(() => args.map((argument) => describeArgument(argument)).join(", "));
    const called: unknown =
      typeof exports === "object" && exports !== null ? Reflect.get(exports, callee.name) : undefined;
    if (typeof called !== "function") return { kind: "opaque", what: "no such function" };
    const outcome = await outcomeOf(() => Reflect.apply(called, undefined, args));
    const after = args.filter((argument) => typeof argument !== "function" && !(argument instanceof Promise));
    return { kind: "seen", input, text: [outcome, picture(after), ...heard, takeOutput()].join("\n") };
  } catch (error) {
    if (error instanceof Opaque) return { kind: "opaque", what: error.message };
    throw error;
  }
}

async function outcomeOf(call: () => unknown): Promise<string> {
  try {
    const result = call();
    if (!isThenable(result)) return `returned ${picture(result)}`;
    return `fulfilled with ${picture(await within(result))}`;
  } catch (error) {
    if (error instanceof Opaque) throw error;
    return `threw ${picture(error)}`;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** What does not settle is the same for all, unless only one of them does not. */
function within(promise: PromiseLike<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = later(() => resolve("<does not settle>"), LONGEST_CALL_MS);
    const settled = (settle: () => void) => {
      stop(timer);
      settle();
    };
    promise.then(
      (value) => settled(() => resolve(value)),
      (error: unknown) => settled(() => reject(error)),
    );
  });
}

function describeArgument(argument: unknown): string {
  return typeof argument === "function"
    ? "<function>"
    : argument instanceof Promise
      ? "<promise>"
      : picture(argument);
}

function shown(show: () => string): string {
  try {
    return show();
  } catch {
    return "<opaque>";
  }
}
