// Watches calls of a module's entry points in the worker and weighs each predicate; the calls themselves go on unchanged.
import {
  PREDICATES_KEY,
  WATCH_ENTRIES,
  type WatchedPredicate,
  type WatchPlan,
  WRAPPER,
} from "../watch/predicate-plan.ts";
import { isCalledFrom } from "./caller.ts";
import { namesOf } from "./error-names.ts";
import { type Call, Judge, messageOf, type Settled } from "./predicate-judge.ts";
import { snapshot } from "./snapshot.ts";
import { type Namespace, type Observer, watchedExports } from "./watch-entries.ts";

/** Put before this program by the harness. */
declare const CUPEL_WATCH: { plan: WatchPlan };

export const name = PREDICATES_KEY;

/** Started by the runner in the worker, before any foreign code; the wrapper of the entry finds it by its symbol. */
export function start(report: (value: unknown) => void): void {
  const { plan } = CUPEL_WATCH;
  const wrapper = new URL(WRAPPER, import.meta.url).pathname;
  const watch = (real: Namespace): Record<string, unknown> => {
    if (isCalledFrom(wrapper)) return watchEntries(real, plan, report);
    // Said once, this takes the worth from everything that was seen.
    report({ tampered: true });
    return {};
  };
  Object.defineProperty(globalThis, Symbol.for(WATCH_ENTRIES), { value: watch });
}

function watchEntries(
  real: Namespace,
  plan: WatchPlan,
  report: (value: unknown) => void,
): Record<string, unknown> {
  const judges = plan.predicates.map((predicate) => new Judge(predicate));
  report(() => {
    const seen: unknown[] = [];
    for (let at = 0; at < judges.length; at++) seen[at] = judges[at]?.seen;
    return { seen };
  });
  const entries = plan.predicates.map((predicate) => predicate.entry);
  return watchedExports(real, entries, (entry) => observerOf(entry, plan, judges));
}

function observerOf(entry: string, plan: WatchPlan, judges: readonly Judge[]): Observer {
  const own = judges.filter((judge) => judge.predicate.entry === entry);
  const ofKind = (kind: WatchedPredicate["kind"], among = own) =>
    among.filter((judge) => judge.predicate.kind === kind);
  const [requires, ensures, throws] = [ofKind("requires"), ofKind("ensures"), ofKind("throws")];
  const recognisers = throws.length > 0 ? throws : ofKind("throws", [...judges]);
  const declared = plan.errors[entry] ?? [];
  return (given) => {
    const args = snapshot(given);
    const call: Call = { entry, args };
    const violated: Judge[] = [];
    each(requires, (judge) => {
      if (judge.requirement(call) === "violated") violated[violated.length] = judge;
    });
    return (outcome) => {
      const full = { ...call, ...outcome };
      if (outcome.kind === "returned") each(ensures, (judge) => judge.ensure(full));
      each(throws, (judge) => judge.recognise(full));
      if (violated.length === 0) return;
      const verdict = isDeclared(full, recognisers, declared, plan.stubMark);
      each(violated, (judge) => judge.afterViolation(full, verdict));
    };
  };
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
