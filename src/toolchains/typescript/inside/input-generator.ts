// Makes arguments for functions from the shapes of their parameters; the same seed makes the same arguments.
import { type Primitive, ValueMaker } from "./input-generator-values.ts";
import type { CompareJob, InputShape } from "./inner-job.ts";

/** No argument of that shape can be made here. */
export class Unmakeable extends Error {}

/** Makes an instance of a class of the module; `make` makes what its constructor wants. */
export type Build = (of: string, make: (shape: InputShape) => unknown) => unknown;

type Called = (args: unknown[]) => void;

const DEEPEST_INSTANCE = 3;
/** One in so many values is one that was made before: much happens only where two are the same. */
const REUSE = 4;
const REUSE_OF_GENERIC = 2;

export class InputGenerator {
  readonly #values: ValueMaker;
  readonly #build: Build;
  readonly #made = new Map<string, unknown[]>();
  readonly #generic = new Map<string, InputShape>();

  constructor(seed: number, hints: CompareJob["hints"], build: Build = cannotBuild) {
    this.#values = new ValueMaker(seed, hints);
    this.#build = build;
  }

  /** From here on numbers are such as code like this expects: one odd number would spoil all calls that follow. */
  beTame(): void {
    this.#values.isTame = true;
  }

  below(limit: number): number {
    return this.#values.below(limit);
  }

  pick<T>(list: readonly T[]): T {
    return this.#values.pick(list);
  }

  /** `called` hears what a generated function was called with. */
  make(shape: InputShape, called: Called, depth = 0): unknown {
    const kind = shape.kind === "generic" ? `generic ${shape.name}` : shape.kind;
    if (!REUSED.test(kind)) return this.#makeNew(shape, called, depth);
    const made = this.#made.get(kind) ?? [];
    const oneIn = shape.kind === "generic" ? REUSE_OF_GENERIC : REUSE;
    if (made.length > 0 && this.below(oneIn) === 0) return this.pick(made);
    const value = this.#makeNew(shape, called, depth);
    made.push(value);
    this.#made.set(kind, made);
    return value;
  }

  #makeNew(shape: InputShape, called: Called, depth: number): unknown {
    const inner = (of: InputShape) => this.make(of, called, depth + 1);
    if (isMany(shape)) return this.#many(shape, inner, this.below(Math.max(1, 6 - depth)));
    switch (shape.kind) {
      case "literal":
        return shape.value;
      case "impossible":
        throw new Unmakeable(shape.why);
      case "function":
        return this.#function(inner(shape.returns ?? NOTHING), called);
      case "union":
      case "promise":
      case "unknown":
      case "generic":
      case "instance":
      case "rest":
        return this.#open(shape, inner, depth);
      default:
        return this.#values.one(shape.kind satisfies Primitive);
    }
  }

  #open(shape: Open, inner: (of: InputShape) => unknown, depth: number): unknown {
    switch (shape.kind) {
      case "union":
        return inner(this.pick(depth < DEEPEST_INSTANCE ? shape.of : flatter(shape.of)));
      case "promise":
        return Promise.resolve(inner(shape.of));
      case "unknown":
        return inner(this.pick(ANYTHING));
      case "generic":
        return inner(this.#chosenFor(shape.name));
      case "rest":
        return inner(shape.of);
      case "instance":
        if (depth > DEEPEST_INSTANCE) throw new Unmakeable(`a ${shape.of} within many others`);
        return this.#build(shape.of, inner);
    }
  }

  #chosenFor(name: string): InputShape {
    const chosen = this.#generic.get(name) ?? this.pick(ONE_FOR_ALL);
    this.#generic.set(name, chosen);
    return chosen;
  }

  #function(answer: unknown, called: Called): (...args: unknown[]) => unknown {
    return (...args) => {
      called(args);
      return answer;
    };
  }

  #many(shape: Many, inner: (of: InputShape) => unknown, length: number): unknown {
    switch (shape.kind) {
      case "array":
        return Array.from({ length }, () => inner(shape.of));
      case "set":
        return new Set(Array.from({ length }, () => inner(shape.of)));
      case "map":
        return new Map(Array.from({ length }, () => [inner(shape.key), inner(shape.of)]));
      case "record":
        return Object.fromEntries(Array.from({ length }, () => [this.#values.string(), inner(shape.of)]));
      case "tuple":
        return shape.of.map((of) => inner(of));
      case "object": {
        const fields = shape.fields.filter(({ optional }) => !optional || this.below(2) === 0);
        return Object.fromEntries(fields.map(({ name, of }) => [name, inner(of)]));
      }
    }
  }
}

type Open = Extract<InputShape, { kind: "union" | "promise" | "unknown" | "generic" | "instance" | "rest" }>;
type Many = Extract<InputShape, { kind: "array" | "set" | "map" | "record" | "tuple" | "object" }>;

const MANY: ReadonlySet<string> = new Set(["array", "set", "map", "record", "tuple", "object"]);

function isMany(shape: InputShape): shape is Many {
  return MANY.has(shape.kind);
}

function cannotBuild(of: string): never {
  throw new Unmakeable(`a ${of}`);
}

function flatter(members: readonly InputShape[]): readonly InputShape[] {
  const flat = members.filter(({ kind }) => kind !== "instance");
  return flat.length === 0 ? members : flat;
}

const REUSED = /^(?:number|bigint|string|date|unknown|generic .*)$/;
const NOTHING: InputShape = { kind: "undefined" };
const ANYTHING: readonly InputShape[] = [
  { kind: "number" },
  { kind: "string" },
  { kind: "boolean" },
  { kind: "null" },
  { kind: "undefined" },
  { kind: "array", of: { kind: "number" } },
  { kind: "record", of: { kind: "string" } },
];
const ONE_FOR_ALL: readonly InputShape[] = [
  { kind: "number" },
  { kind: "number" },
  { kind: "string" },
  { kind: "string" },
  { kind: "object", fields: [{ name: "id", optional: false, of: { kind: "number" } }] },
  { kind: "unknown" },
];
