// Counts what fast-check's properties really tried, by watching each single run of a property and what it calls.
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";

export interface Property {
  runs: number;
  discarded: number;
  inputs: Set<string>;
  /** Runs in which an entry point of the module was called. */
  reaching: number;
  /** Whether these calls were not all the same. */
  varied: boolean;
}

type Seen = (property: Property) => void;

interface FastCheck {
  property: (arbitrary: unknown, predicate: (value: unknown) => boolean) => object;
  asyncProperty: (arbitrary: unknown, predicate: () => Promise<boolean>) => object;
  check: (property: object, settings: { numRuns: number; seed: number }) => unknown;
  constant: (value: unknown) => unknown;
  nat: () => unknown;
  stringify: (value: unknown) => string;
  PreconditionFailure: { isFailure: (result: unknown) => boolean };
}

/** One run of a property while it lasts. */
interface Run {
  property: Property;
  reached: boolean;
  /** The first call of all runs and what came of it, to compare the others with. */
  first: { call?: string; result?: string };
}

const MOST_INPUTS = 50_000;
const { apply } = Reflect;
const current = new AsyncLocalStorage<Run>();
const runIn: (store: Run, work: () => unknown) => unknown = Reflect.get(AsyncLocalStorage.prototype, "run");
const storeOf: () => Run | undefined = Reflect.get(AsyncLocalStorage.prototype, "getStore");
let loaded: FastCheck | undefined;

/** Does nothing where the module does not bring fast-check. */
export async function watchProperties(seen: Seen): Promise<void> {
  loaded = await load();
  if (loaded === undefined) return;
  const samples = [
    loaded.property(loaded.constant(0), () => true),
    loaded.asyncProperty(loaded.constant(0), () => Promise.resolve(true)),
  ];
  for (const sample of samples) watch(loaded, Object.getPrototypeOf(sample), seen);
}

/** A property that tries much and calls nothing, where there is fast-check to try it with. */
export function tryIdleProperty(): void {
  try {
    loaded?.check(
      loaded.property(loaded.nat(), (value) => typeof value === "number"),
      { numRuns: 100, seed: 1 },
    );
  } catch {
    // Whoever spoiled fast-check is left without what it should have shown.
  }
}

/** Told of each call of an entry point; gives back what is told the result. */
export function callInProperty(entry: string, args: readonly unknown[]): (result: unknown) => void {
  const run = apply(storeOf, current, []);
  if (run === undefined) return nothing;
  run.reached = true;
  const { property } = run;
  if (property.varied) return nothing;
  const call = args.length === 0 ? undefined : `${entry} ${shown(args)}`;
  // What takes no argument cannot be called in another way.
  if (call === undefined || (run.first.call ??= call) !== call) property.varied = true;
  return (result) => {
    // What is varied then is what is done with the thing that was made.
    if (isHandle(result)) property.varied = true;
    if (property.varied || result === undefined) return;
    // What is made up can also come by way of a callback, a file or the time; then what comes back is not the same.
    const given = shown([result]);
    if ((run.first.result ??= given) !== given) property.varied = true;
  };
}

const nothing = () => undefined;

function shown(args: readonly unknown[]): string {
  try {
    return digest(loaded?.stringify(args) ?? "");
  } catch {
    return "arguments that cannot be shown";
  }
}

/** A function, or something with functions of its own. */
function isHandle(value: unknown): boolean {
  if (typeof value === "function") return true;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return !BUILT_IN.includes(prototype);
  return Object.values(value).some((each) => typeof each === "function");
}

const BUILT_IN: readonly unknown[] = [Date, RegExp, Map, Set, Error, Uint8Array, Promise].map(
  (each): unknown => each.prototype,
);

async function load(): Promise<FastCheck | undefined> {
  if (process.env["CUPEL_PROPERTIES"] !== "1") return undefined;
  // Not a literal, or the module's bundler would complain where it is not installed.
  const name = "fast-check";
  try {
    return await import(/* @vite-ignore */ name);
  } catch {
    return undefined;
  }
}

interface Watched {
  property: Property;
  first: Run["first"];
  /** After its first failure a property is run again to find a smaller counterexample, which is no further trying. */
  failed: boolean;
}

function watch(fc: FastCheck, prototype: unknown, seen: Seen): void {
  if (typeof prototype !== "object" || prototype === null) return;
  const run: unknown = Reflect.get(prototype, "run");
  if (typeof run !== "function") return;
  const known = new WeakMap<object, Watched>();
  const watchedOf = (self: object): Watched => {
    const found = known.get(self) ?? newlyWatched();
    known.set(self, found);
    return found;
  };
  const count = (watched: Watched, { reached }: Run, input: unknown, result: unknown) => {
    const { property } = watched;
    if (watched.failed) return;
    if (fc.PreconditionFailure.isFailure(result)) {
      property.discarded += 1;
      return;
    }
    property.runs += 1;
    if (reached) property.reaching += 1;
    if (property.inputs.size < MOST_INPUTS) property.inputs.add(digest(fc.stringify(input)));
    if (result !== null && result !== undefined) watched.failed = true;
  };
  Reflect.set(prototype, "run", function (this: object, ...values: unknown[]): unknown {
    const watched = watchedOf(this);
    const { property, first } = watched;
    seen(property);
    const own: Run = { property, reached: false, first };
    const result = apply(runIn, current, [own, (): unknown => Reflect.apply(run, this, values)]);
    if (!(result instanceof Promise)) {
      count(watched, own, values[0], result);
      return result;
    }
    return result.then((settled: unknown) => {
      count(watched, own, values[0], settled);
      return settled;
    });
  });
}

function newlyWatched(): Watched {
  const property = { runs: 0, discarded: 0, inputs: new Set<string>(), reaching: 0, varied: false };
  return { property, first: {}, failed: false };
}

function digest(text: string): string {
  return text.length < 40 ? text : createHash("sha1").update(text).digest("base64");
}
