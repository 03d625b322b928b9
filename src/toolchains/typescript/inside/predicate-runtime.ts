// Watches calls of a module's entry points in the worker and weighs each predicate; the calls themselves go on unchanged.
import {
  PREDICATES_KEY,
  WATCH_ENTRIES,
  type WatchedPredicate,
  type WatchPlan,
  WRAPPER,
} from "../watch/predicate-plan.ts";
import { wrapped } from "./call-watch.ts";
import { isCalledFrom } from "./caller.ts";
import { type Call, Judge, messageOf, type Settled } from "./predicate-judge.ts";
import { snapshot } from "./snapshot.ts";

/** Put before this program by the harness. */
declare const CUPEL_WATCH: { plan: WatchPlan };

export const name = PREDICATES_KEY;

type Namespace = Readonly<Record<string, unknown>>;

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

/** What the wrapper module exports instead of the real things, by name; classes and objects are watched in place. */
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
  const exported: Record<string, unknown> = {};
  for (const entry of new Set(plan.predicates.map((predicate) => predicate.entry))) {
    const [root = "", member] = entry.split(".");
    const observer = observerOf(entry, plan, judges);
    exported[root] ??= real[root];
    if (member === undefined || member === "constructor")
      exported[root] = wrapExport(exported[root], observer);
    else watchMember(exported[root], member, observer);
  }
  return exported;
}

type Observer = Parameters<typeof wrapped>[1];

function wrapExport(value: unknown, observer: Observer): unknown {
  if (typeof value !== "function") return value;
  const watched = wrapped(value, observer);
  // So that `instance.constructor` is what tests import.
  const { prototype } = value;
  if (typeof prototype === "object" && prototype !== null && Object.hasOwn(prototype, "constructor"))
    redefine(prototype, "constructor", watched);
  return watched;
}

/** In place, so that the class stays the one that the module itself uses. */
function watchMember(owner: unknown, member: string, observer: Observer): void {
  if ((typeof owner !== "function" && typeof owner !== "object") || owner === null) return;
  const prototype: unknown = Reflect.get(owner, "prototype");
  const holder =
    typeof prototype === "object" && prototype !== null && member in prototype ? prototype : owner;
  const descriptor = descriptorOf(holder, member);
  if (typeof descriptor?.value === "function")
    redefine(holder, member, wrapped(descriptor.value, observer), descriptor.enumerable);
}

function descriptorOf(holder: object, member: string): PropertyDescriptor | undefined {
  for (let at: object | null = holder; at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is frozen stays unwatched, and so unproven. */
function redefine(holder: object, member: string, value: unknown, enumerable = false): void {
  Reflect.defineProperty(holder, member, { value, enumerable, configurable: true, writable: true });
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

/** By what an error or an error value can be told. */
function namesOf(call: Settled): unknown[] {
  const value = call.kind === "threw" ? call.error : call.result;
  if (typeof value !== "object" || value === null) return [value];
  const names = ["name", "code", "kind", "type", "error"].map((key): unknown => Reflect.get(value, key));
  for (let at: unknown = value; typeof at === "object" && at !== null; at = Object.getPrototypeOf(at))
    names.push(Reflect.get(at, "constructor")?.name);
  return names;
}
