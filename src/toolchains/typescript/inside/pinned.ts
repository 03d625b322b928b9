// Holds in place what decides whether a test passes. Whoever wants to put something else there gets an error, which is
// a failure that everybody sees, instead of a verdict that nobody should believe.

/** What vitest adds once and never again; a suite may add matchers of other names. */
export const MATCHERS: readonly string[] =
  "toBe toEqual toStrictEqual toThrow toThrowError toMatch toMatchObject toContain toContainEqual toHaveLength toHaveProperty toBeTruthy toBeFalsy toBeNull toBeUndefined toBeDefined toBeNaN toBeTypeOf toBeInstanceOf toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan toBeLessThanOrEqual toBeCloseTo toHaveBeenCalled toHaveBeenCalledTimes toHaveBeenCalledWith resolves rejects not".split(
    " ",
  );

/** Called once, before any foreign code is loaded. New names can still be added. */
export function pinRunner(vitest: object): void {
  for (const holder of [Promise, Promise.prototype, WeakMap.prototype, Object, Reflect, Array, Number])
    pin(holder, Reflect.ownKeys(holder));
  pin(globalThis, ["Promise", "WeakMap", "Object", "Reflect", "Error"]);
  const chai: unknown = Reflect.get(vitest, "chai");
  const assertion = fieldOf(fieldOf(chai, "Assertion"), "prototype");
  if (typeof assertion === "object" && assertion !== null) pin(assertion, [...MATCHERS, "assert"]);
}

function pin(holder: object, names: readonly PropertyKey[]): void {
  for (const name of names) {
    const found = Object.getOwnPropertyDescriptor(holder, name);
    if (found?.configurable !== true) continue;
    const still = "value" in found ? { writable: false } : {};
    Object.defineProperty(holder, name, { ...found, ...still, configurable: false });
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return (typeof value === "object" && value !== null) || typeof value === "function"
    ? Reflect.get(value, name)
    : undefined;
}
