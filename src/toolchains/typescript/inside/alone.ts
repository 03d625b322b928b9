// Runs inside a site: a module alone in a process, without tests and their runner. Calls of the tests are made again, calls
// that nobody made before are weighed by the predicates, and what the module changes of the world is told.
//
// What is to be done comes on stdin with a nonce, before any code of the module is loaded; lines that begin with the nonce
// are answers.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
import type { AloneAnswer, AloneOrder, RecordedCall } from "../alone/alone-order.ts";
import { received, send } from "../differ/episode.ts";
import { answersBehind } from "./answer-lines.ts";
import { shown } from "./call-record.ts";
import { type Outcome, wrapped } from "./call-watch.ts";
import { CALLERS_VIEW } from "./callers-view.ts";
import { boundsOf, sizesOf } from "./contract-bounds.ts";
import { handedIn } from "./handed-in.ts";
import { hiddenMembers } from "./hidden-members.ts";
import { startWatchdog } from "./inner-watchdog.ts";
import { LaterCalls } from "./later-calls.ts";
import { openedSince, openResources } from "./open-resources.ts";
import { picture } from "./picture.ts";
import { cupelCounted, cupelPlanted } from "./planted-changes.ts";
import { answersForItself } from "./own-answers.ts";
import { Judge } from "./predicate-judge.ts";
import { observerOf } from "./predicate-observer.ts";
import { sharedThings } from "./shared-things.ts";
import { steadyBuiltIns } from "./steady-built-ins.ts";
import { shownValue } from "./steady-result.ts";

/** Taken before the module is loaded, which could put others in their place. */
const { apply } = Reflect;
const end = process.exit.bind(process);
const now = performance.now.bind(performance);
const [startTimer, stopTimer] = [setTimeout, clearTimeout];

// Whatever is fixed stands above what is done: a name that comes later has no value yet.
const BOUND_MS = 500;
const BOUNDS_MS = 2000;
const SIZES_MS = 500;
/** Of lists that are large, some are enough. */
const MOST_LOOKED = 100_000;
const MOST_BEGINNINGS = 3;
const FAR_MS = 1000;
/** So many calls of a kind are made however slow they are, within some times the time there is. */
const LEAST_CALLS = 20;
const SLOWEST = 4;

const order: AloneOrder = JSON.parse(readFileSync(0, "utf8"));
const say: (answer: AloneAnswer) => void = answersBehind(order.nonce);
const run = compileFunction(order.code, ["require", "module", "exports"]);
const find = createRequire(`${process.cwd()}/`);
const watchdog = startWatchdog();
let isLoose = false;
const onLoose = () => {
  isLoose = true;
};
process.on("uncaughtException", onLoose);
process.on("unhandledRejection", onLoose);

const changes = sharedThings();
const changedForNow = steadyBuiltIns(order.plan.predicates.map(({ expr }) => expr));
const resources = openResources();
/** Other things that it does to what is not its own. */
const notes = new Set<string>();
/** What the last call was handed, as it was when it had ended. */
let last: { entry: string; args: readonly unknown[]; text: string } | undefined;
/** Parts of results that were looked at for what they answer themselves. */
let looked = 0;
/** Of the calls that were made, some have not come to their end, and what they wait for is still there. */
let isWaiting = false;
await allAgain();
const loaded = await loadedAnew();
say({ kind: "again-over" });
await allFresh();
const later = new LaterCalls(order, {
  load: loadedAnew,
  call: async (of, { entry, args }) => (await calledWith(of, entry, args, () => () => undefined)).outcome,
  find: entryOf,
  lateness,
  watch: (limitMs) => {
    if (limitMs === undefined) watchdog.rest();
    else watchdog.watch(limitMs);
  },
  unlessTooLong,
});
for (const what of await later.changes()) notes.add(what);
say({
  kind: "over",
  changed: [...changes(), ...notes, ...leftOpen(), ...hiddenMembers(loaded, order)],
  alive: await seesPlants(),
});
// Far out things may take long, so nothing comes after them.
await allBounds(boundsOf, BOUNDS_MS);
await allFar();
await allBounds(sizesOf, SIZES_MS);
// What nobody waits for fails when everything else has come to its end.
await new Promise((resolve) => void startTimer(resolve, 0));
say({ kind: "done", isLoose });
end(0);

