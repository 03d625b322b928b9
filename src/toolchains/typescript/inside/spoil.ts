// Changes a result as callers may who got it to keep; what cannot be changed stays as it is.

export function spoil(value: unknown): void {
  if (value instanceof Map || value instanceof Set) {
    if (value.size > 0) return value.clear();
    if (value instanceof Map) value.set("cupel spoils", true);
    else value.add("cupel spoils");
  } else if (Array.isArray(value)) Reflect.set(value, "length", value.length === 0 ? 1 : 0);
  else if (typeof value === "object" && value !== null) Reflect.set(value, "cupel spoils", true);
}
