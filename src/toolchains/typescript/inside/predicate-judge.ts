// Weighs one predicate call by call, and keeps the first call that speaks against it.
import { inspect, types } from "node:util";
import { compileFunction } from "node:vm";
import type { Watched, WatchedPredicate } from "../watch/predicate-plan.ts";
import type { Outcome } from "./call-watch.ts";
import { FOREIGN_ERRORS, otherResults } from "./other-ends.ts";

export interface Call {
  entry: string;
  args: readonly unknown[];
}

export type Settled = Call & Outcome;

/** Counts for one predicate. */
export class Judge {
  readonly predicate: WatchedPredicate;
  readonly seen: Watched;
  readonly #compiled: (args: unknown, result: unknown, error: unknown) => unknown;

  constructor(predicate: WatchedPredicate) {
    this.predicate = predicate;
    this.seen = { predicate: predicate.id, evaluated: 0, upheld: 0, broken: 0 };
    this.#compiled = compiled(predicate.expr);
  }

  requirement(call: Call): "satisfied" | "violated" | "unclear" {
    this.seen.evaluated += 1;
    const value = this.#value(call.args, undefined, undefined);
    if (typeof value === "boolean") return value ? "satisfied" : "violated";
    this.#break(call, value.why);
    return "unclear";
  }

  afterViolation(call: Settled, declared: boolean): void {
    if (declared) this.seen.upheld += 1;
    else this.#break(call, "the call breaks this requirement and got no declared error");
  }

  ensure(call: Settled): void {
    this.seen.evaluated += 1;
    const value = this.#valueOf(call);
    if (value !== true) this.#break(call, value === false ? "is not true" : value.why);
    else if (this.#couldFail(call)) this.seen.upheld += 1;
  }

  recognise(call: Settled): void {
    if (!this.#canTell(call)) return;
    this.seen.evaluated += 1;
    const value = this.#valueOf(call);
    if (value === true) this.seen.upheld += this.#couldFail(call) ? 1 : 0;
    else if (value !== false) this.#break(call, value.why);
  }

  holds(call: Settled): boolean {
    return this.#canTell(call) && this.#valueOf(call) === true && this.#couldFail(call);
  }

  /** `error.name` on a call that returned would only stumble. */
  #canTell(call: Settled): boolean {
    const { result, error } = this.predicate.about;
    if (call.kind === "threw") return error || !result;
    return result;
  }

  #valueOf(call: Settled): boolean | { why: string } {
    const [result, error] = call.kind === "threw" ? [undefined, call.error] : [call.result, undefined];
    return this.#value(call.args, result, error);
  }

  /** What would be true however the call had ended was not put to the test by it. */
  #couldFail(call: Settled): boolean {
    const { args } = call;
    if (call.kind === "threw")
      return FOREIGN_ERRORS.some((error) => this.#value(args, undefined, error) !== true);
    const others = otherResults(call.result, args, this.predicate);
    return others.some((other) => this.#value(args, other, undefined) !== true);
  }

  #value(args: unknown, result: unknown, error: unknown): boolean | { why: string } {
    try {
      const value = this.#compiled(args, result, error);
      return typeof value === "boolean" ? value : { why: `gives ${shown(value)}, neither true nor false` };
    } catch (problem) {
      return { why: `cannot be evaluated: ${messageOf(problem)}` };
    }
  }

  #break(call: Call | Settled, why: string): void {
    this.seen.broken += 1;
    if (this.seen.counterexample !== undefined) return;
    const args = call.args.map(shown).join(", ");
    this.seen.counterexample = `${call.entry}(${args})${endOf(call)}: ${this.predicate.expr} ${why}`.slice(
      0,
      2_000,
    );
  }
}

function compiled(expr: string): (...values: unknown[]) => unknown {
  try {
    // The harness has checked that it is one expression over these three names and pure functions.
    const run = compileFunction(`"use strict"; return (${expr}\n);`, ["args", "result", "error"]);
    return (...values): unknown => Reflect.apply(run, undefined, values);
  } catch (problem) {
    return () => {
      throw problem;
    };
  }
}

function endOf(call: Call | Settled): string {
  if (!("kind" in call)) return "";
  return call.kind === "threw" ? ` threw ${shownError(call.error)}` : ` gave ${shown(call.result)}`;
}

function shownError(error: unknown): string {
  return types.isNativeError(error) ? `${error.name}: ${error.message}`.slice(0, 300) : shown(error);
}

function shown(value: unknown): string {
  try {
    const text = inspect(value, {
      depth: 2,
      maxArrayLength: 20,
      maxStringLength: 100,
      breakLength: Infinity,
      customInspect: false,
    });
    return text.length > 300 ? `${text.slice(0, 300)}…` : text;
  } catch {
    return "a value that cannot be shown";
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
