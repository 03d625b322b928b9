// What a contract lost while amendments were applied to it, although no amendment speaks of it: nobody looks at the contract
// again before it is locked, so whatever was debated and not amended must still be there.
import { effectName, targetText } from "../contract/contract-links.ts";
import type { MicroModuleContract } from "../contract/contract.ts";
import { squeeze } from "../contract/fingerprint.ts";
import type { Amendment } from "./debate-records.ts";

/** Something that callers rely on. */
interface Promised {
  /** Names it for people; the same words mean the same promise. */
  words: string;
  /** An amendment of any of these, or of a part of them, may change it. */
  at: readonly string[];
}

/** In words; nothing where every change was asked for. */
export function beyondAmendments(
  amendments: readonly Pick<Amendment, "target">[],
  before: MicroModuleContract,
  after: MicroModuleContract,
): string[] {
  const targets = amendments.flatMap(({ target }) => [placeOf(target, before), placeOf(target, after)]);
  const isAsked = ({ at }: Promised) => at.some((place) => targets.some((target) => meets(place, target)));
  return [
    ...missing(promisesOf(before), promisesOf(after), isAsked).map((words) => `${words} is gone`),
    // An effect is leave to do something, so there a gain is what must be asked for.
    ...missing(effectsOf(after), effectsOf(before), isAsked).map((words) => `${words} is new`),
  ];
}

function missing(
  from: readonly Promised[],
  others: readonly Promised[],
  isAsked: (promised: Promised) => boolean,
): string[] {
  const there = new Set(others.map(({ words }) => words));
  return from.filter((each) => !there.has(each.words) && !isAsked(each)).map(({ words }) => words);
}

/** One is the other or a part of it. */
function meets(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

const LISTS = ["inputs", "outputs", "error_surfaces", "entry_points"] as const;

/** The path of what an amendment names: `title` and `inputs.title` are `inputs.0`. */
function placeOf(target: string, contract: MicroModuleContract): string {
  for (const list of LISTS)
    for (const [index, { name }] of contract[list].entries())
      for (const called of [name, `${list}.${name}`])
        if (target === called || target.startsWith(`${called}.`))
          return `${list}.${index}${target.slice(called.length)}`;
  return target;
}

function promisesOf(contract: MicroModuleContract): Promised[] {
  const { inputs, outputs, error_surfaces, entry_points, predicates, runtime_budgets } = contract;
  const { complexity_constraints: complexity = {} } = contract;
  const limits = { ...runtime_budgets, ...complexity };
  return [
    ...inputs.flatMap(({ name, constraints }, index) => [
      { words: `the input ${name}`, at: around(contract, "inputs", index) },
      ...constraints.map((text) => ({
        words: `"${text}" of the input ${name}`,
        at: around(contract, "inputs", index),
      })),
    ]),
    ...outputs.flatMap(({ name, invariants }, index) => [
      { words: `the output ${name}`, at: around(contract, "outputs", index) },
      ...invariants.map((text) => ({
        words: `"${text}" of the output ${name}`,
        at: around(contract, "outputs", index),
      })),
    ]),
    ...error_surfaces.map(({ name, when }, index) => ({
      words: `the error ${name} when ${when}`,
      at: around(contract, "error_surfaces", index),
    })),
    ...entry_points.map(({ name }, index) => ({
      words: `the entry point ${name}`,
      at: [`entry_points.${index}`],
    })),
    ...predicates.map(({ of, entry, kind, expr }, index) => ({
      words: `what decides "${targetText(contract, of) ?? of}" of ${entry} (${kind} ${squeeze(expr)})`,
      at: [
        `predicates.${index}`,
        of,
        ...aroundPath(contract, of),
        ...placesOf(contract, "entry_points", [entry]),
      ],
    })),
    ...Object.entries(limits).map(([name, limit]) => ({
      words: `${name} ${String(limit)}`,
      at: ["runtime_budgets", "complexity_constraints"],
    })),
  ];
}

function effectsOf({ effects }: MicroModuleContract): Promised[] {
  return effects.map((effect) => ({ words: `the effect ${effectName(effect)}`, at: ["effects"] }));
}

type Valued = "inputs" | "outputs" | "error_surfaces";

function aroundPath(contract: MicroModuleContract, path: string): string[] {
  const [list = "", index = ""] = path.split(".");
  const valued = (["inputs", "outputs", "error_surfaces"] as const).find((each) => each === list);
  return valued === undefined ? [] : around(contract, valued, Number(index));
}

/** Itself, the entry points that have it, and, since each is where the other ends, the errors of its inputs and back. */
function around(contract: MicroModuleContract, list: Valued, index: number): string[] {
  const name = contract[list][index]?.name ?? "";
  const having = contract.entry_points.filter((entry) =>
    (list === "error_surfaces" ? entry.errors : entry[list]).includes(name),
  );
  const entries = placesOf(
    contract,
    "entry_points",
    having.map((entry) => entry.name),
  );
  if (list === "outputs") return [`outputs.${index}`, ...entries];
  const facing =
    list === "inputs"
      ? placesOf(
          contract,
          "error_surfaces",
          having.flatMap(({ errors }) => errors),
        )
      : placesOf(
          contract,
          "inputs",
          having.flatMap(({ inputs }) => inputs),
        );
  return [`${list}.${index}`, ...entries, ...facing];
}

function placesOf(
  contract: MicroModuleContract,
  list: (typeof LISTS)[number],
  names: readonly string[],
): string[] {
  return contract[list].flatMap(({ name }, index) => (names.includes(name) ? [`${list}.${index}`] : []));
}
