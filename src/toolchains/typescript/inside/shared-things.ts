// Tells what of the things that all code of a process shares was changed since somebody looked first: whatever can be reached
// from the globals, from what the language keeps without a name, and from modules of the system that everybody imports.
import { createRequire } from "node:module";
import { inspect } from "node:util";

/** Asked before foreign code is loaded; the answer names what is another than then. */
export function sharedThings(): () => string[] {
  const before = everythingShared();
  return () =>
    before.flatMap((each) => [
      ...changesOf(each.name, each.fields, fieldsOf(each.holder)),
      ...(each.isOpen && !isExtensible(each.holder) ? [`what can be added to ${each.name}`] : []),
      ...(each.set === settingsOf(each.name, each.holder) ? [] : [`what ${each.name} is set to`]),
    ]);
}

/** Taken before foreign code can put others in their place. */
const { apply, ownKeys, getOwnPropertyDescriptor, getPrototypeOf, isExtensible } = Reflect;
const write = JSON.stringify;

/** What has no name of its own; the prototypes above are found from here. */
const NAMELESS: readonly (readonly [string, object])[] = [
  ["an array's iterator", [].values()],
  ["a text's iterator", ""[Symbol.iterator]()],
  ["a map's iterator", new Map().entries()],
  ["a set's iterator", new Set().values()],
  ["an iterator of matches", "".matchAll(/x/g)],
  ["a generator", function* () {}],
  ["an async function", async () => undefined],
  ["an async generator", async function* () {}],
];

/** Modules without effects, which are the same objects for all who import them. */
const MODULES = [
  "path",
  "util",
  "url",
  "assert",
  "querystring",
  "string_decoder",
  "events",
  "buffer",
  "stream",
];

interface Holder {
  name: string;
  holder: object;
  fields: Fields;
  /** Whether something could be added to it. */
  isOpen: boolean;
  /** What a module of the system gives where it can be told another. */
  set: string;
}

function everythingShared(): Holder[] {
  const find = createRequire(`${process.cwd()}/`);
  const found: Holder[] = [];
  // The process counts and keeps things on its own; of it only the environment is anybody's.
  const known = new Set<unknown>([process]);
  const waiting: [string, unknown][] = [
    ["globalThis", globalThis],
    ["process.env", process.env],
    ...NAMELESS.map(([name, thing]): [string, unknown] => [name, getPrototypeOf(thing)]),
    ...MODULES.map((name): [string, unknown] => [name, find(`node:${name}`)]),
    ["util.inspect.defaultOptions", inspect.defaultOptions],
  ];
  // Breadth first, so that each is called by its shortest name; what is added meanwhile is gone through as well.
  for (const [name, holder] of waiting) {
    if (!isHolder(holder) || known.has(holder)) continue;
    known.add(holder);
    const fields = fieldsOf(holder);
    const isOpen = isExtensible(holder);
    found.push({ name, holder, fields, isOpen, set: settingsOf(name, holder) });
    const start = name === "globalThis" ? "" : `${name}.`;
    for (const [key, field] of fields) {
      const parts: unknown[] = Object.values(field);
      for (const each of parts) waiting.push([`${start}${String(key)}`, each]);
    }
    waiting.push([`what ${name} builds on`, getPrototypeOf(holder)]);
  }
  return found;
}

/** `events.defaultMaxListeners` is asked for and told by functions, so its field never changes. */
function settingsOf(name: string, holder: object): string {
  if (!MODULES.includes(name)) return "";
  const values = ownKeys(holder).map((key) => {
    const { get, set } = getOwnPropertyDescriptor(holder, key) ?? {};
    const value: unknown = get === undefined || set === undefined ? undefined : apply(get, holder, []);
    return typeof value === "object" || typeof value === "function" ? null : value;
  });
  return write(values);
}

function isHolder(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

type Fields = ReadonlyMap<PropertyKey, PropertyDescriptor>;

function fieldsOf(holder: object): Fields {
  const fields = new Map<PropertyKey, PropertyDescriptor>();
  for (const key of ownKeys(holder)) {
    const field = getOwnPropertyDescriptor(holder, key);
    if (field !== undefined) fields.set(key, field);
  }
  return fields;
}

function changesOf(name: string, before: Fields, after: Fields): string[] {
  const changed: string[] = [];
  for (const [key, field] of after) {
    const known = before.get(key);
    // Node itself puts a value in the place of a getter when it is asked for the first time.
    const isSame =
      known?.get === undefined
        ? known !== undefined && Object.is(known.value, field.value) && isAsOpen(known, field)
        : field.get === undefined || field.get === known.get;
    if (!isSame) changed.push(`${name}.${String(key)}`);
  }
  for (const key of before.keys()) if (!after.has(key)) changed.push(`${name}.${String(key)}`);
  return changed;
}

/** Whoever freezes what all share changes it for all. */
function isAsOpen(before: PropertyDescriptor, after: PropertyDescriptor): boolean {
  return before.writable === after.writable && before.configurable === after.configurable;
}
