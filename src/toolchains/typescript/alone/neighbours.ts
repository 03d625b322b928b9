// Calls that nobody made before, close to those that gave a result: values seen in one call stand in another, numbers lie
// between those that were seen, texts and lists are made of the same parts. So they stay within what the tests mean.
import type { Shape } from "../measure-order.ts";
import { received, type Sent, send } from "../differ/episode.ts";
import { generator } from "../inside/inputs.ts";

const SEED = 20_260_101;
const MOST_STEPS = 3;
/** Where the largest number is so many times the smallest, hardly any between them would be small. */
const MOST_TIMES = 1000;

/** Each different from the others and from all that were given. */
export function neighboursOf(
  given: readonly (readonly Sent[])[],
  shapes: readonly Shape[] | undefined,
  wanted: number,
): Sent[][] {
  const known = new Set(given.map((args) => JSON.stringify(args)));
  const seen = given.map((args) => args.map(received));
  const maker = new Maker(seen, shapes);
  const made: Sent[][] = [];
  for (let tries = 0; made.length < wanted && tries < wanted * 4; tries++) {
    const sent = maker.make().map(send);
    const key = JSON.stringify(sent);
    if (!known.has(key)) made.push(sent);
    known.add(key);
  }
  return made;
}

class Maker {
  readonly #seen: readonly (readonly unknown[])[];
  readonly #shapes: readonly Shape[] | undefined;
  readonly #next = generator(SEED);

  constructor(seen: readonly (readonly unknown[])[], shapes: readonly Shape[] | undefined) {
    this.#seen = seen;
    this.#shapes = shapes;
  }

  make(): unknown[] {
    const args = [...this.#pick(this.#seen)];
    for (let left = 1 + this.#below(MOST_STEPS); left > 0; left--) {
      const at = this.#below(args.length);
      const others = this.#seen.flatMap((each) => (at < each.length ? [each[at]] : []));
      if (args.length > 0) args[at] = this.#changed(args[at], this.#shapes?.[at], others);
    }
    return args;
  }

  /** `others` were seen in the same place. Where nothing is known of the type, only they may stand there. */
  #changed(value: unknown, shape: Shape | undefined, others: readonly unknown[]): unknown {
    const like = others.filter((each) => typeof each === typeof value);
    if (shape === undefined || this.#below(4) === 0) return this.#pick(like.length === 0 ? others : like);
    if (shape.kind === "union") {
      const part = shape.of.find((each) => fits(value, each));
      return this.#changed(value, part, others);
    }
    if (typeof value === "number" && shape.kind === "number") return this.#number(like.filter(isNumber));
    if (typeof value === "string" && shape.kind === "string") return this.#text(value, like.filter(isText));
    if (typeof value === "boolean" && shape.kind === "boolean") return !value;
    if (Array.isArray(value)) return this.#list(value, shape, others.filter(Array.isArray));
    if (isFields(value) && shape.kind === "object") return this.#fields(value, shape, others);
    return this.#pick(like);
  }

  /** Whole where all are; never beyond what was seen. */
  #number(seen: readonly number[]): number {
    const finite = seen.filter(Number.isFinite);
    if (finite.length === 0) return this.#pick(seen);
    const [low, high] = [Math.min(...finite), Math.max(...finite)];
    const between =
      low >= 0 && high > MOST_TIMES * (low + 1) ? this.#ofAnySize(low, high) : this.#even(low, high);
    return finite.every(Number.isInteger) ? Math.round(between) : Math.round(between * 8) / 8;
  }

  #even(low: number, high: number): number {
    return low + (high - low) * this.#next();
  }

  /** Small ones as often as large ones. */
  #ofAnySize(low: number, high: number): number {
    return Math.expm1(this.#even(Math.log1p(low), Math.log1p(high)));
  }

  #text(text: string, seen: readonly string[]): string {
    const other = this.#pick(seen);
    const at = this.#below(text.length + 1);
    const again = text.slice(0, at) + text.slice(Math.max(0, at - 1));
    const spliced = text.slice(0, at) + other.slice(Math.min(at, other.length));
    return this.#pick([spliced, again, this.#otherSign(text, at), this.#otherSign(text, at)]);
  }

  /** A digit for a digit, a letter for a letter; what holds a text together stays. */
  #otherSign(text: string, at: number): string {
    const sign = text[at] ?? "";
    const kind = KINDS.find((each) => each.includes(sign) && sign !== "");
    return kind === undefined ? text : text.slice(0, at) + this.#pick(kind.split("")) + text.slice(at + 1);
  }

  #list(list: readonly unknown[], shape: Shape, others: readonly (readonly unknown[])[]): unknown[] {
    const at = this.#below(list.length);
    const items = others.flat();
    const replaced = (of: Shape | undefined) =>
      list.map((item, index) => (index === at ? this.#changed(item, of, items) : item));
    if (shape.kind === "tuple") return replaced(shape.of[at]);
    if (shape.kind !== "list") return [...this.#pick(others)];
    const inner = shape.of;
    const ways: (() => unknown[])[] = [
      () => replaced(inner),
      () => list.toSpliced(at, 0, ...(items.length === 0 ? [] : [this.#pick(items)])),
      () => (list.length > 1 ? list.toSpliced(at, 1) : [...list]),
      () => [...list.slice(at), ...list.slice(0, at)],
      () => [...list, ...this.#pick(others)],
    ];
    return this.#pick(ways)();
  }

  #fields(value: object, shape: Shape & { kind: "object" }, others: readonly unknown[]): unknown {
    const known = shape.fields.filter(({ name }) => Object.hasOwn(value, name));
    if (known.length === 0) return this.#pick(others);
    const { name, of } = this.#pick(known);
    const there = others.flatMap((each) =>
      isFields(each) && Object.hasOwn(each, name) ? [Reflect.get(each, name)] : [],
    );
    return { ...value, [name]: this.#changed(Reflect.get(value, name), of, there) };
  }

  #pick<T>(list: readonly T[]): T {
    const at = this.#below(list.length);
    for (const item of list.slice(at, at + 1)) return item;
    throw new Error("there is nothing to pick from");
  }

  #below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }
}

const KINDS = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

function fits(value: unknown, shape: Shape): boolean {
  if (shape.kind === "literal") return shape.value === value;
  if (shape.kind === "list" || shape.kind === "tuple") return Array.isArray(value);
  return shape.kind === typeof value && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isFields(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