async function allAgain(): Promise<void> {
  const isLate = lateness();
  for (const [load, calls] of order.again.entries()) {
    const loaded = await loadedAnew();
    for (const [at, call] of calls.entries()) {
      if (isLate()) return;
      const { outcome } = await called(loaded, call, () => () => undefined);
      say({ kind: "again", load, at, outcome: outcome === undefined ? null : shown(outcome) });
    }
  }
}

async function allFresh(): Promise<void> {
  const isLate = lateness();
  let before: Given | undefined;
  const here = process.env["TZ"];
  for (const [at, call] of order.fresh.entries()) {
    if (isLate()) break;
    if (order.thenIn !== undefined && at === order.fresh.length >> 1) process.env["TZ"] = order.thenIn;
    const judges = order.plan.predicates.map((predicate) => new Judge(predicate));
    const { outcome, left } = await called(loaded, call, observerOf(call.entry, order.plan, judges));
    if (before !== undefined && shownValue(before.value) !== before.text)
      notes.add(`a result that ${before.entry} gave before`);
    before = outcome?.kind === "returned" ? givenBy(call.entry, outcome.result) : undefined;
    const seen = judges.filter((judge) => judge.seen.evaluated > 0);
    say({
      kind: "fresh",
      at,
      end: endOf(outcome),
      met: gotWhatIsRequired(judges),
      seen: seen.map((judge) => judge.seen),
      ...(left === undefined ? {} : { left }),
    });
  }
  if (order.thenIn !== undefined && here !== undefined) process.env["TZ"] = here;
}

/** A requirement is upheld or broken by what comes of it when it was not met. */
function gotWhatIsRequired(judges: readonly Judge[]): boolean {
  return judges.every(
    ({ predicate, seen }) => predicate.kind !== "requires" || seen.upheld + seen.broken === 0,
  );
}

/** Calls at the bounds of what the contract requires, where no test may have been. */
async function allBounds(numbersOf: typeof boundsOf, mostMs: number): Promise<void> {
  const loaded = await loadedAnew();
  const begun = now();
  for (const entry of new Set(order.fresh.map((each) => each.entry))) {
    const own = order.plan.predicates.filter((predicate) => predicate.entry === entry);
    const required = own.filter(({ kind }) => kind === "requires");
    const promised = own.filter(({ kind }) => kind === "ensures");
    if (required.length === 0 || promised.length === 0) continue;
    const meets = (args: readonly unknown[]) =>
      required.every((predicate) => new Judge(predicate).requirement({ entry, args }) === "satisfied");
    const beginnings = order.fresh.filter((each) => each.entry === entry).slice(0, MOST_BEGINNINGS);
    for (const { args } of beginnings) {
      const given = args.map(received);
      for (const far of given.flatMap((_, at) => numbersOf(given, at, meets))) {
        if (now() - begun > mostMs) return;
        const judges = promised.map((predicate) => new Judge(predicate));
        await called(loaded, { entry, args: far.map(send) }, observerOf(entry, order.plan, judges), BOUND_MS);
        sayFar(judges);
      }
    }
  }
}

/** Only whether promises hold there: nobody knows what else is meant to happen. */
async function allFar(): Promise<void> {
  const loaded = await loadedAnew();
  const begun = now();
  for (const call of order.far) {
    if (now() - begun > FAR_MS) return;
    const judges = order.plan.predicates.map((predicate) => new Judge(predicate));
    await called(loaded, call, observerOf(call.entry, order.plan, judges), BOUND_MS);
    if (gotWhatIsRequired(judges)) sayFar(judges.filter(({ predicate }) => predicate.kind === "ensures"));
  }
}

function sayFar(judges: readonly Judge[]): void {
  say({ kind: "far", seen: judges.flatMap(({ seen }) => (seen.evaluated > 0 ? [seen] : [])) });
}

interface Given {
  entry: string;
  value: unknown;
  text: string;
}

/** What callers hold in their hands after a call; nothing may happen to it later. */
function givenBy(entry: string, value: unknown): Given | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const parts: unknown[] = Array.isArray(value) ? [value, ...value] : [value];
  if (parts.some((each) => typeof each === "object" && each !== null && "asymmetricMatch" in each))
    notes.add(`how tests compare: what ${entry} gives back decides itself what it is equal to`);
  looked += parts.length;
  const answered = looked > MOST_LOOKED ? undefined : answersForItself(value, isKnownToCallers);
  if (answered !== undefined)
    notes.add(
      `how results are judged: what ${entry} gives back answers for itself when it is asked for ${answered}`,
    );
  const text = shownValue(value);
  return text === undefined ? undefined : { entry, value, text };
}

