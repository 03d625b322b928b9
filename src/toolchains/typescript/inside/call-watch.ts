// Wraps a function so that its calls and their outcomes are seen, while callers and callee notice nothing.
import { types } from "node:util";

export type Outcome = { kind: "returned"; result: unknown } | { kind: "threw"; error: unknown };

/** Is told the arguments before the call, and gives back what is told the outcome. */
export type CallObserver = (args: readonly unknown[]) => (outcome: Outcome) => void;

/** More than this many values of a generator are not kept; its outcome is then not told. */
const MOST_VALUES = 10_000;

/** The same promise for the same promise, also where the module hands one out twice. */
const followed = new WeakMap<object, unknown>();

/** Any function: what it takes and gives is its own business. */
export function wrapped(target: Function, observer: CallObserver): Function {
  return new Proxy(target, {
    apply: (callee, self, args: unknown[]) =>
      watched(observer, args, (): unknown => Reflect.apply(callee, self, args)),
    construct: (callee, args: unknown[], made): object => {
      const settle = observer(args);
      let result: object;
      try {
        result = Reflect.construct(callee, args, made);
      } catch (error) {
        settle({ kind: "threw", error });
        throw error;
      }
      settle({ kind: "returned", result });
      return result;
    },
  });
}

function watched(observer: CallObserver, args: readonly unknown[], invoke: () => unknown): unknown {
  const settle = observer(args);
  let result: unknown;
  try {
    result = invoke();
  } catch (error) {
    settle({ kind: "threw", error });
    throw error;
  }
  if (types.isPromise(result)) return followPromise(result, settle);
  if (types.isGeneratorObject(result)) return followGenerator(result as Running, settle);
  settle({ kind: "returned", result });
  return result;
}

type Settle = (outcome: Outcome) => void;

/** A promise of its own for callers, so that a rejection that nobody handles is still noticed. */
function followPromise(promise: Promise<unknown>, settle: Settle): unknown {
  const onValue = (result: unknown) => settle({ kind: "returned", result });
  const onError = (error: unknown) => settle({ kind: "threw", error });
  const isPlain =
    Object.getPrototypeOf(promise) === Promise.prototype && Reflect.ownKeys(promise).length === 0;
  const known = followed.get(promise);
  if (known !== undefined || !isPlain) {
    promise.then(onValue, onError);
    return known ?? promise;
  }
  const own = promise.then(
    (result) => {
      onValue(result);
      return result;
    },
    (error: unknown) => {
      onError(error);
      throw error;
    },
  );
  followed.set(promise, own);
  return own;
}

type Step = IteratorResult<unknown, unknown>;
type Running = Record<"next" | "return" | "throw", (value: unknown) => Step | Promise<Step>>;

/** The outcome of a generator is the list of what it gave, known when it comes to its own end. */
function followGenerator(generator: Running, settle: Settle): object {
  const values: unknown[] = [];
  const noted = (step: Step): Step => {
    if (step.done !== true) values.push(step.value);
    else if (values.length <= MOST_VALUES) settle({ kind: "returned", result: values });
    return step;
  };
  const failed = (error: unknown): never => {
    settle({ kind: "threw", error });
    throw error;
  };
  const prototype: object = Object.getPrototypeOf(generator);
  const own: object = Object.create(prototype);
  const through = (name: "next" | "throw") => (value: unknown) => {
    try {
      const step = generator[name](value);
      return types.isPromise(step) ? step.then(noted, failed) : noted(step);
    } catch (error) {
      return failed(error);
    }
  };
  for (const name of ["next", "throw"] as const)
    Object.defineProperty(own, name, { value: through(name), configurable: true, writable: true });
  // Whoever stops early has seen only a part, which says nothing.
  const stop = (value: unknown) => generator.return(value);
  return Object.defineProperty(own, "return", { value: stop, configurable: true, writable: true });
}
