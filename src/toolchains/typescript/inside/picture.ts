// Shows a value as text so that two can be compared; what has an inside that cannot be seen is said to be opaque.

export class Opaque extends Error {}

const DEEPEST = 30;

export function picture(value: unknown, path: readonly object[] = []): string {
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
    case "function":
      throw new Opaque("a function");
    case "object":
      return value === null ? "null" : pictureOfObject(value, path);
  }
}

function pictureOfObject(value: object, path: readonly object[]): string {
  const loop = path.indexOf(value);
  if (loop !== -1) return `<up ${path.length - loop}>`;
  if (path.length > DEEPEST) throw new Opaque("something very deep");
  const inside = [...path, value];
  const of = (item: unknown) => picture(item, inside);
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
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) throw new Opaque(`a ${classOf(value)}`);
  const fields = Reflect.ownKeys(value).map((key) => `${String(key)}: ${of(Reflect.get(value, key))}`);
  return `${prototype === null ? "null-" : ""}{${fields.join(", ")}}`;
}

function classOf(value: object): string {
  const maker: unknown = Reflect.get(value, "constructor");
  return typeof maker === "function" ? maker.name : "nothing";
}
