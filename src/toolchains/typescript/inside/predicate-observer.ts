// Weighs the predicates of one entry point call by call: requirements before, promises and errors afterwards.
import type { WatchedPredicate, WatchPlan } from "../watch/predicate-plan.ts";
import type { Outcome } from "./call-watch.ts";
import type { Noticed } from "./contacts.ts";
import { namesOf } from "./error-names.ts";
import { type Call, type Judge, messageOf, type Settled } from "./predicate-judge.ts";
import { snapshot } from "./snapshot.ts";
import type { Observer } from "./watch-entries.ts";

export function observerOf(
  entry: string,
  plan: Pick<WatchPlan, "errors" | "stubMark">,
  judges: readonly Judge[],
  noticed: Noticed = unnoticed,
): Observer {
  const own = judges.filter((judge) => judge.predicate.entry === entry);
  const ofKind = (kind: WatchedPredicate["kind"], among = own) =>
    among.filter((judge) => judge.predicate.kind === kind);
  const [requires, ensures, throws] = [ofKind("requires"), ofKind("ensures"), ofKind("throws")];
  const recognisers = throws.length > 0 ? throws : ofKind("throws", [...judges]);
  const declared = plan.errors[entry] ?? [];
  return (given) => {
    const told = noticed(entry, given);
    if (own.length === 0) return (outcome) => told(resultOf(outcome), 0);
    const args = snapshot(given);
    const call: Call = { entry, args };
    const violated: Judge[] = [];
    each(requires, (judge) => {
      if (judge.requirement(call) === "violated") violated[violated.length] = judge;
    });
    return (outcome) => {
      const before = upheldBy(own);
      const full = { ...call, ...outcome };
      if (outcome.kind === "returned") each(ensures, (judge) => judge.ensure(full));
      each(throws, (judge) => judge.recognise(full));
      if (violated.length > 0) {
        const verdict = isDeclared(full, recognisers, declared, plan.stubMark);
        each(violated, (judge) => judge.afterViolation(full, verdict));
      }
      told(resultOf(outcome), upheldBy(own) - before);
    };
  };
}

const unnoticed: Noticed = () => () => undefined;

function resultOf(outcome: Outcome): unknown {
  return outcome.kind === "returned" ? outcome.result : undefined;
}

function upheldBy(judges: readonly Judge[]): number {
  let sum = 0;
  each(judges, ({ seen }) => {
    sum += seen.upheld;
  });
  return sum;
}

/** Without iterators, which the watched code could replace. */
function each(judges: readonly Judge[], visit: (judge: Judge) => void): void {
  for (let at = 0; at < judges.length; at++) {
    const judge = judges[at];
    if (judge !== undefined) visit(judge);
  }
}

/**
 * Whether a call ended in an error that the contract declares. Where nothing says how those look, any error counts
 * that is not one of those the engine itself throws when code stumbles.
 */
function isDeclared(
  call: Settled,
  recognisers: readonly Judge[],
  names: readonly string[],
  stubMark: string,
): boolean {
  if (call.kind === "threw" && messageOf(call.error).startsWith(stubMark)) return false;
  if (recognisers.some((judge) => judge.holds(call))) return true;
  if (names.some((name) => namesOf(call).includes(name))) return true;
  if (recognisers.length > 0 || names.length > 0 || call.kind !== "threw") return false;
  const { error } = call;
  const isStumble =
    error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError;
  return error instanceof Error && !isStumble && !/call stack/i.test(messageOf(error));
}
