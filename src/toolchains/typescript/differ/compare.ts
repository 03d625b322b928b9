// Plays the same inputs on two implementations, each alone in its own sandbox, and compares what came of them.
import fc from "fast-check";
import type { Taste } from "./arbitraries.ts";
import type { Episode } from "./episode.ts";
import type { Outcomes, Player } from "./run-episodes.ts";
import type { Chosen, Use } from "./uses.ts";

type Ready = Player & { kind: "ready" };

export interface Pair {
  left: Ready;
  right: Ready;
  signal: AbortSignal;
}

const INPUTS = 1_500;
const SEED = 20_240_229;

export interface Found {
  value: fc.Value<Chosen>;
  choices: fc.Arbitrary<Chosen>;
  left: string;
  right: string;
}

/** Of inputs that were not tried before; `unsteady` where they do not always do the same. */
export async function firstDifference(
  pair: Pair,
  use: Use,
  taste: Taste,
  tried: Map<string, Episode>,
): Promise<Found | "unsteady" | undefined> {
  const choices = use.choices(taste);
  const remembering = new Remembering(choices);
  fc.sample(remembering, { numRuns: INPUTS, seed: SEED });
  const different = new Map(remembering.made.map((value) => [keyOf(use, value.value), value]));
  const values = [...different].filter(([key]) => !tried.has(key)).map(([, value]) => value);
  const both = await playBoth(pair, use, values);
  for (const [at, value] of values.entries()) {
    const [one, other] = [both.left[at], both.right[at]];
    if (one === undefined || other === undefined) continue;
    tried.set(keyOf(use, value.value), use.episode(value.value));
    if (isSame(one, other, taste)) continue;
    const steady = await isSteady(pair, use, value, one, other);
    return steady ? { value, choices, left: one, right: other } : "unsteady";
  }
  return undefined;
}

function keyOf(use: Use, chosen: Chosen): string {
  return JSON.stringify(use.episode(chosen));
}

/** Ordinary callers do not tell the two zeros apart. */
export function isSame(one: string, other: string, { kind }: Pick<Taste, "kind">): boolean {
  return kind === "odd" ? one === other : plainZero(one) === plainZero(other);
}

function plainZero(text: string): string {
  return text.replaceAll(/(?<![\w.])-0(?![\w.])/g, "0");
}

export async function playBoth(
  { left, right, signal }: Pair,
  use: Use,
  values: readonly fc.Value<Chosen>[],
): Promise<{ left: Outcomes; right: Outcomes }> {
  const episodes = values.map(({ value }) => use.episode(value));
  const [one, other] = await Promise.all([left.play(episodes, signal), right.play(episodes, signal)]);
  return { left: one, right: other };
}

/** Alone and again, each does what it did: what depends on chance or on what came before is no difference of theirs. */
export async function isSteady(
  pair: Pair,
  use: Use,
  value: fc.Value<Chosen>,
  left: string,
  right: string,
): Promise<boolean> {
  const again = await playBoth(pair, use, [value, value]);
  return again.left.every((each) => each === left) && again.right.every((each) => each === right);
}

/** Remembers what each value was made from, so that it can be made smaller. */
class Remembering extends fc.Arbitrary<Chosen> {
  readonly #inner: fc.Arbitrary<Chosen>;
  readonly made: fc.Value<Chosen>[] = [];

  constructor(inner: fc.Arbitrary<Chosen>) {
    super();
    this.#inner = inner;
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<Chosen> {
    const value = this.#inner.generate(random, bias);
    this.made.push(value);
    return value;
  }

  canShrinkWithoutContext(_value: unknown): _value is Chosen {
    return false;
  }

  shrink(value: Chosen, context: unknown): fc.Stream<fc.Value<Chosen>> {
    return this.#inner.shrink(value, context);
  }
}
