// Shows a value as text so that two can be compared; what has an inside that cannot be seen is said to be opaque.

export class Opaque extends Error {}

const DEEPEST = 30;

/** What is known of instances of the module's own classes. */
export interface Known {
  /** Instances that are in use: what they do tells more than their fields. */
  own: readonly object[];
  /** The name of its class, if its fields tell all about it; `isWithin` another such instance. */
  classNameOf(value: object, isWithin: boolean): string | undefined;
  /** What stands for a thing instead of its inside. */
  instead?(value: object): string | undefined;
  /** Fields by name, where their order says nothing. */
  isSorted?: boolean;
}

const NOTHING: Known = { own: [], classNameOf: () => undefined };

export function picture(value: unknown, known: Known = NOTHING): string {
  return pictureWithin(value, { known, path: [], isWithin: false });
}

interface Around {
  known: Known;
  path: readonly object[];
  /** An instance of a class of the module. */
  isWithin: boolean;
}

function pictureWithin(value: unknown, around: Around): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "boolean":
    case "undefined":
      return String(value);
    case "symbol":
      return value.toString();
    case "function": {
      const named = around.known.instead?.(value);
      if (named === undefined) throw new Opaque("a function");
      return named;
    }
    case "object":
      return value === null ? "null" : pictureOfObject(value, around);
  }
}

function pictureOfObject(value: object, { known, path, isWithin }: Around): string {
  const instead = known.instead?.(value);
  if (instead !== undefined) return instead;
  const used = known.own.indexOf(value);
  if (used !== -1) return used === 0 ? "<this>" : `<this ${used}>`;
  const loop = path.indexOf(value);
  if (loop !== -1) return `<up ${path.length - loop}>`;
  if (path.length > DEEPEST) throw new Opaque("something very deep");
  const ownClass = known.classNameOf(value, isWithin);
  const inside = { known, path: [...path, value], isWithin: isWithin || ownClass !== undefined };
  const of = (item: unknown) => pictureWithin(item, inside);
  return pictureOfBuiltIn(value, of) ?? pictureOfFields(value, of, ownClass, known.isSorted === true);
}

function pictureOfBuiltIn(value: object, of: (item: unknown) => string): string | undefined {
  if (value instanceof Error) {
    // The stack says where, which a mutant may change without changing what is thrown.
    const own = Object.keys(value).filter((key) => key !== "stack");
    const fields = own.map((key) => `${key}: ${of(Reflect.get(value, key))}`);
    return `${classOf(value)} ${value.name} ${JSON.stringify(value.message)} {${fields.join(", ")}} ${of(value.cause)}`;
  }
  if (Array.isArray(value)) {
    const items = Array.from({ length: value.length }, (_, at) => (at in value ? of(value[at]) : "<hole>"));
    return `${classOf(value)} [${items.join(", ")}]`;
  }
  if (value instanceof Date) return `Date ${value.getTime()}`;
  if (value instanceof RegExp) return `RegExp ${value.toString()} ${value.lastIndex}`;
  if (value instanceof Map) {
    const entries = [...value].map(([key, item]) => `${of(key)} => ${of(item)}`);
    return `${classOf(value)} {${entries.join(", ")}}`;
  }
  if (value instanceof Set) return `${classOf(value)} {${[...value].map((item) => of(item)).join(", ")}}`;
  if (ArrayBuffer.isView(value))
    return `${classOf(value)} ${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`;
  return undefined;
}

function pictureOfFields(
  value: object,
  of: (item: unknown) => string,
  ownClass: string | undefined,
  isSorted: boolean,
): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || prototype === Object.prototype;
  if (!isPlain && ownClass === undefined) throw new Opaque(`a ${classOf(value)}`);
  const fields = Reflect.ownKeys(value).map((key) => `${String(key)}: ${of(Reflect.get(value, key))}`);
  if (isSorted) fields.sort();
  return `${ownClass ?? (prototype === null ? "null-" : "")}{${fields.join(", ")}}`;
}

function classOf(value: object): string {
  const maker: unknown = Reflect.get(value, "constructor");
  return typeof maker === "function" ? maker.name : "nothing";
}
