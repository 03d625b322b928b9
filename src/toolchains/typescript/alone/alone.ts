// Runs a module alone, without its tests: what the tests saw must be seen there as well, and the promises of the contract
// hold for inputs that no test gave.
import { randomBytes } from "node:crypto";
import ts from "typescript6";
import { z } from "zod";
import type { MicroModuleContract, Predicate } from "../../../domain/contract/contract.ts";
import type { AloneReport } from "../../alone-report.ts";
import type { Files, Site } from "../../port.ts";
import type { Sent } from "../differ/episode.ts";
import { inputShapes } from "../input-shapes.ts";
import { insideScript } from "../inside-script.ts";
import { importedBy, sourcesOf } from "../module-files.ts";
import { type Builds, oneScript } from "../one-script.ts";
import { STUB_MARK } from "../stub-mark.ts";
import { watchedPredicates } from "../watch/watch-predicates.ts";
import { literalsOf } from "../mutation/parameter-shapes.ts";
import { type AloneAnswer, type AloneOrder, RecordedCall } from "./alone-order.ts";
import { type Answers, reportFrom } from "./alone-report.ts";
import { mayRemember } from "../mutation/equivalence-state.ts";
import { withMutableResults } from "./mutable-results.ts";
import { confusableCalls, namedCalls, workedOutCalls } from "./named-calls.ts";
import { neighboursOf } from "./neighbours.ts";
import { everyNode } from "../static/syntax.ts";
import { slowApart } from "./slow-apart.ts";

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
/** As far as that on the other side. */
const ACROSS = "America/St_Johns";
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
  const trees = treesOf(sources);
  const literals = literalsOf(treesOf(importedBy(site)));
  const made = contract.entry_points.map((entry) => {
    const given = calls
      .flat()
      .flatMap((call) => (call.entry === entry.name && isReturned(call) ? [call.args] : []));
    if (given.length === 0) return { near: [], far: [] };
    const shapes = inputShapes(entry, contract, sources);
    const known = shapes.kind === "shapes" ? shapes.shapes : undefined;
    const callWith = (args: Sent[]) => ({ entry: entry.name, args });
    const { near, slow } = slowApart(neighboursOf(given, known, wanted));
    return {
      near: near.map(callWith),
      far: [
        ...confusableCalls(given),
        ...namedCalls(given, literals),
        ...workedOutCalls(given, literals),
        ...slow,
      ].map(callWith),
    };
  });
  // In turns, so that none is left out where the time is short.
  const fresh = Array.from({ length: wanted }, (_, at) =>
    made.flatMap(({ near }) => near.slice(at, at + 1)),
  ).flat();
  if (calls.every((load) => load.length === 0)) return { kind: "nothing", why: "no call can be made again" };
  // What a date means depends on where it is read, and whoever is handed one may do so.
  const isAnywhere = !JSON.stringify(calls).includes('"kind":"date"');
  const script = await oneScript(site.layout.entry, importedBy(site), { builds, mayWait: true });
  if (script.kind === "impossible") return script;
  const plan = {
    predicates: watchedPredicates(predicates),
    errors: Object.fromEntries(contract.entry_points.map(({ name, errors }) => [name, errors])),
    stubMark: STUB_MARK,
  };
  const order: Omit<AloneOrder, "nonce"> = {
    code: script.code,
    plan,
    again: contract.effects.length === 0 ? repeatable(calls, trees) : [],
    fresh,
    ...(isAnywhere ? { thenIn: ACROSS } : {}),
    far: made.flatMap(({ far }) => far),
    signatures: contract.entry_points.map(({ signature }) => signature).join("\n"),
    mutable: withMutableResults(contract.entry_points),
    steady: contract.effects.length === 0 ? contract.entry_points.map(({ name }) => name) : [],
    promised: promisedBy(contract),
    members: Object.fromEntries(trees.flatMap(membersOfClasses)),
    limitMs: CALL_MS,
    totalMs: TOTAL_MS,
  };
  const flags = isOwn(contract) ? [NO_CODE_FROM_TEXT] : [];
  const place = isAnywhere ? ELSEWHERE : {};
  const answers = await answersOf(
    ({ args, ...command }) => site.run({ ...command, args: [...flags, ...args], env: place }),
    order,
    signal,
  );
  if (answers.told.length === 0) return { kind: "dead" };
  return reportFrom(order, answers, { contract, predicates });
}

