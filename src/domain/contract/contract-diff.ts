// What differs between two contracts, dimension by dimension, so that a person sees at once what moved.
import { z } from "zod";
import { canonicalJson, dropUndefined } from "../canonical.ts";
import { effectName } from "./contract-links.ts";
import { DIMENSIONS } from "./contract.ts";
import type { Dimension } from "./contract.ts";
import type { FiveDimensions } from "./fingerprint.ts";

export const DimensionChange = z.strictObject({
  dimension: z.enum(DIMENSIONS),
  kind: z.enum(["added", "removed", "changed", "reordered"]),
  /** The name of the input, output or error surface, `TYPE target` of the effect, or the key of modes. */
  name: z.string(),
  before: z.json().optional(),
  after: z.json().optional(),
});
export type DimensionChange = z.infer<typeof DimensionChange>;

type Item = { name: string; value: z.core.util.JSONType };

/** Empty exactly when both have the same contract fingerprint. */
export function diffContracts(before: FiveDimensions, after: FiveDimensions): DimensionChange[] {
  return DIMENSIONS.flatMap((dimension) =>
    diffItems(dimension, itemsOf(before, dimension), itemsOf(after, dimension)),
  );
}

/** One line per change, as an escalation shows it. */
export function renderChange(change: DimensionChange): string {
  const place = `${change.dimension}: ${change.name}`;
  switch (change.kind) {
    case "added":
      return `+ ${place} ${JSON.stringify(change.after)}`;
    case "removed":
      return `- ${place} ${JSON.stringify(change.before)}`;
    case "changed":
      return `~ ${place} ${JSON.stringify(change.before)} → ${JSON.stringify(change.after)}`;
    case "reordered":
      return `~ ${place} moved from position ${JSON.stringify(change.before)} to ${JSON.stringify(change.after)}`;
  }
}

function diffItems(dimension: Dimension, before: Item[], after: Item[]): DimensionChange[] {
  const old = new Map(before.map((item) => [item.name, item.value]));
  const fresh = new Map(after.map((item) => [item.name, item.value]));
  const removed = before
    .filter((item) => !fresh.has(item.name))
    .map((item) => ({ dimension, kind: "removed" as const, name: item.name, before: item.value }));
  const others = after.flatMap((item): DimensionChange[] => {
    const previous = old.get(item.name);
    if (previous === undefined) return [{ dimension, kind: "added", name: item.name, after: item.value }];
    if (canonicalJson(previous) === canonicalJson(item.value)) return [];
    return [{ dimension, kind: "changed", name: item.name, before: previous, after: item.value }];
  });
  return [...removed, ...others, ...reordered(dimension, before, after)];
}

/** The first of the items both have whose place among them differs. */
function reordered(dimension: Dimension, before: Item[], after: Item[]): DimensionChange[] {
  const afterNames = after.map((item) => item.name);
  const kept = before.map((item) => item.name).filter((name) => afterNames.includes(name));
  const keptAfter = afterNames.filter((name) => kept.includes(name));
  const position = kept.findIndex((name, index) => name !== keptAfter[index]);
  const name = kept[position];
  if (name === undefined || dimension === "modes") return [];
  return [{ dimension, kind: "reordered", name, before: position, after: keptAfter.indexOf(name) }];
}

function itemsOf(contract: FiveDimensions, dimension: Dimension): Item[] {
  if (dimension === "modes") {
    return Object.entries(contract.modes).map(([name, value]) => ({ name, value }));
  }
  if (dimension === "effects") {
    return contract.effects.map((effect) => ({ name: effectName(effect), value: plain(effect) }));
  }
  return contract[dimension].map((item) => ({ name: item.name, value: plain(item) }));
}

function plain(value: object): z.core.util.JSONType {
  return z.json().parse(dropUndefined(value));
}