function isKnownToCallers(maker: unknown): boolean {
  const exported: unknown[] = typeof loaded === "object" && loaded !== null ? Object.values(loaded) : [];
  if (exported.includes(maker)) return true;
  return typeof maker === "function" && new RegExp(`\\b${maker.name}\\b`).test(order.signatures);
}

function leftOpen(): string[] {
  return isWaiting ? [] : openedSince(resources).map((kind) => `what keeps the process alive: ${kind}`);
}

function endOf(outcome: Outcome | undefined): "returned" | "silent" | "threw" | "open" {
  if (outcome === undefined || outcome.kind === "threw") return outcome?.kind ?? "open";
  return outcome.result === undefined ? "silent" : "returned";
}

/** Whether changes of every kind are seen when there are some. */
async function seesPlants(): Promise<boolean> {
  if (!(await later.wearsOut({ cupelCounted }, { entry: "cupelCounted", args: [] }))) return false;
  const { left } = await called(
    { cupelPlanted },
    { entry: "cupelPlanted", args: [{ kind: "list", of: [] }] },
    () => () => undefined,
  );
  return left !== undefined && changes().includes("Array.prototype.cupelPlanted");
}

/** Asked before each call of a kind. */
function lateness(): () => boolean {
  const begun = now();
  let calls = 0;
  return () => {
    calls += 1;
    return now() - begun > order.totalMs * (calls > LEAST_CALLS ? 1 : SLOWEST);
  };
}

type Observe = (args: readonly unknown[]) => (outcome: Outcome) => void;

type OneCall = Pick<RecordedCall, "entry" | "args">;

async function called(
  loaded: unknown,
  { entry, args }: OneCall,
  observe: Observe,
  limitMs = order.limitMs,
): Promise<Ended> {
  const before = last;
  const given = args.map(received);
  const ended = await calledWith(loaded, entry, given, observe, limitMs);
  if (before !== undefined && picture(before.args, CALLERS_VIEW) !== before.text)
    notes.add(`what callers of ${before.entry} have handed in before`);
  last = undefined;
  // To change it, sooner or later, is all that can be the purpose of what gives nothing back.
  if (endOf(ended.outcome) === "returned") last = { entry, args: given, text: picture(given, CALLERS_VIEW) };
  return ended;
}

interface Ended {
  outcome: Outcome | undefined;
  /** What became of the arguments. */
  left?: string;
}

async function calledWith(
  loaded: unknown,
  entry: string,
  args: readonly unknown[],
  observe: Observe,
  limitMs = order.limitMs,
): Promise<Ended> {
  const found = entryOf(loaded, entry);
  if (typeof found !== "function") return { outcome: { kind: "threw", error: `there is no ${entry}` } };
  const before = picture(args, CALLERS_VIEW);
  const becomes = handedIn(args);
  let outcome: Outcome | undefined;
  const watched = wrapped(found, (given) => {
    const settle = observe(given);
    return (ended) => {
      outcome = ended;
      const changed = changedForNow();
      if (changed !== undefined) notes.add(`${changed}, also where it puts it back`);
      settle(ended);
    };
  });
  // Who waits for something is left alone with it; who blocks is ended.
  watchdog.watch(2 * limitMs);
  try {
    await unlessTooLong(apply(watched, undefined, args), limitMs);
  } catch {
    // Its end was seen.
  }
  // What it left to be done later is done before anybody looks.
  await Promise.resolve();
  watchdog.rest();
  const other = endOf(outcome) === "silent" ? undefined : becomes();
  if (other !== undefined) notes.add(`${other}: of what is handed to ${entry}`);
  const after = picture(args, CALLERS_VIEW);
  return after === before ? { outcome } : { outcome, left: after };
}

function entryOf(loaded: unknown, entry: string): unknown {
  return typeof loaded === "object" && loaded !== null ? Reflect.get(loaded, entry) : loaded;
}

/** What is no promise is there at once. */
async function unlessTooLong(result: unknown, limitMs: number): Promise<void> {
  if (!(result instanceof Promise)) return;
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = startTimer(() => {
      isWaiting = true;
      resolve();
    }, limitMs);
  });
  try {
    await Promise.race([result, tooLong]);
  } finally {
    stopTimer(timer);
  }
}

/** What waits while it is loaded gives a promise of its exports. */
async function loadedAnew(): Promise<unknown> {
  const module: { exports: unknown } = { exports: {} };
  apply(run, undefined, [find, module, module.exports]);
  return await module.exports;
}
