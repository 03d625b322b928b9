// Runs inside a site: makes one call again and again, so that whatever counts its calls gets far beyond those of any test.

/** Taken before foreign code can put others in their place, as are the clocks below. */
const { get, getPrototypeOf } = Reflect;
const { is, keys: keysOf } = Object;
const { isArray } = Array;
const plain = Object.prototype;

/** Some times what a suite with properties makes. */
const MOST_CALLS = 20_000;
/** A busy machine takes longer, and must not see less. */
const MOST_COMPUTED_MS = 100;
/** For what waits more than it computes. */
const MOST_MS = 500;
/** To ask what was computed costs more than a small call. */
const BETWEEN_LOOKS = 16;

const now = performance.now.bind(performance);
const cpuUsage = process.cpuUsage.bind(process);

/** Whether one of them came to something else than `first`, or to no result. */
export async function callOften(call: () => unknown, first: unknown): Promise<"same" | "another"> {
  const isOver = timer();
  for (let made = 0; made < MOST_CALLS && !isOver(made); made += 1) {
    let given: unknown;
    try {
      given = call();
      if (given instanceof Promise) given = await given;
    } catch {
      return "another";
    }
    if (isAnother(given, first)) return "another";
  }
  return "same";
}

function timer(): (made: number) => boolean {
  const begun = now();
  const before = cpuUsage();
  return (made) => {
    if (now() - begun > MOST_MS) return true;
    if (made % BETWEEN_LOOKS > 0) return false;
    const { user, system } = cpuUsage(before);
    return (user + system) / 1000 > MOST_COMPUTED_MS;
  };
}

const DEEPEST = 5;

/** At first sight, since it is asked after every call: of what is neither a list nor plain, and of what lies deep, it says nothing. */
function isAnother(given: unknown, first: unknown, depth = 0): boolean {
  if (isThing(given) !== isThing(first)) return true;
  if (!isThing(given) || !isThing(first)) return typeof given !== "symbol" && !is(given, first);
  if (given === first || depth > DEEPEST) return false;
  const isList = isArray(given);
  if (isList !== isArray(first) || (!isList && getPrototypeOf(given) !== plain)) return false;
  const keys = keysOf(given);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? "";
    if (isAnother(get(given, key), get(first, key), depth + 1)) return true;
  }
  return isList && get(given, "length") !== get(first, "length");
}

function isThing(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
