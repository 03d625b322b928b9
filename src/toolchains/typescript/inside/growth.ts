// How time grows with size: the slope of the best straight line through logarithms, where time can be told from noise.

export interface Timing {
  size: number;
  ms: number;
}

/** Below this, calling and timing take as long as the work. */
const LEAST_MS = 0.004;
const LEAST_POINTS = 3;
/** Small sizes hide growth behind what each call costs anyway. */
const POINTS = 5;

export function growthOf(timings: readonly Timing[]): { exponent: number; sizes: number[] } | undefined {
  const telling = timings.filter(({ ms }) => ms >= LEAST_MS);
  const sizes = timings.map(({ size }) => size);
  // Whatever never takes long enough to be timed does not grow.
  if (timings.length >= LEAST_POINTS && telling.length < LEAST_POINTS) return { exponent: 0, sizes };
  if (telling.length < LEAST_POINTS) return undefined;
  const used = telling.slice(-POINTS);
  const xs = used.map(({ size }) => Math.log(size));
  const ys = used.map(({ ms }) => Math.log(ms));
  // The middle of all slopes between two points is not moved by one disturbed point.
  const slopes = xs.flatMap((x, i) =>
    xs.slice(i + 1).map((other, j) => slope(x, ys[i], other, ys[i + 1 + j])),
  );
  const sorted = slopes.toSorted((one, other) => one - other);
  const exponent = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return { exponent: Math.max(0, exponent), sizes: used.map(({ size }) => size) };
}

function slope(x: number, y: number | undefined, otherX: number, otherY: number | undefined): number {
  return ((otherY ?? 0) - (y ?? 0)) / (otherX - x);
}
