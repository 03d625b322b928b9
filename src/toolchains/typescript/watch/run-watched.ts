// One run of all tests in which predicates and effects are watched as well, also of a source that only rides along.
import type { FileCoverage } from "../../../domain/evidence/coverage.ts";
import type { Beside, SeenBeside, Site, TestOptions, TestReport, TestRunReport } from "../../port.ts";
import { type RunExtras, runVitest, toolPath, type WorkerReports } from "../vitest-run.ts";
import { contactsOf, idleContact } from "../vitest-report.ts";
import type { WireCoverage, WireFile } from "../wire-report.ts";
import { type AssertionWatch, watchAssertions } from "./watch-assertions.ts";
import { type EffectWatch, watchEffects } from "./watch-effects.ts";
import { type PredicateWatch, watchPredicates } from "./watch-predicates.ts";

export async function runWatched(site: Site, options: TestOptions): Promise<TestReport> {
  const { predicates, beside } = options;
  const watches = await watchesFor(site, options);
  let [reports, counted, files]: [WorkerReports, readonly WireCoverage[], readonly WireFile[]] = [{}, [], []];
  const report = await runVitest(site, options, {
    ...extrasOf(watches, beside),
    collect: (...collected) => {
      [reports, counted, files] = collected;
    },
  });
  if (report.kind === "no-report") return report;
  const seenOf = (own: TestOptions["predicates"] = [], sources: readonly string[]): Seen => ({
    ...watches.predicates?.read(reports, own),
    ...seenEffects(watches.effects, reports, sources),
  });
  const watched = watches.predicates?.watched(reports);
  const ownReport = {
    ...report,
    ...seenOf(predicates, site.layout.sources),
    ...(watched === undefined ? {} : { contacts: contactsOf(files, watched) }),
    ...(watches.assertions === undefined ? {} : { unreached: watches.assertions.read(reports) }),
  };
  if (beside === undefined) return ownReport;
  const idle = idleContact(files);
  const seen = {
    ...seenOf(beside.predicates, [toolPath(SOURCE)]),
    ...seenCoverage(counted),
    ...(idle === undefined ? {} : { idle }),
  };
  return { ...ownReport, beside: seen };
}

const SOURCE = "beside.mjs";
/** Apart, because coverage leaves out what is set up itself. */
const LOADER = "load-beside.mjs";

type Seen = Omit<SeenBeside, "coverage"> & Pick<TestRunReport, "calls">;

interface Watches {
  predicates: PredicateWatch | undefined;
  effects: EffectWatch | undefined;
  assertions: AssertionWatch | undefined;
}

async function watchesFor(site: Site, options: TestOptions): Promise<Watches> {
  const { predicates, declaredErrors = {}, watchedEntries = [], effects = false, beside } = options;
  const all = [...(predicates ?? []), ...(beside?.predicates ?? [])];
  const sources = beside === undefined ? [] : [toolPath(SOURCE)];
  return {
    predicates:
      predicates === undefined ? undefined : await watchPredicates(site, all, declaredErrors, watchedEntries),
    effects: effects ? await watchEffects(site, sources) : undefined,
    assertions: predicates === undefined ? undefined : watchAssertions(site),
  };
}

function extrasOf({ predicates, effects, assertions }: Watches, beside: Beside | undefined): RunExtras {
  const riding: RunExtras =
    beside === undefined
      ? {}
      : {
          tools: { [SOURCE]: beside.source, [LOADER]: `import "./${SOURCE}";\n` },
          setupFiles: [LOADER],
          cover: [SOURCE],
        };
  return {
    ...riding,
    tools: { ...predicates?.tools, ...effects?.tools, ...assertions?.tools, ...riding.tools },
    // Whoever watches comes first.
    setupFiles: [...(effects?.setupFiles ?? []), ...(riding.setupFiles ?? [])],
    vitePlugins: [...(predicates?.vitePlugins ?? []), ...(assertions?.vitePlugins ?? [])],
  };
}

function seenEffects(
  watch: EffectWatch | undefined,
  reports: WorkerReports,
  sources: readonly string[],
): Pick<SeenBeside, "effects"> {
  const effects = watch?.read(reports, sources);
  return effects === undefined ? {} : { effects };
}

/** Where no line of it was covered, it was not loaded, and what was counted says nothing. */
function seenCoverage(counted: readonly WireCoverage[]): { coverage?: FileCoverage } {
  const coverage = counted.find(({ file }) => file === toolPath(SOURCE));
  return coverage === undefined || coverage.lines.covered === 0 ? {} : { coverage };
}
