// Puts observers on the entry points of a module; classes and objects are watched in place.
import { wrapped } from "./call-watch.ts";

export type Namespace = Readonly<Record<string, unknown>>;
export type Observer = Parameters<typeof wrapped>[1];

/** What the wrapper module exports instead of the real things, by name. */
export function watchedExports(
  real: Namespace,
  entries: Iterable<string>,
  observerOf: (entry: string) => Observer,
): Record<string, unknown> {
  const exported: Record<string, unknown> = {};
  for (const entry of new Set(entries)) {
    const [root = "", member] = entry.split(".");
    const observer = observerOf(entry);
    exported[root] ??= real[root];
    if (member === undefined || member === "constructor")
      exported[root] = wrapExport(exported[root], observer);
    else watchMember(exported[root], member, observer);
  }
  return exported;
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

/** In place, so that the class stays the one that the module itself uses. */
function watchMember(owner: unknown, member: string, observer: Observer): void {
  if ((typeof owner !== "function" && typeof owner !== "object") || owner === null) return;
  const prototype: unknown = Reflect.get(owner, "prototype");
  const holder =
    typeof prototype === "object" && prototype !== null && member in prototype ? prototype : owner;
  const descriptor = descriptorOf(holder, member);
  if (typeof descriptor?.value === "function")
    redefine(holder, member, wrapped(descriptor.value, observer), descriptor.enumerable);
}

function descriptorOf(holder: object, member: string): PropertyDescriptor | undefined {
  for (let at: object | null = holder; at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is frozen stays unwatched, and so unproven. */
function redefine(holder: object, member: string, value: unknown, enumerable = false): void {
  Reflect.defineProperty(holder, member, { value, enumerable, configurable: true, writable: true });
}
