// Makes an input on which two implementations differ smaller, as fast-check would, many candidates at a time.
import type fc from "fast-check";
import type { Difference } from "../../port.ts";
import { type Found, isSame, isSteady, type Pair, playBoth } from "./compare.ts";
import type { Chosen, Use } from "./uses.ts";

/** An input, and what each side does with it. */
export type Input = Pick<Difference & { kind: "differ" }, "entry" | "args" | "left" | "right">;

const MOST_ROUNDS = 60;
const MOST_SMALLER = 120;

export async function smallest(pair: Pair, use: Use, found: Found, kind: "ordinary" | "odd"): Promise<Input> {
  const plain = use.choices({ numbers: [], strings: [], kind: "plain" });
  let best = found;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = await smaller(pair, use, best, { plain, kind });
    if (next === undefined) break;
    best = next;
  }
  // What was found first is certain; what was made of it is, too, once it was seen again.
  if (best !== found && !(await isSteady(pair, use, best.value, best.left, best.right))) best = found;
  const { left, right, value } = best;
  return { ...use.text(value.value), left, right };
}

async function smaller(
  pair: Pair,
  use: Use,
  best: Found,
  { plain, kind }: { plain: fc.Arbitrary<Chosen>; kind: "ordinary" | "odd" },
): Promise<Found | undefined> {
  const { value, choices } = best;
  const ways: [fc.Arbitrary<Chosen>, fc.Stream<fc.Value<Chosen>>][] = [];
  ways.push([choices, choices.shrink(value.value, value.context)]);
  // What the code asked for was taken from a list; as a value like any other it can be made smaller all the same.
  if (plain.canShrinkWithoutContext(value.value)) ways.push([plain, plain.shrink(value.value, undefined)]);
  for (const [made, stream] of ways) {
    const values = [...stream.take(MOST_SMALLER)];
    if (values.length === 0) continue;
    const both = await playBoth(pair, use, values);
    for (const [at, candidate] of values.entries()) {
      const [left, right] = [both.left[at], both.right[at]];
      if (left === undefined || right === undefined || isSame(left, right, { kind })) continue;
      return { value: candidate, choices: made, left, right };
    }
  }
  return undefined;
}
