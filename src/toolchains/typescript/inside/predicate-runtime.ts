// Watches calls of a module's entry points in the worker and weighs each predicate; the calls themselves go on unchanged.
import {
  PREDICATES_KEY,
  WATCH_ENTRIES,
  WATCHED_KEY,
  type WatchPlan,
  WRAPPER,
} from "../watch/predicate-plan.ts";
import { CallRecord } from "./call-record.ts";
import { isCalledFrom } from "./caller.ts";
import type { Noticed } from "./contacts.ts";
import { Judge } from "./predicate-judge.ts";
import { observerOf } from "./predicate-observer.ts";
import { type Namespace, type Observer, watchedExports } from "./watch-entries.ts";

/** Put before this program by the harness. */
declare const CUPEL_WATCH: { plan: WatchPlan };

export const name = PREDICATES_KEY;

/** Started by the runner in the worker, before any foreign code; the wrapper of the entry finds it by its symbol. */
export function start(report: (value: unknown) => void, noticed: Noticed): void {
  const { plan } = CUPEL_WATCH;
  const wrapper = new URL(WRAPPER, import.meta.url).pathname;
  const watch = (real: Namespace): Record<string, unknown> => {
    if (isCalledFrom(wrapper)) return watchEntries(real, plan, report, noticed);
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
  noticed: Noticed,
): Record<string, unknown> {
  const record = new CallRecord();
  const judges = plan.predicates.map((predicate) => new Judge(predicate));
  const functions = plan.recorded.filter((each) => isFunction(real[each]));
  const { exports, watched } = watchedExports(real, [...plan.entries, ...functions], (entry) => {
    const observer = observerOf(entry, plan, judges, noticed);
    return functions.includes(entry) ? recording(entry, record, observer) : observer;
  });
  report(() => {
    const seen: unknown[] = [];
    for (let at = 0; at < judges.length; at++) seen[at] = judges[at]?.seen;
    return { seen, calls: record.calls, [WATCHED_KEY]: watched };
  });
  return exports;
}

function recording(entry: string, record: CallRecord, observer: Observer): Observer {
  return (args) => {
    const note = record.begin(entry, args);
    const settle = observer(args);
    return (outcome) => {
      note(outcome);
      settle(outcome);
    };
  };
}

/** What an instance does cannot be told from the call that makes it. */
function isFunction(value: unknown): boolean {
  return typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value));
}
