// Runs inside a site: plays episodes on a module that is loaded anew for each of them, and tells how every call ended. It
// knows nothing of the implementation that this one is compared with.
//
// What is to be done comes on stdin with a nonce, before any code of the module is loaded; lines that begin with the nonce
// are answers, one for each episode in turn.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
import { CALLERS_VIEW, nameOf } from "./callers-view.ts";
import { type Episode, type EpisodeOrder, received, type Sent } from "../differ/episode.ts";
import { answersBehind } from "./answer-lines.ts";
import { outcomeOf } from "./inner-differential-outcome.ts";
import { startWatchdog } from "./inner-watchdog.ts";
import { Opaque, picture } from "./picture.ts";

/** Taken before the module is loaded, which could put others in their place. */
const end = process.exit.bind(process);

const order: EpisodeOrder = JSON.parse(readFileSync(0, "utf8"));
const say = answersBehind(order.nonce);
const run = compileFunction(order.code, ["require", "module", "exports"]);
const find = createRequire(`${process.cwd()}/`);
const watchdog = startWatchdog();
// Errors that nobody caught belong to no call that could be compared.
process.on("uncaughtException", () => undefined);
process.on("unhandledRejection", () => undefined);

for (const episode of order.episodes) {
  watchdog.watch(order.limitMs);
  const text = await played(episode);
  watchdog.rest();
  say(text);
}
end(0);

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
    told.push(found === undefined ? `there is no ${name}` : `${name} is ${picture(found, CALLERS_VIEW)}`);
    return;
  }
  const args = sent.map(received);
  const before = shown(args);
  const outcome = await outcomeOf(() => Reflect.apply(found, target, args), CALLERS_VIEW);
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
    CALLERS_VIEW,
  );
}
