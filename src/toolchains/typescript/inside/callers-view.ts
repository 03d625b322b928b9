// What callers can see of a value: two implementations may word an error and lay out a class as they like; both are known by
// name.
import { type Known, Opaque, picture } from "./picture.ts";

export const CALLERS_VIEW: Known = {
  own: [],
  classNameOf: () => undefined,
  isSorted: true,
  instead: (value) => {
    if (typeof value === "function") return "<function>";
    if (value instanceof Error) return `<${nameOf(value)}>`;
    if (isBuiltIn(value)) return undefined;
    return `<${classOf(value)}>`;
  },
};

const BUILT_IN: readonly unknown[] = [Date, RegExp, Map, Set].map((each) => each.prototype);

export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return picture(error, CALLERS_VIEW);
  return error.constructor.name;
}

function isBuiltIn(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return Array.isArray(value) || ArrayBuffer.isView(value) || BUILT_IN.includes(prototype);
}

function classOf(value: object): string {
  const maker: unknown = Reflect.get(value, "constructor");
  // What has no class to be known by could be anything.
  if (typeof maker !== "function" || maker.name === "" || maker === Object) throw new Opaque("no class");
  return maker.name;
}
