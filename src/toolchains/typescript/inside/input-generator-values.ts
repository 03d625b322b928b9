// Makes numbers, texts and other single values by chance; the same seed makes the same ones.
import type { CompareJob } from "./inner-job.ts";

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

export type Primitive = "number" | "bigint" | "string" | "boolean" | "undefined" | "null" | "date";

export class ValueMaker {
  readonly #hints: CompareJob["hints"];
  #state: number;
  /** Whether numbers are only those that code like this expects. */
  isTame = false;

  constructor(seed: number, hints: CompareJob["hints"]) {
    this.#state = seed >>> 0;
    this.#hints = hints;
  }

  one(kind: Primitive): unknown {
    switch (kind) {
      case "number":
        return this.#number();
      case "bigint":
        return BigInt(this.below(2) === 0 ? this.below(10) : this.below(2 ** 31) * 2 ** 20);
      case "string":
        return this.string();
      case "boolean":
        return this.below(2) === 0;
      case "undefined":
        return undefined;
      case "null":
        return null;
      case "date":
        return new Date(this.below(4) === 0 ? this.below(3) * 86_400_000 : this.below(2 ** 31) * 1000);
    }
  }

  #number(): number {
    switch (this.isTame ? this.pick([1, 4]) : this.below(6)) {
      case 0:
        return this.pick(NUMBERS);
      case 1:
        return this.below(20) - 5;
      case 2:
        return (this.#fraction() - 0.5) * 10 ** this.below(8);
      case 3:
        return Math.trunc((this.#fraction() - 0.5) * 10 ** this.below(16));
      default: {
        const { numbers } = this.#hints;
        const base = numbers.length === 0 ? this.below(100) : this.pick(numbers);
        return this.pick([base, base, base + 1, base - 1, -base, base * 2, base / 2, base + 0.5]);
      }
    }
  }

  string(): string {
    const { strings } = this.#hints;
    const random = () => Array.from({ length: this.below(8) }, () => this.pick(CHARACTERS)).join("");
    if (strings.length === 0 || this.below(3) === 0) return random();
    // Steps away from a text that the code or its tests name: its own characters again, elsewhere, or gone.
    let text = this.pick(strings);
    for (let step = this.below(4); step > 0; step--) {
      const cut = this.below(text.length + 1);
      const [before, after] = [text.slice(0, cut), text.slice(cut)];
      const again = text === "" ? "" : text.charAt(this.below(text.length));
      text = this.pick([
        before + again + after,
        before + again + after,
        before + after.charAt(0) + after,
        before + after.slice(1),
        before + again + after.slice(1),
        before + random() + after,
        before + this.pick(CHARACTERS) + after,
        before + this.pick(strings) + after,
        `${text}${this.pick([" ", ""])}${this.pick(strings)}`,
      ]);
    }
    return text;
  }

  pick<T>(list: readonly T[]): T {
    const at = this.below(list.length);
    for (const item of list.slice(at, at + 1)) return item;
    throw new Error("there is nothing to pick from");
  }

  below(limit: number): number {
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
