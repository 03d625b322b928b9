// Runs the examples of a module in the worker, one after the other, and tells what each gave and which entry points it
// called; nothing is compared here, so code in this process has no verdict to change.
import { stripVTControlCharacters } from "node:util";
import {
  EXAMPLES_KEY,
  type ExamplePlan,
  RUN_EXAMPLE,
  type WatchedSurface,
} from "../examples/example-plan.ts";
import type { SeenExample } from "../examples/seen-example.ts";
import { WATCH_ENTRIES, WRAPPER } from "../watch/predicate-plan.ts";
import type { Outcome } from "./call-watch.ts";
import { isCalledFrom } from "./caller.ts";
import { namesOf } from "./error-names.ts";
import { asJson, asShown, bounded, isChange } from "./portrait.ts";
import { Judge } from "./predicate-judge.ts";
import { type Namespace, type Observer, watchedExports } from "./watch-entries.ts";

/** Put before this program by the harness. */
declare const CUPEL_EXAMPLES: { plan: ExamplePlan };

export const name = EXAMPLES_KEY;

type Report = (value: unknown) => void;

/** What is known of the example that runs. */
interface Running {
  at: number;
  file: string;
  called: string[];
  plain: string[];
  surfaced: string[];
  thrown: unknown[];
  printed: string;
}

let current: Running | undefined;

/** Started by the runner in the worker, before any foreign code. */
export function start(report: Report): void {
  const { plan } = CUPEL_EXAMPLES;
  const root = new URL("..", import.meta.url).pathname;
  const wrapper = new URL(WRAPPER, import.meta.url).pathname;
  const surfaces = plan.surfaces.map(recogniser);
  const tampered = () => report({ tampered: true });
  offer(WATCH_ENTRIES, (real: Namespace) => {
    if (isCalledFrom(wrapper)) return watch(real, plan.entries, surfaces);
    tampered();
    return {};
  });
  offer(RUN_EXAMPLE, async (at: number, load: () => Promise<{ default: unknown }>) => {
    if (!isCalledFrom(`${root}${plan.test}`)) return tampered();
    const file = `${root}${plan.files[at] ?? ""}`;
    report(await seenOf({ at, file, called: [], plain: [], surfaced: [], thrown: [], printed: "" }, load));
  });
}

function offer(symbol: string, value: unknown): void {
  Object.defineProperty(globalThis, Symbol.for(symbol), { value });
}

async function seenOf(running: Running, load: () => Promise<{ default: unknown }>): Promise<SeenExample> {
  current = running;
  const endPrinting = keepPrinted(running);
  try {
    const { default: given } = await load();
    const value: unknown = await given;
    return {
      ...told(running, value),
      ending: "returned",
      ...asJson(value),
      changed: isChanged(running, value),
    };
  } catch (error) {
    const from = running.thrown;
    let fromModule = false;
    for (let at = 0; at < from.length; at++) fromModule ||= from[at] === error;
    const { names, message } = errorOf(error);
    return {
      ...told(running, error),
      ending: "threw",
      error: { names, message, fromModule },
      changed: false,
    };
  } finally {
    endPrinting();
    current = undefined;
  }
}

function told(
  { at, called, plain, surfaced, printed }: Running,
  value: unknown,
): Pick<SeenExample, "at" | "shown" | "called" | "plain" | "surfaced" | "printed"> {
  return { at, called, plain, surfaced, shown: asShown(value), printed: bounded(printed) };
}

function isChanged({ printed }: Running, value: unknown): boolean {
  return printed !== "" || isChange(value);
}

function errorOf(error: unknown): { names: string[]; message: string } {
  if (typeof error !== "object" || error === null) return { names: [], message: bounded(String(error)) };
  const [own, maker]: unknown[] = [Reflect.get(error, "name"), Reflect.get(error, "constructor")];
  const names = [own, typeof maker === "function" ? maker.name : undefined];
  const message: unknown = Reflect.get(error, "message");
  return { names: names.map((each) => bounded(String(each))), message: bounded(String(message)) };
}

/** Examples print nothing themselves: whatever is written while one runs is the module's. */
function keepPrinted(running: Running): () => void {
  const streams = [process.stdout, process.stderr];
  const found = streams.map((stream) => Object.getOwnPropertyDescriptor(stream, "write"));
  const write = (chunk: unknown, ...more: unknown[]): boolean => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(Object(chunk)).toString("utf8");
    running.printed = bounded(running.printed + stripVTControlCharacters(text));
    const done = more.findLast((each) => typeof each === "function");
    if (typeof done === "function") Reflect.apply(done, undefined, []);
    return true;
  };
  for (const stream of streams)
    Object.defineProperty(stream, "write", { value: write, configurable: true, writable: true });
  return () =>
    streams.forEach((stream, at) => {
      const before = found[at];
      if (before === undefined) Reflect.deleteProperty(stream, "write");
      else Object.defineProperty(stream, "write", before);
    });
}

function watch(
  real: Namespace,
  entries: readonly string[],
  surfaces: readonly Recogniser[],
): Record<string, unknown> {
  for (const entry of entries)
    if (!entry.includes(".") && typeof real[entry] !== "function") add(current?.plain, entry);
  return watchedExports(real, entries, (entry) => observerOf(entry, surfaces)).exports;
}

/** Only calls that the example makes itself count; those of the module among its own parts do not. */
function observerOf(entry: string, surfaces: readonly Recogniser[]): Observer {
  return (args) => {
    const running = current;
    if (running === undefined || !isCalledFrom(running.file)) return () => undefined;
    add(running.called, entry);
    return (outcome) => {
      if (outcome.kind === "threw") running.thrown[running.thrown.length] = outcome.error;
      for (let at = 0; at < surfaces.length; at++) {
        const surface = surfaces[at];
        if (surface?.isSeen(entry, args, outcome) === true) add(running.surfaced, surface.name);
      }
    };
  };
}

function add(list: string[] | undefined, text: string): void {
  if (list === undefined) return;
  for (let at = 0; at < list.length; at++) if (list[at] === text) return;
  list[list.length] = text;
}

interface Recogniser {
  name: string;
  isSeen(entry: string, args: readonly unknown[], outcome: Outcome): boolean;
}

function recogniser({ name: called, surface, entries, predicates }: WatchedSurface): Recogniser {
  const judges = predicates.map((predicate) => new Judge(predicate));
  return {
    name: called,
    isSeen: (entry, args, outcome) => {
      if (!entries.includes(entry) || (surface === "exception" && outcome.kind !== "threw")) return false;
      const holds = judges.some(
        (judge) => judge.predicate.entry === entry && judge.holds({ entry, args, ...outcome }),
      );
      return holds || namesOf(outcome).includes(called);
    },
  };
}
