// Finds how far a number may go by what a contract requires: nowhere does code go wrong as easily as at the bounds that
// were drawn for it.

type Meets = (args: readonly unknown[]) => boolean;

/** Of one place among the arguments: the last numbers that are let through, each with some on the way there. */
export function boundsOf(args: readonly unknown[], at: number, meets: Meets): unknown[][] {
  return numbersTowards(args, at, meets, (start, last, sign) => [
    last,
    last - sign,
    roundLike(start, last / 2),
    roundLike(start, last / 1024),
  ]);
}

/** Numbers of every size on the way there: code can be wrong for some size alone. */
export function sizesOf(args: readonly unknown[], at: number, meets: Meets): unknown[][] {
  return numbersTowards(args, at, meets, (start, last, sign) => {
    const found: number[] = [];
    for (let step = 2; step < Math.abs(last - start) && found.length < MOST_SIZES; step *= 1.5)
      found.push(start + sign * Math.round(step));
    return found;
  });
}

/** Enough to come to the last safe whole number. */
const MOST_SIZES = 100;

function numbersTowards(
  args: readonly unknown[],
  at: number,
  meets: Meets,
  numbers: (start: number, last: number, sign: number) => number[],
): unknown[][] {
  const start = args[at];
  if (typeof start !== "number" || !Number.isFinite(start)) return [];
  const withNumber = (value: number): unknown[] => args.with(at, value);
  const isIn = (value: number) => Number.isFinite(value) && meets(withNumber(value));
  return [1, -1]
    .flatMap((sign) => {
      const last = lastWithin(start, sign, isIn);
      return last === undefined ? [] : numbers(start, last, sign);
    })
    .filter((value) => value !== start && isIn(value))
    .map(withNumber);
}

const LARGEST_STEP = Number.MAX_VALUE / 2;

/** Undefined where nothing was drawn: then nobody has promised anything for numbers without measure. */
function lastWithin(start: number, sign: number, isIn: (value: number) => boolean): number | undefined {
  if (!isIn(start) || isIn(sign * Number.MAX_VALUE)) return undefined;
  let step = 1;
  let last = start;
  // What is required may make an exception of the largest number alone; beyond it nothing grows any more.
  for (; step < LARGEST_STEP && isIn(start + sign * step); step *= 2) last = start + sign * step;
  for (; step >= 1; step /= 2) {
    const further = last + sign * step;
    if (further !== last && isIn(further)) last = further;
  }
  return last;
}

/** Whole where it began whole. */
function roundLike(start: number, value: number): number {
  return Number.isInteger(start) ? Math.trunc(value) : value;
}
