// Runs inside a site: a module alone in a process, without tests and their runner. Calls of the tests are made again, calls
// that nobody made before are weighed by the predicates, and what the module changes of the world is told.
//
// What is to be done comes on stdin with a nonce, before any code of the module is loaded; lines that begin with the nonce
// are answers.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
import type { AloneAnswer, AloneOrder, RecordedCall } from "../alone/alone-order.ts";
import { received } from "../differ/episode.ts";
import { answersBehind } from "./answer-lines.ts";
import { shown } from "./call-record.ts";
import { type Outcome, wrapped } from "./call-watch.ts";
import { CALLERS_VIEW } from "./callers-view.ts";
import { startWatchdog } from "./inner-watchdog.ts";
import { picture } from "./picture.ts";
import { Judge } from "./predicate-judge.ts";
import { observerOf } from "./predicate-observer.ts";
import { sharedThings } from "./shared-things.ts";

/** Taken before the module is loaded, which could put others in their place. */
const { apply } = Reflect;
const end = process.exit.bind(process);
const now = performance.now.bind(performance);

const order: AloneOrder = JSON.parse(readFileSync(0, "utf8"));
const say: (answer: AloneAnswer) => void = answersBehind(order.nonce);
const run = compileFunction(order.code, ["require", "module", "exports"]);
const find = createRequire(`${process.cwd()}/`);
const watchdog = startWatchdog();
process.on("uncaughtException", () => undefined);
process.on("unhandledRejection", () => undefined);

const started = now();
const changes = sharedThings();
const resources = openResources();
/** Other things that it does to what is not its own. */
const notes = new Set<string>();
await allAgain();
await allFresh();
say({
  kind: "over",
  changed: [...changes(), ...notes, ...leftOpen()],
  alive: await seesPlants(),
});
end(0);

async function allAgain(): Promise<void> {
  for (const [load, calls] of order.again.entries()) {
    const loaded = loadedAnew();
    for (const [at, call] of calls.entries()) {
      if (isLate()) return;
      const { outcome } = await called(loaded, call, () => () => undefined);
      say({ kind: "again", load, at, outcome: outcome === undefined ? null : shown(outcome) });
    }
  }
}

async function allFresh(): Promise<void> {
  const loaded = loadedAnew();
  let before: Given | undefined;
  for (const [at, call] of order.fresh.entries()) {
    if (isLate()) return;
    const judges = order.plan.predicates.map((predicate) => new Judge(predicate));
    const { outcome, left } = await called(loaded, call, observerOf(call.entry, order.plan, judges));
    if (before !== undefined && shownValue(before.value) !== before.text)
      notes.add(`a result that ${before.entry} gave before`);
    before = outcome?.kind === "returned" ? givenBy(call.entry, outcome.result) : undefined;
    const seen = judges.filter((judge) => judge.seen.evaluated > 0);
    const required = seen.filter(({ predicate }) => predicate.kind === "requires");
    say({
      kind: "fresh",
      at,
      end: endOf(outcome),
      met: required.every((judge) => judge.seen.upheld + judge.seen.broken === 0),
      seen: seen.map((judge) => judge.seen),
      ...(left === undefined ? {} : { left }),
    });
  }
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
  const text = shownValue(value);
  return text === undefined ? undefined : { entry, value, text };
}

function shownValue(value: unknown): string | undefined {
  return shown({ kind: "returned", result: value }) ?? undefined;
}

/** Kinds of things that keep a process alive, and how many there are. */
function openResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

function leftOpen(): string[] {
  const more = [...openResources()].filter(([kind, count]) => count > (resources.get(kind) ?? 0));
  return more.flatMap(([kind]) =>
    /^FS|Immediate|Wrap$/.test(kind) ? [] : [`what keeps the process alive: ${kind}`],
  );
}

function endOf(outcome: Outcome | undefined): "returned" | "silent" | "threw" | "open" {
  if (outcome === undefined || outcome.kind === "threw") return outcome?.kind ?? "open";
  return outcome.result === undefined ? "silent" : "returned";
}

function cupelPlanted(list: unknown[]): number {
  return list.push(Reflect.set(Array.prototype, "cupelPlanted", true));
}

/** Whether changes of both kinds are seen when there are some. */
async function seesPlants(): Promise<boolean> {
  const { left } = await called(
    { cupelPlanted },
    { entry: "cupelPlanted", args: [{ kind: "list", of: [] }] },
    () => () => undefined,
  );
  return left !== undefined && changes().includes("Array.prototype.cupelPlanted");
}

function isLate(): boolean {
  return now() - started > order.totalMs;
}

type Observe = (args: readonly unknown[]) => (outcome: Outcome) => void;

async function called(
  loaded: unknown,
  { entry, args: sent }: Pick<RecordedCall, "entry" | "args">,
  observe: Observe,
): Promise<{ outcome: Outcome | undefined; left?: string }> {
  const found: unknown = typeof loaded === "object" && loaded !== null ? Reflect.get(loaded, entry) : loaded;
  if (typeof found !== "function") return { outcome: { kind: "threw", error: `there is no ${entry}` } };
  const args = sent.map(received);
  const before = picture(args, CALLERS_VIEW);
  let outcome: Outcome | undefined;
  const watched = wrapped(found, (given) => {
    const settle = observe(given);
    return (ended) => {
      outcome = ended;
      settle(ended);
    };
  });
  watchdog.watch(order.limitMs);
  try {
    await apply(watched, undefined, args);
  } catch {
    // Its end was seen.
  }
  // What it left to be done later is done before anybody looks.
  await Promise.resolve();
  watchdog.rest();
  const after = picture(args, CALLERS_VIEW);
  return after === before ? { outcome } : { outcome, left: after };
}

function loadedAnew(): unknown {
  const module: { exports: unknown } = { exports: {} };
  apply(run, undefined, [find, module, module.exports]);
  return module.exports;
}
