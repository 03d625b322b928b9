// Counts what fast-check's properties really tried, by watching each single run of a property.
import { createHash } from "node:crypto";

export interface Property {
  runs: number;
  discarded: number;
  inputs: Set<string>;
}

type Seen = (property: Property) => void;

interface FastCheck {
  property: (arbitrary: unknown, predicate: () => boolean) => object;
  asyncProperty: (arbitrary: unknown, predicate: () => Promise<boolean>) => object;
  constant: (value: unknown) => unknown;
  stringify: (value: unknown) => string;
  PreconditionFailure: { isFailure: (result: unknown) => boolean };
}

const MOST_INPUTS = 50_000;

/** Does nothing where the module does not bring fast-check. */
export async function watchProperties(seen: Seen): Promise<void> {
  const fc = await load();
  if (fc === undefined) return;
  const samples = [
    fc.property(fc.constant(0), () => true),
    fc.asyncProperty(fc.constant(0), () => Promise.resolve(true)),
  ];
  for (const sample of samples) watch(fc, Object.getPrototypeOf(sample), seen);
}

async function load(): Promise<FastCheck | undefined> {
  if (process.env["CUPEL_PROPERTIES"] !== "1") return undefined;
  // Not a literal, or the module's bundler would complain where it is not installed.
  const name = "fast-check";
  try {
    return await import(/* @vite-ignore */ name);
  } catch {
    return undefined;
  }
}

function watch(fc: FastCheck, prototype: unknown, seen: Seen): void {
  if (typeof prototype !== "object" || prototype === null) return;
  const run: unknown = Reflect.get(prototype, "run");
  if (typeof run !== "function") return;
  const known = new WeakMap<object, Property>();
  /** After its first failure a property is run again to find a smaller counterexample, which is no further trying. */
  const failed = new WeakSet<object>();
  const count = (self: object, input: unknown, result: unknown) => {
    if (failed.has(self)) return;
    const property = known.get(self) ?? { runs: 0, discarded: 0, inputs: new Set<string>() };
    known.set(self, property);
    seen(property);
    if (fc.PreconditionFailure.isFailure(result)) {
      property.discarded += 1;
      return;
    }
    property.runs += 1;
    if (property.inputs.size < MOST_INPUTS) property.inputs.add(digest(fc.stringify(input)));
    if (result !== null && result !== undefined) failed.add(self);
  };
  Reflect.set(prototype, "run", function (this: object, ...values: unknown[]): unknown {
    const result: unknown = Reflect.apply(run, this, values);
    if (!(result instanceof Promise)) {
      count(this, values[0], result);
      return result;
    }
    return result.then((settled: unknown) => {
      count(this, values[0], settled);
      return settled;
    });
  });
}

function digest(text: string): string {
  return text.length < 40 ? text : createHash("sha1").update(text).digest("base64");
}