/** Text that becomes code is seen here by whatever name it is made; what other people's packages do is their own business. */
const NO_CODE_FROM_TEXT = "--disallow-code-generation-from-strings";

function isOwn({ packages, dependencies }: MicroModuleContract): boolean {
  return packages.length === 0 && dependencies.length === 0;
}

function treesOf(sources: Files): ts.SourceFile[] {
  return Object.entries(sources).map(([path, text]) =>
    ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  );
}

/** A module that may remember something does the same only when all that came before is the same. */
function repeatable(
  calls: readonly RecordedCall[][],
  trees: readonly ts.SourceFile[],
): readonly RecordedCall[][] {
  return mayRemember(trees) ? calls.map((load) => load.filter(({ isWhole }) => isWhole)) : calls;
}

/** One with members of its own says them in entry points of theirs. */
function promisedBy({ entry_points: entries }: MicroModuleContract): Record<string, string> {
  const alone = entries.filter(({ name }) => !entries.some((each) => each.name.startsWith(`${name}.`)));
  return Object.fromEntries(alone.map(({ name, signature }) => [name, signature]));
}

function membersOfClasses(tree: ts.SourceFile): [name: string, members: string[]][] {
  return [...everyNode(tree)]
    .filter(ts.isClassDeclaration)
    .map(({ name, members }) => [
      name?.text ?? "default",
      members.flatMap((each) =>
        each.name === undefined || ts.isComputedPropertyName(each.name) ? [] : [each.name.text],
      ),
    ]);
}

function isReturned({ outcome }: RecordedCall): boolean {
  return outcome?.startsWith("returned ") === true;
}

/** Goes on behind a call that blocked or ended the process. */
async function answersOf(
  run: Site["run"],
  order: Omit<AloneOrder, "nonce">,
  signal: AbortSignal | undefined,
): Promise<Answers> {
  const told: AloneAnswer[] = [];
  const stuck: Answers["stuck"][number][] = [];
  let { again } = order;
  for (let from = 0, deaths = 0; deaths <= MOST_DEATHS; deaths++) {
    const fresh = order.fresh.slice(from);
    const some = await ask(run, { ...order, again, fresh }, signal);
    // What was cut off says nothing against the module.
    signal?.throwIfAborted();
    told.push(...some.map((each) => (each.kind === "fresh" ? { ...each, at: each.at + from } : each)));
    const last = some.at(-1);
    if (some.some(({ kind }) => kind === "over")) {
      if (last?.kind !== "done") told.push(...(await farOnly(run, order, signal)));
      break;
    }
    const made = some.filter(({ kind }) => kind === "fresh").length;
    const isAgain = again.length > 0 && !some.some(({ kind }) => kind === "again-over");
    const at = some.filter(({ kind }) => kind === "again").length;
    const call = isAgain ? again.flat()[at] : fresh[made];
    if (call !== undefined && some.length > 0) stuck.push({ call, isAgain });
    // All calls came to their end, and the same ones did not when they were made again.
    const worn = call === undefined ? fresh.at(-1) : undefined;
    if (worn !== undefined) stuck.push({ call: worn, isAgain: true });
    // What was done before it need not be done again.
    again = [];
    from += made + (isAgain ? 0 : 1);
  }
  return { told, stuck };
}

/** In a process of its own, where something far out has blocked the one before. */
async function farOnly(
  run: Site["run"],
  order: Omit<AloneOrder, "nonce">,
  signal: AbortSignal | undefined,
): Promise<AloneAnswer[]> {
  if (order.far.length === 0) return [];
  const some = await ask(run, { ...order, again: [], fresh: [], mutable: [], steady: [] }, signal);
  return some.filter(({ kind }) => kind === "far");
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
