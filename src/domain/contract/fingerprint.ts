// Three hashes of a contract that must not be mixed up: what it promises, what code shows, and the whole of it.
import { canonicalHash, dropUndefined } from "../canonical.ts";
import { DIMENSIONS } from "./contract.ts";
import type { Dimension, EntryPoint, MicroModuleContract } from "./contract.ts";

export type FiveDimensions = Pick<MicroModuleContract, Dimension>;

/** Identifies the contract: the five dimensions and nothing else, so that renaming or retagging changes nothing. */
export function contractFingerprint(contract: FiveDimensions): string {
  const five = Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, contract[dimension]]));
  return canonicalHash(dropUndefined(five));
}

/** What the surface extracted from code is compared with: the entry points, in no particular order. */
export function surfaceFingerprint(entryPoints: readonly EntryPoint[]): string {
  return canonicalHash(canonicalSurface(entryPoints));
}

/** The whole contract, predicates and budgets included; once locked, any change shows. */
export function contractLock(contract: MicroModuleContract): string {
  return canonicalHash(dropUndefined(contract));
}

/** The order of entry points, and of the errors and effects of each, says nothing; the order of inputs does. */
export function canonicalSurface(entryPoints: readonly EntryPoint[]): EntryPoint[] {
  return entryPoints
    .map((entry) => ({
      ...entry,
      signature: squeeze(entry.signature),
      errors: entry.errors.toSorted(),
      effects: entry.effects.toSorted(),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** White space in code says nothing. */
export function squeeze(code: string): string {
  return code.replaceAll(/\s+/g, " ").trim();
}
