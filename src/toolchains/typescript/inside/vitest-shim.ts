// What tests get when they import vitest in the inner runner: the same collector, matchers and spies, and a clear no for
// everything that needs vitest's own module loader.
import {
  addCustomEqualityTesters,
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  ChaiStyleAssertions,
  customMatchers,
  getState,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from "@vitest/expect";
import type { ExpectStatic } from "@vitest/expect";
import * as runner from "@vitest/runner";
import type { Test } from "@vitest/runner";
import { addInlineSnapshots } from "./inline-snapshot.ts";
import { unsupported } from "./unsupported.ts";
import { vi } from "./vi-shim.ts";

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(ChaiStyleAssertions);
chai.use(JestAsymmetricMatchers);
for (const name of [
  "toMatchSnapshot",
  "toMatchFileSnapshot",
  "toThrowErrorMatchingSnapshot",
  "toThrowErrorMatchingInlineSnapshot",
]) {
  chai.util.addMethod(chai.Assertion.prototype, name, () => unsupported(name));
}

addInlineSnapshots();

export function createExpect(test?: Test): ExpectStatic {
  const make = (value: unknown, message?: string) => {
    const { assertionCalls } = getState(expect);
    setState({ assertionCalls: assertionCalls + 1 }, expect);
    const assertion: unknown = chai.expect(value, message);
    const current = test ?? runner.getCurrentTest();
    return current === undefined ? assertion : call(assertion, "withTest", current);
  };
  const expect = toExpect(
    Object.assign(make, chai.expect, Reflect.get(globalThis, ASYMMETRIC_MATCHERS_OBJECT)),
  );
  const outer: unknown = Reflect.get(globalThis, GLOBAL_EXPECT);
  setState(
    {
      ...(isExpect(outer) ? getState(outer) : {}),
      ...FRESH_STATE,
      currentTestName: test?.fullTestName ?? "",
    },
    expect,
  );
  Object.assign(expect, {
    getState: () => getState(expect),
    setState: (state: object) => setState(state, expect),
    assert: chai.assert,
    extend: (matchers: object) => call(chai.expect, "extend", expect, matchers),
    addEqualityTesters: addCustomEqualityTesters,
    soft: (...args: [unknown, string?]) => call(make(...args), "withContext", { soft: true }),
    poll: () => unsupported("expect.poll"),
    addSnapshotSerializer: () => unsupported("expect.addSnapshotSerializer"),
    unreachable: (message?: string) =>
      chai.assert.fail(`expected${message === undefined ? " " : ` "${message}" `}not to be reached`),
    assertions: (expected: number) =>
      setState(
        {
          expectedAssertionsNumber: expected,
          expectedAssertionsNumberErrorGen: () =>
            new Error(
              `expected number of assertions to be ${expected}, but got ${getState(expect).assertionCalls}`,
            ),
        },
        expect,
      ),
    hasAssertions: () =>
      setState(
        {
          isExpectingAssertions: true,
          isExpectingAssertionsError: new Error("expected any number of assertion, but got none"),
        },
        expect,
      ),
  });
  call(expect, "extend", customMatchers);
  return expect;
}

export const FRESH_STATE = {
  assertionCalls: 0,
  isExpectingAssertions: false,
  isExpectingAssertionsError: null,
  expectedAssertionsNumber: null,
  expectedAssertionsNumberErrorGen: null,
};

function call(target: unknown, method: string, ...args: unknown[]): unknown {
  if ((typeof target !== "object" && typeof target !== "function") || target === null)
    throw new TypeError(`no ${method} on ${typeof target}`);
  const found: unknown = Reflect.get(target, method);
  if (typeof found !== "function") throw new TypeError(`no ${method}`);
  return Reflect.apply(found, target, args);
}

function isExpect(value: unknown): value is ExpectStatic {
  return typeof value === "function";
}

function toExpect(value: unknown): ExpectStatic {
  if (!isExpect(value)) throw new TypeError("no function");
  return value;
}

export const expect: ExpectStatic = createExpect();
Object.defineProperty(globalThis, GLOBAL_EXPECT, { value: expect, writable: true, configurable: true });

/** Types are checked by the compiler; at run time any chain of these is silent. */
const silent: unknown = new Proxy(() => undefined, {
  get: (_, key) => (key === "then" || typeof key === "symbol" ? undefined : silent),
  apply: () => silent,
});

/** By the names under which vitest exports them. */
export const vitestExports: Readonly<Record<string, unknown>> = {
  afterAll: runner.afterAll,
  afterEach: runner.afterEach,
  aroundAll: runner.aroundAll,
  aroundEach: runner.aroundEach,
  beforeAll: runner.beforeAll,
  beforeEach: runner.beforeEach,
  describe: runner.describe,
  it: runner.it,
  onTestFailed: runner.onTestFailed,
  onTestFinished: runner.onTestFinished,
  suite: runner.suite,
  test: runner.test,
  assert: chai.assert,
  chai,
  should: () => chai.should(),
  createExpect,
  expect,
  expectTypeOf: silent,
  assertType: silent,
  vi,
  vitest: vi,
  bench: Object.assign(() => unsupported("bench"), { each: () => unsupported("bench") }),
  inject: () => unsupported("inject"),
  recordArtifact: () => unsupported("recordArtifact"),
};
