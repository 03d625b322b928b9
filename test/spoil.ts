// Breaks a valid record in one place at a time, so that a test can insist that its schema sees each break just there.
import { jsonPath } from "../src/domain/parse.ts";

export interface Spoiled {
  /** Where the break is, and so where the schema must report it. */
  path: string;
  how: string;
  input: unknown;
}

/**
 * Blanks every text, makes every number negative and adds a key to every object, one at a time. `free` names the
 * paths where any text or key is welcome; nothing below them is broken.
 */
export function spoil(record: unknown, free: readonly string[] = []): Spoiled[] {
  return breaks(record, [], new Set(free));
}

function breaks(value: unknown, at: PropertyKey[], free: ReadonlySet<string>): Spoiled[] {
  const path = jsonPath(at);
  if (free.has(path)) return [];
  if (typeof value === "string") return [{ path, how: "blank", input: " " }];
  if (typeof value === "number") return [{ path, how: "negative", input: -1 - value }];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      breaks(item, [...at, index], free).map(({ path: place, how, input }) => ({
        path: place,
        how,
        input: value.with(index, input),
      })),
    );
  }
  if (typeof value !== "object" || value === null) return [];
  const extra = { path: jsonPath([...at, "extra"]), how: "extra key", input: { ...value, extra: 1 } };
  const inner = Object.entries(value).flatMap(([key, item]) =>
    breaks(item, [...at, key], free).map(({ path: place, how, input }) => ({
      path: place,
      how,
      input: { ...value, [key]: input },
    })),
  );
  return [extra, ...inner];
}
