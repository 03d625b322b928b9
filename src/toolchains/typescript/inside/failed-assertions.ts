// Hears of every assertion that fails, also of those whose failure is caught or waited for by nobody: a test that passes all the
// same has asked for something that does not hold.
import { AsyncLocalStorage } from "node:async_hooks";

type Method = (this: object, ...given: unknown[]) => unknown;

const { apply, get, set } = Reflect;

/** Where an assertion may fail and is made again. */
const trying = new AsyncLocalStorage<true>();
const runIn: (store: true, work: () => unknown) => unknown = get(AsyncLocalStorage.prototype, "run");
const storeOf: () => true | undefined = get(AsyncLocalStorage.prototype, "getStore");

/** Called once, before any foreign code is loaded. */
export function watchFailures(vitest: object, failed: (message: string) => void): void {
  const chai = fieldOf(vitest, "chai");
  const prototype = fieldOf(fieldOf(chai, "Assertion"), "prototype");
  const judge = fieldOf(prototype, "assert");
  const flagOf = fieldOf(fieldOf(chai, "util"), "flag");
  if (!isObject(prototype) || !isMethod(judge) || !isMethod(flagOf)) return;
  const isMarked = (assertion: object, flag: string) =>
    apply(flagOf, undefined, [assertion, flag]) !== undefined;
  set(prototype, "assert", function (this: object, ...given: unknown[]): unknown {
    try {
      return apply(judge, this, given);
    } catch (error) {
      const isTried = POLLED.some((flag) => isMarked(this, flag)) || apply(storeOf, trying, []) === true;
      if (!isTried) failed(messageOf(error));
      throw error;
    }
  });
  const vi = fieldOf(vitest, "vi");
  const waitFor = fieldOf(vi, "waitFor");
  if (!isObject(vi) || !isMethod(waitFor)) return;
  set(vi, "waitFor", async (...given: unknown[]): Promise<unknown> => {
    try {
      return await apply(runIn, trying, [true, () => apply(waitFor, vi, given)]);
    } catch (error) {
      failed(messageOf(error));
      throw error;
    }
  });
}

/** By `expect.poll`, which was marked otherwise before vitest 4.1. */
const POLLED = ["_poll.fn", "poll"];
const LONGEST = 300;

function messageOf(error: unknown): string {
  const message = fieldOf(error, "message");
  return typeof message === "string" ? message.slice(0, LONGEST) : "an assertion failed";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isMethod(value: unknown): value is Method {
  return typeof value === "function";
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) || typeof value === "function" ? get(value, name) : undefined;
}
