// What each test that passed was seen to do: with the entry points where a contract names them, otherwise by what the compiler sees.
import { notOfTheModule, tooFewTries } from "../domain/evidence/property-run.ts";
import type { Seen, SeenTest } from "../domain/evidence/seen-layers.ts";
import { comesFrom } from "../domain/evidence/test-title.ts";
import type { PropertyRun, TestRunReport } from "../toolchains/port.ts";
import type { Facts } from "./facts.ts";

export type SeenTests = { kind: "seen"; tests: SeenTest[] } | { kind: "error"; message: string };

export async function seenTests(facts: Facts, report: TestRunReport): Promise<SeenTests> {
  const { contract } = facts.module;
  if (contract !== undefined && report.contacts === undefined)
    return {
      kind: "error",
      message: "nobody knows what the tests called: the watch on the entry points was meddled with",
    };
  const integrates = await integrationOf(facts);
  if (integrates.kind === "error") return integrates;
  const touched = contract === undefined ? await byCompiler(facts, report) : byWatch(report);
  const passing = report.run.results.filter(({ outcome, retries }) => outcome === "passed" && retries === 0);
  return {
    kind: "seen",
    tests: passing.map(({ name, file }) => {
      const { reaches, property, contract: judged } = touched(file, name);
      const unit: Seen = property === "seen" ? "unknown" : reaches ? "seen" : { not: CALLS_NOTHING };
      const layers = { unit, property, contract: judged, integration: integrates.of(file, name) };
      return { name, file, layers };
    }),
  };
}

const CALLS_NOTHING = "it calls no entry point of the module";

type Touched = (file: string, name: string) => { reaches: boolean; property: Seen; contract: Seen };

function byWatch({ contacts }: TestRunReport): Touched {
  return (file, name) => {
    const own = contacts?.tests.filter((each) => each.file === file && each.test === name) ?? [];
    const loaded = contacts?.loading.some((each) => each.file === file) === true;
    const properties = own.flatMap((each) => each.properties);
    return {
      // What a file has called for all of its tests, each of them looks at.
      reaches: loaded || own.some(({ entries }) => entries.length > 0),
      property: propertySeen(properties, notOfTheModule),
      contract: own.some(({ upheld }) => upheld > 0)
        ? "seen"
        : { not: "no promise of the contract was put to the test in it" },
    };
  };
}

/** Without a contract nobody knows what to watch; there is also nobody who was told of layers. */
async function byCompiler(facts: Facts, { properties }: TestRunReport): Promise<Touched> {
  const { tests } = await facts.truth();
  return (file, name) => {
    const calls = tests.filter((test) => comesFrom(name, test.name)).flatMap((test) => test.calls);
    const reaches = calls.length > 0;
    const own = properties.filter((each) => each.file === file && each.test === name);
    const property = propertySeen(own, tooFewTries);
    return { reaches, property: reaches ? property : { not: CALLS_NOTHING }, contract: "unknown" };
  };
}

function propertySeen(
  properties: readonly PropertyRun[],
  against: (property: PropertyRun) => string | undefined,
): Seen {
  const reasons = properties.map(against);
  if (reasons.includes(undefined)) return "seen";
  return { not: `it ${reasons[0] ?? "has no property that fast-check tried"}` };
}

/** A test in which a dependency really ran is one that fails when the dependencies do not work. */
async function integrationOf(
  facts: Facts,
): Promise<{ kind: "known"; of: (file: string, name: string) => Seen } | { kind: "error"; message: string }> {
  const depends = (facts.module.contract?.dependencies.length ?? 0) > 0;
  if (!depends) return { kind: "known", of: () => (facts.module.contract === undefined ? "unknown" : ALONE) };
  const broken = await facts.withBrokenDependencies();
  if (broken === undefined) return { kind: "known", of: () => "unknown" };
  const report = await broken.run();
  if (report.kind === "no-report")
    return { kind: "error", message: `with dependencies that do not work: ${report.why}` };
  const still = new Set(
    report.run.results.flatMap(({ outcome, file, name }) =>
      outcome === "passed" ? [`${file}\n${name}`] : [],
    ),
  );
  return { kind: "known", of: (file, name) => (still.has(`${file}\n${name}`) ? UNMOVED : "seen") };
}

const ALONE: Seen = { not: "the module has no dependency" };
const UNMOVED: Seen = { not: "it passes although no dependency works" };
