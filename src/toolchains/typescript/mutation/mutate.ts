// Mutates a module: every mutant judged by the tests that reach it, survivors compared with the original on generated
// inputs, and StrykerJS where the fast runner cannot serve.
import type { Mutant } from "../../../domain/evidence/mutant.ts";
import type { KnownMutant, MutationOptions, MutationReport, Site } from "../../port.ts";
import { inTurn } from "../in-turn.ts";
import { bundleModule } from "../inner/bundle.ts";
import { compilerSettings, readConfiguration } from "../inner/configuration.ts";
import type { Ground } from "../inner/ground.ts";
import type { MutantOutcome } from "../inside/inner-job.ts";
import { findEquivalent } from "./equivalence.ts";
import { instrument, type Instrumented, type Unjudged, withoutPlace } from "./instrument.ts";
import { judgeAll, type Judging } from "./judge.ts";
import { type KeyGround, keysFor, likelyUnknown, stillKnown } from "./keys.ts";
import { cutIntoRegions } from "./regions.ts";
import { strykerMutants } from "./stryker.ts";

export interface EngineOptions extends MutationOptions {
  /** Whether survivors are compared with the original; a comparison of engines leaves it out. */
  equivalence?: boolean;
}

export async function mutate(ground: Ground, site: Site, options: EngineOptions): Promise<MutationReport> {
  const instrumented = await inTurn(() => instrument(site), "first");
  if (instrumented.kind === "impossible") return instrumented;
  if (instrumented.mutants.length === 0)
    return { kind: "mutated", mutants: [], engine: { name: "inner" }, keys: new Map() };
  const attempt = await innerEngine(ground, site, instrumented, options);
  if (attempt.kind === "mutated" || attempt.kind === "impossible") return attempt;
  if ((await options.isGreen?.()) === false) return { kind: "impossible", why: attempt.why };
  return strykerMutants(site, instrumented.mutants, attempt.why, options);
}

type Attempt = MutationReport | { kind: "unsupported"; why: string };
type Ready = Extract<Instrumented, { kind: "instrumented" }>;

async function innerEngine(
  ground: Ground,
  site: Site,
  { mutants, sources, switchName }: Ready,
  options: EngineOptions,
): Promise<Attempt> {
  const configuration = await readConfiguration(site);
  if (configuration.kind === "unsupported") return configuration;
  const files = [...new Set([...site.layout.tests, site.layout.entry])];
  const bundle = await inTurn(() => bundleModule({ site, ground, files, replaced: sources }), "first");
  if (bundle.kind === "unsupported") return bundle;

  const regions = cutIntoRegions(site.files(), site.layout.sources, mutants);
  const wanted = wantedOf(mutants, options);
  const judging: Judging = {
    site,
    bundle,
    globals: configuration.globals,
    testTimeoutMs: configuration.testTimeoutMs ?? TEST_TIMEOUT_MS,
    switchName,
    mutants: mutants.length,
    regions: regions.ofMutant,
    wanted,
    likely: likelyUnknown(options.known, wanted, { mutants, regions }),
    options,
  };
  const settings = JSON.stringify([compilerSettings(site.files()), configuration]);
  const content: KeyGround = { site, bundle, regions, mutants, settings };
  const answers = new Map<number, KnownMutant>();
  const judged = await judgeAll(judging, (dry, left) => {
    const keyOf = keysFor(content, dry);
    for (const index of left) {
      const [mutant, found] = [mutants[index], stillKnown(options.known, keyOf(index), regions)];
      if (mutant !== undefined && found !== undefined)
        answers.set(index, { ...found, mutant: { ...found.mutant, ...withoutPlace(mutant) } });
    }
    return left.filter((index) => !answers.has(index));
  });
  if (judged.kind !== "judged") return judged;

  const hashesOf = (ran: readonly number[]) =>
    Object.fromEntries(
      ran.map((number) => regions.names[number] ?? "").map((name) => [name, regions.hashes.get(name) ?? ""]),
    );
  for (const [index, { outcome, ran }] of judged.outcomes) {
    const mutant = mutants[index];
    if (mutant !== undefined) answers.set(index, { mutant: answered(mutant, outcome), ran: hashesOf(ran) });
  }
  const survivors = [...judged.outcomes].flatMap(([index, { outcome }]) =>
    outcome.status === "survived" ? [index] : [],
  );
  const compared = options.equivalence === false ? [] : survivors;
  for (const [index, { equivalence, ran }] of await findEquivalent(judging, mutants, compared)) {
    const answer = answers.get(index);
    if (answer === undefined) continue;
    const status = equivalence === undefined ? {} : { status: "equivalent" as const, equivalence };
    answers.set(index, { mutant: { ...answer.mutant, ...status }, ran: { ...answer.ran, ...hashesOf(ran) } });
  }
  const keyOf = keysFor(content, judged.dry);
  const keys = new Map<string, KnownMutant>();
  for (const [index, answer] of answers) {
    const key = keyOf(index);
    // A time-out may have been the machine's fault.
    if (key !== undefined && answer.mutant.status !== "timeout") keys.set(key, answer);
  }
  const ordered = [...answers].toSorted(([one], [other]) => one - other).map(([, { mutant }]) => mutant);
  return { kind: "mutated", mutants: ordered, engine: { name: "inner" }, keys };
}

/** vitest's own, where the configuration names none. */
const TEST_TIMEOUT_MS = 5_000;

function wantedOf(mutants: readonly Unjudged[], { only }: MutationOptions): number[] {
  const all = [...mutants.keys()];
  if (only === undefined) return all;
  const lines = new Set(only.map(({ file, line }) => `${line} ${file}`));
  return all.filter((index) => {
    const mutant = mutants[index];
    return mutant !== undefined && lines.has(`${mutant.line} ${mutant.file}`);
  });
}

function answered(unjudged: Unjudged, outcome: MutantOutcome): Mutant {
  const mutant = withoutPlace(unjudged);
  switch (outcome.status) {
    case "killed":
      return { ...mutant, status: "killed", killedBy: outcome.killedBy };
    case "timeout": {
      const { baselineMs, limitMs } = outcome;
      return { ...mutant, status: "timeout", killedBy: [], timing: { baselineMs, limitMs } };
    }
    case "survived":
    case "noCoverage":
    case "invalid":
      return { ...mutant, status: outcome.status, killedBy: [] };
  }
}
