// Under which keys answers about mutants are kept, and when a kept answer still holds: as long as everything that was
// run for it is the same.
import { readFileSync } from "node:fs";
import { sha256Hex } from "../../../domain/canonical.ts";
import type { KnownMutant, KnownMutants, Site } from "../../port.ts";
import type { ModuleBundle } from "../inner/bundle.ts";
import { inputPath } from "../inner/bundle.ts";
import type { DryRun } from "../inside/inner-job.ts";
import { limitsOf } from "../inside/inner-limits.ts";
import type { Unjudged } from "./instrument.ts";
import type { Regions } from "./regions.ts";

/** Changes whenever the same content could be judged differently. */
const ENGINE = "inner 2, @stryker-mutator/instrumenter 9.6.1, vitest 4.1.12";

export interface KeyGround {
  site: Site;
  bundle: ModuleBundle;
  regions: Regions;
  mutants: readonly Unjudged[];
  /** How the module is compiled and run. */
  settings: string;
}

/** Answers with the key of a mutant; undefined when no test reaches it. */
export function keysFor(ground: KeyGround, dry: DryRun): (index: number) => string | undefined {
  const { site, bundle, regions, mutants, settings } = ground;
  const files = site.files();
  const hashOfInput = remembered((input: string) => {
    // What of a source always counts; its functions count where they ran.
    const rest = regions.restOf(input);
    return rest ?? sha256Hex(files[input] ?? readFileSync(inputPath(site, input), "utf8"));
  });
  const hashOfFile = remembered((file: string) => {
    const inputs = bundle.inputs.get(file) ?? [];
    return sha256Hex(JSON.stringify(inputs.map((input) => [input, hashOfInput(input)])));
  });
  const places = placesInRegions(ground);
  return (index) => {
    const { tests } = limitsOf(dry, index, 0);
    const mutant = mutants[index];
    if (tests.length === 0 || mutant === undefined) return undefined;
    const covering = [...new Set(tests.map(({ file }) => file))].toSorted();
    const named = tests.map(({ file, name }) => [file, name]);
    const own = [mutant.file, places[index], mutant.operator, mutant.replacement];
    return sha256Hex(JSON.stringify([ENGINE, settings, own, named, covering.map(hashOfFile)]));
  };
}

/** Where a mutant stands, however far its function was moved: the how-manieth it is of its function as it is now. */
function placesInRegions({ regions, mutants }: KeyGround): string[] {
  const counts = new Map<string, number>();
  return mutants.map(({ file }, index) => {
    const name = regions.names[regions.ofMutant[index] ?? -1] ?? file;
    const place = counts.get(name) ?? 0;
    counts.set(name, place + 1);
    return `${name} ${regions.hashes.get(name) ?? ""} ${place}`;
  });
}

/** What is known under a key, as long as no function that ran for it has changed. */
export function stillKnown(
  known: KnownMutants | undefined,
  key: string | undefined,
  { hashes }: Regions,
): KnownMutant | undefined {
  const found = key === undefined ? undefined : known?.get(key);
  const changed = Object.entries(found?.ran ?? {}).some(([name, hash]) => hashes.get(name) !== hash);
  return changed ? undefined : found;
}

/**
 * Those of which no answer seems to be known, before it is clear which tests reach them. A guess that decides nothing;
 * where some of several that look the same have none, nobody knows yet which.
 */
export function likelyUnknown(
  known: KnownMutants | undefined,
  wanted: readonly number[],
  { mutants, regions }: Pick<KeyGround, "mutants" | "regions">,
): number[] {
  const labels = mutants.map(labelOf);
  const holding = [...(known ?? [])].filter(([key]) => stillKnown(known, key, regions) !== undefined);
  const answered = countOf(holding.map(([, { mutant }]) => labelOf(mutant)));
  const asked = countOf(labels);
  return wanted.filter((index) => {
    const label = labels[index] ?? "";
    return (answered.get(label) ?? 0) < (asked.get(label) ?? 0);
  });
}

function countOf(labels: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

function labelOf({
  file,
  function: inside,
  operator,
  original,
  replacement,
}: Omit<Unjudged, "place">): string {
  return JSON.stringify([file, inside, operator, original, replacement]);
}

function remembered(find: (name: string) => string): (name: string) => string {
  const found = new Map<string, string>();
  return (name) => {
    const known = found.get(name) ?? find(name);
    found.set(name, known);
    return known;
  };
}
