// Puts observers on the entry points of a module; classes and objects are watched in place.
import { wrapped } from "./call-watch.ts";

export type Namespace = Readonly<Record<string, unknown>>;
export type Observer = Parameters<typeof wrapped>[1];

/** What the wrapper module exports instead of the real things, by name, and which entry points are really watched. */
export function watchedExports(
  real: Namespace,
  entries: Iterable<string>,
  observerOf: (entry: string) => Observer,
): { exports: Record<string, unknown>; watched: string[] } {
  const exported: Record<string, unknown> = {};
  const watched: string[] = [];
  for (const entry of new Set(entries)) {
    const [root = "", member] = entry.split(".");
    const observer = observerOf(entry);
    exported[root] ??= real[root];
    const before = exported[root];
    const inPlace = member === undefined || member === "constructor" ? secretMembers(before) : [member];
    const isInPlace = inPlace.filter((each) => watchMember(before, each, observer)).length > 0;
    if (inPlace.length === 0) exported[root] = wrapExport(before, observer);
    if (isInPlace || exported[root] !== before) watched.push(entry);
  }
  return { exports: exported, watched };
}

function wrapExport(value: unknown, observer: Observer): unknown {
  if (typeof value !== "function") return value;
  const watched = wrapped(value, observer);
  // So that `instance.constructor` is what tests import.
  const { prototype } = value;
  if (typeof prototype === "object" && prototype !== null && Object.hasOwn(prototype, "constructor"))
    redefine(prototype, "constructor", watched);
  return watched;
}

/**
 * The methods of a class with private static members. Nothing can stand for such a class, since only the class itself has
 * those members, so its methods are watched instead of its making.
 */
function secretMembers(value: unknown): string[] {
  if (typeof value !== "function" || !HAS_STATIC_SECRETS.test(Function.prototype.toString.call(value)))
    return [];
  const { prototype } = value;
  const own =
    typeof prototype === "object" && prototype !== null ? Object.getOwnPropertyNames(prototype) : [];
  return [
    ...own.filter((name) => name !== "constructor"),
    ...Object.keys(Object.getOwnPropertyDescriptors(value)),
  ];
}

const HAS_STATIC_SECRETS = /^class\b[^]*\bstatic\b[^;{}=(]*#/;

/** In place, so that the class stays the one that the module itself uses. Whether it is watched now. */
function watchMember(owner: unknown, member: string, observer: Observer): boolean {
  if ((typeof owner !== "function" && typeof owner !== "object") || owner === null) return false;
  const prototype: unknown = Reflect.get(owner, "prototype");
  const holder =
    typeof prototype === "object" && prototype !== null && member in prototype ? prototype : owner;
  const descriptor = descriptorOf(holder, member);
  return (
    typeof descriptor?.value === "function" &&
    redefine(holder, member, wrapped(descriptor.value, observer), descriptor.enumerable)
  );
}

function descriptorOf(holder: object, member: string): PropertyDescriptor | undefined {
  for (let at: object | null = holder; at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is frozen stays unwatched, and so unproven. */
function redefine(holder: object, member: string, value: unknown, enumerable = false): boolean {
  return Reflect.defineProperty(holder, member, { value, enumerable, configurable: true, writable: true });
}
