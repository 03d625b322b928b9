// By which names an error that was thrown or handed back can be told.
import type { Outcome } from "./call-watch.ts";

export function namesOf(call: Outcome): unknown[] {
  const value = call.kind === "threw" ? call.error : call.result;
  if (typeof value !== "object" || value === null) return [value];
  const names = ["name", "code", "kind", "type", "error"].map((key): unknown => Reflect.get(value, key));
  for (let at: unknown = value; typeof at === "object" && at !== null; at = Object.getPrototypeOf(at))
    names.push(Reflect.get(at, "constructor")?.name);
  return names;
}
