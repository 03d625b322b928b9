// Calls that give a member of what they are handed: to code they say the same as `thing.member`, and so to whoever reads it.
import type ts from "typescript6";

export interface LookUp {
  thing: ts.Expression;
  key: ts.Expression;
}

const OF_DESCRIPTORS: readonly string[] = [
  "Object.getOwnPropertyDescriptor",
  "Reflect.getOwnPropertyDescriptor",
];
const LOOK_UPS: readonly string[] = ["Reflect.get", ...OF_DESCRIPTORS];

/** `path` is how the function that is called is known, as `Reflect.get`. */
export function lookUpBy(path: string, { arguments: [thing, key] }: ts.CallExpression): LookUp | undefined {
  if (thing === undefined || key === undefined || !LOOK_UPS.includes(path)) return undefined;
  return { thing, key };
}

export function givesDescriptor(path: string): boolean {
  return OF_DESCRIPTORS.includes(path);
}

/** What a descriptor of a member holds is the member. */
export function isHeldByDescriptor(member: string): boolean {
  return member === "value" || member === "get";
}
