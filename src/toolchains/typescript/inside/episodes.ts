// Runs inside a site: plays episodes on a module that is loaded anew for each of them, and tells how every call ended. It
// knows nothing of the implementation that this one is compared with.
//
// What is to be done comes on stdin with a nonce, before any code of the module is loaded; lines that begin with the nonce
// are answers, one for each episode in turn.
import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
import { type Episode, type EpisodeOrder, received, type Sent } from "../differ/episode.ts";
import { outcomeOf } from "./inner-differential-outcome.ts";
import { startWatchdog } from "./inner-watchdog.ts";
import { type Known, Opaque, picture } from "./picture.ts";

/** Taken before the module is loaded, which could put others in their place. */
const put = writeSync;
const { stringify } = JSON;
const end = process.exit.bind(process);

const order: EpisodeOrder = JSON.parse(readFileSync(0, "utf8"));
const run = compileFunction(order.code, ["require", "module", "exports"]);
const find = createRequire(`${process.cwd()}/`);
const watchdog = startWatchdog();
// Errors that nobody caught belong to no call that could be compared.
process.on("uncaughtException", () => undefined);
process.on("unhandledRejection", () => undefined);

/** Two implementations may word an error and lay out a class as they like; callers know both by name. */
const KNOWN: Known = {
  own: [],
  classNameOf: () => undefined,
  isSorted: true,
  instead: (value) => {
    if (typeof value === "function") return "<function>";
    if (value instanceof Error) return `<${nameOf(value)}>`;
    if (isBuiltIn(value)) return undefined;
    return `<${classOf(value)}>`;
  },
};

const BUILT_IN: readonly unknown[] = [Date, RegExp, Map, Set].map((each) => each.prototype);

for (const episode of order.episodes) {
  watchdog.watch(order.limitMs);
  const text = await played(episode);
  watchdog.rest();
  say(text);
}
end(0);

function say(text: string | null): void {
  const bytes = Buffer.from(`\n${order.nonce} ${stringify(text)}\n`);
  for (let at = 0; at < bytes.length;) {
    try {
      at += put(1, bytes, at);
    } catch (error) {
      // Whoever reads is slower.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
}

/** Null where something came of it that cannot be compared. */
async function played(episode: Episode): Promise<string | null> {
  const told: string[] = [];
  try {
    const loaded: unknown = loadedAnew();
    const places = episode.owner === undefined ? [loaded] : ownersIn(loaded, episode.owner, told);
    if (places.length > 0) for (const { name, args } of episode.calls) await call(places, name, args, told);
    return told.join("; ");
  } catch (error) {
    if (error instanceof Opaque) return null;
    return [...told, `threw ${nameOf(error)} while it was loaded`].join("; ");
  }
}

function loadedAnew(): unknown {
  const module: { exports: unknown } = { exports: {} };
  Reflect.apply(run, undefined, [find, module, module.exports]);
  return module.exports;
}

/** An instance and its class, or an object; nothing where it could not be made, which was told then. */
function ownersIn(loaded: unknown, { name, args }: NonNullable<Episode["owner"]>, told: string[]): unknown[] {
  const found = member(loaded, name);
  if (found === undefined) told.push(`there is no ${name}`);
  if (typeof found !== "function") return found === undefined ? [] : [found];
  try {
    const made: unknown = Reflect.construct(found, args.map(received));
    told.push("made");
    return [made, found];
  } catch (error) {
    told.push(`threw ${nameOf(error)}`);
    return [];
  }
}

async function call(
  places: readonly unknown[],
  name: string,
  sent: readonly Sent[],
  told: string[],
): Promise<void> {
  const target = places.find((place) => member(place, name) !== undefined);
  const found = member(target, name);
  if (typeof found !== "function") {
    told.push(found === undefined ? `there is no ${name}` : `${name} is ${picture(found, KNOWN)}`);
    return;
  }
  const args = sent.map(received);
  const before = shown(args);
  const outcome = await outcomeOf(() => Reflect.apply(found, target, args), KNOWN);
  told.push(outcome.text);
  const after = shown(args);
  if (after !== before) told.push(`left its arguments as ${after}`);
}

function member(of: unknown, name: string): unknown {
  return (typeof of === "object" && of !== null) || typeof of === "function"
    ? Reflect.get(of, name)
    : undefined;
}

function shown(args: readonly unknown[]): string {
  return picture(
    args.filter((each) => typeof each !== "function"),
    KNOWN,
  );
}

function isBuiltIn(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return Array.isArray(value) || ArrayBuffer.isView(value) || BUILT_IN.includes(prototype);
}

function classOf(value: object): string {
  const maker: unknown = Reflect.get(value, "constructor");
  // What has no class to be known by could be anything.
  if (typeof maker !== "function" || maker.name === "" || maker === Object) throw new Opaque("no class");
  return maker.name;
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return picture(error, KNOWN);
  return error.constructor.name;
}
