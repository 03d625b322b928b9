// The part of `vi` that needs no module loader; every other name is refused when it is used.
import * as spy from "@vitest/spy";
import { asking, moving, useRealTimers } from "./fake-clock.ts";
import { unsupported } from "./unsupported.ts";

const globals = new Map<PropertyKey, PropertyDescriptor | undefined>();
const environment = new Map<string, string | undefined>();

const supported = {
  fn: spy.fn,
  spyOn: spy.spyOn,
  isMockFunction: spy.isMockFunction,
  mocked: (item: unknown) => item,
  clearAllMocks: chained(spy.clearAllMocks),
  resetAllMocks: chained(spy.resetAllMocks),
  restoreAllMocks: chained(spy.restoreAllMocks),
  stubGlobal: chained((name: PropertyKey, value: unknown) => {
    if (!globals.has(name)) globals.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
  }),
  unstubAllGlobals: chained(unstubGlobals),
  stubEnv: chained((name: string, value: string | undefined) => {
    if (!environment.has(name)) environment.set(name, process.env[name]);
    setEnvironment(name, value);
  }),
  unstubAllEnvs: chained(unstubEnvironment),
  ...asking,
  ...chainedAll(moving),
};

export const vi: object = new Proxy(supported, {
  get: (target, key, receiver) => {
    // Whoever promises it is asked whether it is a promise itself.
    if (typeof key === "symbol" || key === "then" || Object.hasOwn(target, key))
      return Reflect.get(target, key, receiver);
    return () => unsupported(`vi.${key}`);
  },
});

/** What one run of the tests left behind must not reach the next. */
export function forgetStubs(): void {
  spy.restoreAllMocks();
  useRealTimers();
  unstubGlobals();
  unstubEnvironment();
}

/** Or a promise of it, where there is something to wait for. */
function chained<A extends unknown[]>(work: (...args: A) => unknown): (...args: A) => object {
  return (...args) => {
    const done = work(...args);
    return done instanceof Promise ? done.then(() => vi) : vi;
  };
}

function chainedAll(works: Readonly<Record<string, (...args: never[]) => unknown>>): object {
  return Object.fromEntries(Object.entries(works).map(([name, work]) => [name, chained(work)]));
}

function unstubGlobals(): void {
  for (const [name, descriptor] of globals) {
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, descriptor);
  }
  globals.clear();
}

function unstubEnvironment(): void {
  for (const [name, value] of environment) setEnvironment(name, value);
  environment.clear();
}

function setEnvironment(name: string, value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(process.env, name);
  else process.env[name] = value;
}
