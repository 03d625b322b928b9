// Runs a module alone, without its tests: what the tests saw must be seen there as well, and the promises of the contract
// hold for inputs that no test gave.
import { randomBytes } from "node:crypto";
import ts from "typescript6";
import { z } from "zod";
import type { MicroModuleContract, Predicate } from "../../../domain/contract/contract.ts";
import type { AloneReport, Files, Site } from "../../port.ts";
import { inputShapes } from "../input-shapes.ts";
import { insideScript } from "../inside-script.ts";
import { sourcesOf } from "../module-files.ts";
import { type Builds, oneScript } from "../one-script.ts";
import { STUB_MARK } from "../stub-mark.ts";
import { watchedPredicates } from "../watch/watch-predicates.ts";
import { type AloneAnswer, type AloneOrder, RecordedCall } from "./alone-order.ts";
import { reportFrom } from "./alone-report.ts";
import { mayRemember } from "../mutation/equivalence-state.ts";
import { withMutableResults } from "./mutable-results.ts";
import { neighboursOf } from "./neighbours.ts";

export interface AloneOptions {
  /** What the tests called, one list for each time that the module was loaded. */
  calls: readonly unknown[];
  /** Those of the contract, and others that ride along. */
  predicates: readonly Predicate[];
  signal?: AbortSignal;
}

/** For one entry point, and for all of them; however many there are, each gets some. */
const FRESH = 300;
const FRESH_TOGETHER = 1_200;
const FRESH_LEAST = 60;
const CALL_MS = 1_000;
const TOTAL_MS = 1_000;
const RUN_MS = 60_000;
/** Another place than that of the tests: results that nobody asked for by a date must be the same there. */
const ELSEWHERE = { TZ: "Pacific/Chatham", LC_ALL: "de_DE.UTF-8" };
const MOST_LOADS = 40;
/** A module that blocks the process once will do so again. */
const MOST_DEATHS = 1;

export async function alone(
  site: Site,
  contract: MicroModuleContract,
  { calls: told, predicates, signal }: AloneOptions,
  builds?: Builds,
): Promise<AloneReport> {
  const calls = z.array(z.array(RecordedCall)).parse(told.slice(0, MOST_LOADS));
  const sources = sourcesOf(site);
  const together = Math.floor(FRESH_TOGETHER / Math.max(1, contract.entry_points.length));
  const wanted = Math.min(FRESH, Math.max(FRESH_LEAST, together));
  const near = contract.entry_points.map((entry) => {
    const given = calls.flat().filter((call) => call.entry === entry.name && isReturned(call));
    if (given.length === 0) return [];
    const shapes = inputShapes(entry, contract, sources);
    const known = shapes.kind === "shapes" ? shapes.shapes : undefined;
    const inputs = neighboursOf(
      given.map(({ args }) => args),
      known,
      wanted,
    );
    return inputs.map((args) => ({ entry: entry.name, args }));
  });
  // In turns, so that none is left out where the time is short.
  const fresh = Array.from({ length: wanted }, (_, at) =>
    near.flatMap((each) => each.slice(at, at + 1)),
  ).flat();
  if (calls.every((load) => load.length === 0)) return { kind: "nothing", why: "no call can be made again" };
  const script = await oneScript(site.layout.entry, sources, builds);
  if (script.kind === "impossible") return { kind: "nothing", why: script.why };
  const plan = {
    predicates: watchedPredicates(predicates),
    errors: Object.fromEntries(contract.entry_points.map(({ name, errors }) => [name, errors])),
    stubMark: STUB_MARK,
  };
  const order: Omit<AloneOrder, "nonce"> = {
    code: script.code,
    plan,
    again: contract.effects.length === 0 ? repeatable(calls, sources) : [],
    fresh,
    mutable: withMutableResults(contract.entry_points),
    limitMs: CALL_MS,
    totalMs: TOTAL_MS,
  };
  // What a date means depends on where it is read, and whoever is handed one may do so.
  const place = JSON.stringify(calls).includes('"kind":"date"') ? {} : ELSEWHERE;
  const answers = await answersOf((command) => site.run({ ...command, env: place }), order, signal);
  if (answers.length === 0) return { kind: "dead" };
  return reportFrom(order, answers, { contract, predicates });
}

/** A module that may remember something does the same only when all that came before is the same. */
function repeatable(calls: readonly RecordedCall[][], sources: Files): readonly RecordedCall[][] {
  const trees = Object.entries(sources).map(([path, text]) =>
    ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  );
  return mayRemember(trees) ? calls.map((load) => load.filter(({ isWhole }) => isWhole)) : calls;
}

function isReturned({ outcome }: RecordedCall): boolean {
  return outcome?.startsWith("returned ") === true;
}

/** Goes on behind a call that blocked or ended the process. */
async function answersOf(
  run: Site["run"],
  order: Omit<AloneOrder, "nonce">,
  signal: AbortSignal | undefined,
): Promise<AloneAnswer[]> {
  const answers: AloneAnswer[] = [];
  let { again } = order;
  for (let from = 0, deaths = 0; deaths <= MOST_DEATHS; deaths++) {
    const fresh = order.fresh.slice(from);
    const some = await ask(run, { ...order, again, fresh }, signal);
    answers.push(...some.map((each) => (each.kind === "fresh" ? { ...each, at: each.at + from } : each)));
    if (some.some(({ kind }) => kind === "over")) break;
    // What was done before it need not be done again.
    again = [];
    from += some.filter(({ kind }) => kind === "fresh").length + (some.length === 0 ? 0 : 1);
  }
  return answers;
}

async function ask(
  run: Site["run"],
  order: Omit<AloneOrder, "nonce">,
  signal: AbortSignal | undefined,
): Promise<AloneAnswer[]> {
  const nonce = randomBytes(16).toString("hex");
  const result = await run({
    command: process.execPath,
    args: ["--max-old-space-size=1024", "--input-type=module", "-e", await insideScript("alone")],
    stdin: JSON.stringify({ ...order, nonce }),
    timeoutMs: RUN_MS,
    ...(signal === undefined ? {} : { signal }),
  });
  return result.stdout
    .split("\n")
    .filter((line) => line.startsWith(`${nonce} `))
    .flatMap((line): AloneAnswer[] => {
      try {
        return [JSON.parse(line.slice(nonce.length + 1))];
      } catch {
        // Cut off by the end of the process.
        return [];
      }
    });
}
