// What becomes of what a caller hands in, beyond what it holds: whether it can still be changed, what it is made as, and what
// hangs on it where nobody looks.

/** Taken before the module is loaded, which could put others in their place. */
const { getOwnPropertyDescriptor, getPrototypeOf, isExtensible, ownKeys } = Reflect;
const isList = Array.isArray;

const MOST_THINGS = 200;
const MOST_KEYS = 1000;

/** Asked after the call: what is another than before. */
export function handedIn(args: readonly unknown[]): () => string | undefined {
  const known = thingsIn(args).map((thing) => ({
    thing,
    isOpen: isExtensible(thing),
    prototype: getPrototypeOf(thing),
    hidden: hiddenIn(thing),
  }));
  return () => {
    for (const { thing, isOpen, prototype, hidden } of known) {
      if (isOpen && !isExtensible(thing)) return "whether its caller can change it";
      if (getPrototypeOf(thing) !== prototype) return "what it is made as";
      if (hiddenIn(thing) !== hidden) return "what hangs on it unseen";
    }
    return undefined;
  };
}

/** Puts into what a caller has handed in what it would hand in next, as far as that can be: the same list, with other items. */
export function refilled(held: unknown, next: unknown): unknown {
  if (typeof held !== "object" || held === null || !isExtensible(held)) return next;
  if (isList(held) && isList(next)) {
    held.length = 0;
    for (const item of next) held.push(item);
    return held;
  }
  if (held instanceof Map && next instanceof Map)
    return filled(held, () => next.forEach((value, key) => held.set(key, value)));
  if (held instanceof Set && next instanceof Set)
    return filled(held, () => next.forEach((value) => held.add(value)));
  if (!isPlain(held) || !isPlain(next)) return next;
  for (const key of ownKeys(held)) Reflect.deleteProperty(held, key);
  return Object.assign(held, next);
}

function filled(held: { clear(): void }, fill: () => void): unknown {
  held.clear();
  fill();
  return held;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && getPrototypeOf(value) === Object.prototype;
}

function thingsIn(args: readonly unknown[]): object[] {
  const found = new Set<object>();
  const waiting: unknown[] = [...args];
  for (let at = 0; at < waiting.length && found.size < MOST_THINGS; at++) {
    const value = waiting[at];
    if (typeof value !== "object" || value === null || found.has(value)) continue;
    found.add(value);
    const parts: unknown[] =
      value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
    waiting.push(...parts.slice(0, MOST_THINGS));
  }
  return [...found];
}

/** Keys that going through it does not come by; of what is very large nobody asks. */
function hiddenIn(thing: object): string {
  if (isList(thing) && thing.length > MOST_KEYS) return "";
  return ownKeys(thing)
    .filter((key) => typeof key === "symbol" || getOwnPropertyDescriptor(thing, key)?.enumerable !== true)
    .map(String)
    .join();
}
