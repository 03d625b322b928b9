// What speaks against a module that ran alone: promises that do not hold for new inputs, ends that are others than in the
// tests, and changes of what is not its own.
import type { MicroModuleContract, Predicate } from "../../../domain/contract/contract.ts";
import { picture } from "../inside/picture.ts";
import { received } from "../differ/episode.ts";
import type { AloneReport } from "../../alone-report.ts";
import type { AloneAnswer, AloneOrder, RecordedCall } from "./alone-order.ts";

type Fresh = AloneAnswer & { kind: "fresh" };

export interface Answers {
  told: readonly AloneAnswer[];
  /** Calls that blocked or ended the process, also such as the tests had made. */
  stuck: readonly { call: Pick<RecordedCall, "entry" | "args">; isAgain: boolean }[];
}

export function reportFrom(
  order: Pick<AloneOrder, "again" | "fresh" | "steady">,
  { told: answers, stuck }: Answers,
  { contract, predicates }: { contract: MicroModuleContract; predicates: readonly Predicate[] },
): AloneReport {
  const fresh = answers.filter((each) => each.kind === "fresh");
  const seen = answers.flatMap((each) => (each.kind === "fresh" || each.kind === "far" ? each.seen : []));
  const ends = answers.filter((each) => each.kind === "over");
  return {
    kind: "ran",
    fresh: fresh.length,
    again: answers.filter(({ kind }) => kind === "again").length,
    predicates: predicates.map(({ id }) => {
      const own = seen.filter(({ predicate }) => predicate === id);
      const sum = (field: "evaluated" | "upheld" | "broken") =>
        own.reduce((total, each) => total + each[field], 0);
      return { predicate: id, evaluated: sum("evaluated"), upheld: sum("upheld"), broken: sum("broken") };
    }),
    counterexamples: seen.flatMap(({ predicate, counterexample: text }) =>
      text === undefined ? [] : [{ predicate, text }],
    ),
    others: othersThanInTests(order, answers),
    stuck: stuckCalls(stuck, ends.length > 0),
    onlyForTests: contract.predicates
      .filter(({ kind, entry }) => kind === "requires" && !needsTheWorld(contract, entry))
      .flatMap(({ entry }) => refusesAllElse(order, fresh, entry)),
    returned: [
      ...new Set(fresh.flatMap(({ at, end }) => (end === "returned" ? [order.fresh[at]?.entry ?? ""] : []))),
    ],
    // Whoever did not come to the end has not looked.
    alive: ends.length > 0 && ends.every(({ alive }) => alive),
    changed: [
      ...ends.flatMap(({ changed }) => changed),
      ...changedArguments(order, fresh),
      ...looseErrors(order, answers),
    ],
  };
}

function othersThanInTests(
  { again }: Pick<AloneOrder, "again">,
  answers: readonly AloneAnswer[],
): { entry: string; args: string; inTests: string; alone: string }[] {
  return answers.flatMap((answer) => {
    if (answer.kind !== "again" || answer.outcome === null) return [];
    const call = again[answer.load]?.[answer.at];
    if (call === undefined || call.outcome === null || call.outcome === answer.outcome) return [];
    return [{ entry: call.entry, args: argsOf(call), inTests: call.outcome, alone: answer.outcome }];
  });
}

/** One call that nobody made before may take long; to block what the tests did, or whatever else comes, is another thing. */
function stuckCalls(stuck: Answers["stuck"], isOver: boolean): string[] {
  const told = isOver ? stuck.filter(({ isAgain }) => isAgain) : stuck;
  return told.map(({ call }) => `${call.entry}(${argsOf(call)})`);
}

/** As many must have been tried before it is told that nothing but what the tests gave is accepted: of few, most. */
const ENOUGH = 200;
const MOST_OF = 2 / 3;
/** Of those that are slow, however many there would have been. */
const ENOUGH_SLOW = 15;

const IN_THE_MODULE = /^(?:CLOCK|RANDOM|MUTATION) /;

/** The files and servers that tests set up are gone by then, and to miss them is no refusal of an input. */
function needsTheWorld({ entry_points }: Pick<MicroModuleContract, "entry_points">, name: string): boolean {
  const entry = entry_points.find((each) => each.name === name);
  return entry?.effects.some((effect) => !IN_THE_MODULE.test(effect)) === true;
}

/** Whoever says what is required and gets it must not refuse all but the inputs of the tests. */
function refusesAllElse(
  { fresh: calls }: Pick<AloneOrder, "fresh">,
  fresh: readonly Fresh[],
  name: string,
): string[] {
  const tried = fresh.filter(({ at }) => calls[at]?.entry === name);
  const own = tried.filter(({ met }) => met);
  const wanted = calls.filter(({ entry }) => entry === name).length;
  const slow = tried.length < wanted ? Math.max(ENOUGH_SLOW, tried.length * MOST_OF) : ENOUGH;
  const enough = Math.min(ENOUGH, wanted * MOST_OF, slow);
  return own.length > 0 && own.length >= enough && own.every(({ end }) => end === "threw") ? [name] : [];
}

/** A module that reaches out may fail out there, which is no fault of what it was asked. */
function looseErrors({ steady }: Pick<AloneOrder, "steady">, answers: readonly AloneAnswer[]): string[] {
  const isLoose = steady.length > 0 && answers.some((each) => each.kind === "done" && each.isLoose);
  return isLoose
    ? ["whether the process goes on: an error goes past its callers, where none can catch it"]
    : [];
}

function changedArguments({ fresh: calls }: Pick<AloneOrder, "fresh">, fresh: readonly Fresh[]): string[] {
  const found = new Map<string, string>();
  for (const { at, left, end } of fresh) {
    const call = calls[at];
    // To change it is all that can be the purpose of what gives nothing back.
    if (left !== undefined && end !== "silent" && call !== undefined && !found.has(call.entry))
      found.set(call.entry, `its arguments: ${call.entry}(${argsOf(call)}) leaves ${left.slice(0, 200)}`);
  }
  return [...found.values()];
}

function argsOf({ args }: Pick<RecordedCall, "args">): string {
  return args
    .map((each) => picture(received(each)).replaceAll(/\bArray (?=\[)/g, ""))
    .join(", ")
    .slice(0, 300);
}
