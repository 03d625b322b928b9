// Makes arguments for functions from the shapes of their parameters; the same seed makes the same arguments.
import type { CompareJob, InputShape } from "./inner-job.ts";

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  2,
  3,
  5,
  10,
  100,
  1000,
  0.5,
  -0.5,
  0.1,
  255,
  256,
  1e21,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  Number.EPSILON,
];
const CHARACTERS = [
  ...Array.from("abcxyzABZ0123456789 \t\n.,;:-_+*/\\'\"()[]{}<>=!?#%&@^~|$"),
  "ä",
  "漢",
  "😀",
  "\u0000",
];

export class InputGenerator {
  readonly #hints: CompareJob["hints"];
  #state: number;

  constructor(seed: number, hints: CompareJob["hints"]) {
    this.#state = seed >>> 0;
    this.#hints = hints;
  }

  /** `called` hears what a generated function was called with. */
  make(shape: InputShape, called: (args: unknown[]) => void, depth = 0): unknown {
    const inner = (of: InputShape) => this.make(of, called, depth + 1);
    switch (shape.kind) {
      case "literal":
        return shape.value;
      case "unknown":
        return inner(this.#pick(ANYTHING));
      case "union":
        return inner(this.#pick(shape.of));
      case "promise":
        return Promise.resolve(inner(shape.of));
      case "function":
        return this.#function(inner(shape.returns ?? NOTHING), called);
      case "impossible":
        throw new Error(shape.why);
      case "array":
      case "set":
      case "map":
      case "record":
      case "tuple":
      case "object":
        return this.#many(shape, inner, this.#below(Math.max(1, 6 - depth)));
      default:
        return this.#one(shape.kind);
    }
  }

  #function(answer: unknown, called: (args: unknown[]) => void): (...args: unknown[]) => unknown {
    return (...args) => {
      called(args);
      return answer;
    };
  }

  #one(kind: Primitive): unknown {
    switch (kind) {
      case "number":
        return this.#number();
      case "bigint":
        return BigInt(this.#below(2) === 0 ? this.#below(10) : this.#below(2 ** 31) * 2 ** 20);
      case "string":
        return this.#string();
      case "boolean":
        return this.#below(2) === 0;
      case "undefined":
        return undefined;
      case "null":
        return null;
      case "date":
        return new Date(this.#below(4) === 0 ? this.#below(3) * 86_400_000 : this.#below(2 ** 31) * 1000);
    }
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
        return Object.fromEntries(Array.from({ length }, () => [this.#string(), inner(shape.of)]));
      case "tuple":
        return shape.of.map((of) => inner(of));
      case "object": {
        const fields = shape.fields.filter(({ optional }) => !optional || this.#below(2) === 0);
        return Object.fromEntries(fields.map(({ name, of }) => [name, inner(of)]));
      }
    }
  }

  #number(): number {
    switch (this.#below(6)) {
      case 0:
        return this.#pick(NUMBERS);
      case 1:
        return this.#below(20) - 5;
      case 2:
        return (this.#fraction() - 0.5) * 10 ** this.#below(8);
      case 3:
        return Math.trunc((this.#fraction() - 0.5) * 10 ** this.#below(16));
      default: {
        const { numbers } = this.#hints;
        const base = numbers.length === 0 ? this.#below(100) : this.#pick(numbers);
        return this.#pick([base, base, base + 1, base - 1, -base, base * 2, base / 2, base + 0.5]);
      }
    }
  }

  #string(): string {
    const { strings } = this.#hints;
    const random = () => Array.from({ length: this.#below(8) }, () => this.#pick(CHARACTERS)).join("");
    if (strings.length === 0 || this.#below(3) === 0) return random();
    // Steps away from a text that the code or its tests name: its own characters again, elsewhere, or gone.
    let text = this.#pick(strings);
    for (let step = this.#below(4); step > 0; step--) {
      const cut = this.#below(text.length + 1);
      const [before, after] = [text.slice(0, cut), text.slice(cut)];
      const again = text === "" ? "" : text.charAt(this.#below(text.length));
      text = this.#pick([
        before + again + after,
        before + again + after,
        before + after.charAt(0) + after,
        before + after.slice(1),
        before + again + after.slice(1),
        before + random() + after,
        before + this.#pick(CHARACTERS) + after,
        before + this.#pick(strings) + after,
        `${text}${this.#pick([" ", ""])}${this.#pick(strings)}`,
      ]);
    }
    return text;
  }

  #pick<T>(list: readonly T[]): T {
    const at = this.#below(list.length);
    for (const item of list.slice(at, at + 1)) return item;
    throw new Error("there is nothing to pick from");
  }

  #below(limit: number): number {
    return Math.floor(this.#fraction() * limit);
  }

  #fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

type Primitive = "number" | "bigint" | "string" | "boolean" | "undefined" | "null" | "date";
type Many = Extract<InputShape, { kind: "array" | "set" | "map" | "record" | "tuple" | "object" }>;

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
