// The head of a checkpoint: which version every channel has, who has seen which, and where the values lie. From one step to
// the next little of it changes, so a row holds only that.
import { z } from "zod";

/** Written whole after so many steps, so that reading one never walks further back. */
export const LONGEST_CHAIN = 64;

const Version = z.union([z.number(), z.string()]);

export const HeadChange = z.strictObject({
  v: z.number(),
  ts: z.string(),
  /** Channel → version, node → channel → version, channel → row of its value; what is new or changed. */
  versions: z.record(z.string(), Version),
  seen: z.record(z.string(), z.record(z.string(), Version)),
  values: z.record(z.string(), z.int().positive()),
  /** Channels that hold nothing any more. */
  emptied: z.array(z.string()),
});
export type HeadChange = z.infer<typeof HeadChange>;

export type Head = Omit<HeadChange, "emptied">;

export const EMPTY_HEAD: Head = { v: 4, ts: "", versions: {}, seen: {}, values: {} };

export function changeBetween(before: Head, after: Head): HeadChange {
  const seen = Object.entries(after.seen).flatMap(([node, channels]) => {
    const changed = changedIn(before.seen[node] ?? {}, channels);
    const known = Object.hasOwn(before.seen, node);
    return known && Object.keys(changed).length === 0 ? [] : [[node, changed] as const];
  });
  return {
    v: after.v,
    ts: after.ts,
    versions: changedIn(before.versions, after.versions),
    seen: Object.fromEntries(seen),
    values: changedIn(before.values, after.values),
    emptied: Object.keys(before.values).filter((channel) => !Object.hasOwn(after.values, channel)),
  };
}

export function applyChange(before: Head, { v, ts, versions, seen, values, emptied }: HeadChange): Head {
  const kept = Object.entries(before.values).filter(([channel]) => !emptied.includes(channel));
  const merged = Object.entries(seen).map(([node, channels]) => [
    node,
    { ...before.seen[node], ...channels },
  ]);
  return {
    v,
    ts,
    versions: { ...before.versions, ...versions },
    seen: { ...before.seen, ...Object.fromEntries(merged) },
    values: { ...Object.fromEntries(kept), ...values },
  };
}

function changedIn<T>(before: Record<string, T>, after: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key] !== value));
}
