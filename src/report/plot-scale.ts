// Where things stand in a plot: round ticks, places along an axis, and labels that keep off each other.

export interface Scale {
  at: (value: number) => number;
  ticks: readonly number[];
}

const TICKS = 4;

/** From the least to the greatest value, with 0; `from` and `to` are places in the picture. */
export function scaleOf(values: readonly number[], from: number, to: number): Scale {
  const known = [0, ...values.filter((value) => Number.isFinite(value))];
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const step = roundStep(most === least ? 1 : most - least);
  const [first, last] = [
    Math.floor(least / step),
    Math.max(Math.ceil(most / step), Math.floor(least / step) + 1),
  ];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  const [low, high] = [first * step, last * step];
  return { at: (value) => Number((from + ((value - low) / (high - low)) * (to - from)).toFixed(1)), ticks };
}

/** 1, 2 or 5 times a power of ten. */
function roundStep(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width / TICKS));
  const factor = [1, 2, 5, 10].find((each) => (each * power * (TICKS + 1)) / width >= 1) ?? 10;
  return factor * power;
}

/** Each as near to its wish as it can be with `gap` between neighbours, from `least` on; in the order given. */
export function spread(wishes: readonly number[], gap: number, least: number, most: number): number[] {
  const order = wishes.map((wish, index) => ({ wish, index })).toSorted((a, b) => a.wish - b.wish);
  const places = wishes.map(() => least);
  let next = least;
  for (const { wish, index } of order) {
    places[index] = Math.max(next, wish);
    next = (places[index] ?? 0) + gap;
  }
  let ceiling = Math.max(most, least + gap * (wishes.length - 1));
  for (const { index } of order.toReversed()) {
    places[index] = Math.min(places[index] ?? 0, ceiling);
    ceiling = (places[index] ?? 0) - gap;
  }
  return places;
}

const LONGEST = 20;

/** Beginning and end of a name that is too long for a picture. */
export function clipped(label: string): string {
  const signs = Array.from(label);
  return signs.length <= LONGEST ? label : `${signs.slice(0, 11).join("")}…${signs.slice(-8).join("")}`;
}
