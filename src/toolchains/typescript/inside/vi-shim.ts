// The part of `vi` that needs no module loader and no clock of its own; every other name is refused when it is used.
import * as spy from "@vitest/spy";
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
  isFakeTimers: () => false,
};

export const vi: object = new Proxy(supported, {
  get: (target, key, receiver) => {
    if (typeof key === "symbol" || Object.hasOwn(target, key)) return Reflect.get(target, key, receiver);
    return () => unsupported(`vi.${key}`);
  },
});

/** What one run of the tests left behind must not reach the next. */
export function forgetStubs(): void {
  spy.restoreAllMocks();
  unstubGlobals();
  unstubEnvironment();
}

function chained<A extends unknown[]>(work: (...args: A) => unknown): (...args: A) => object {
  return (...args) => {
    work(...args);
    return vi;
  };
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
