// Prepares the program that runs examples, and the watch on the entry points they call.
import type { ExampleOptions, Site } from "../../port.ts";
import { insideScript } from "../inside-script.ts";
import { STUB_MARK } from "../stub-mark.ts";
import type { RunExtras } from "../vitest-run.ts";
import { mentions } from "../watch/check-expression.ts";
import type { WatchedPredicate, WatchPlan } from "../watch/predicate-plan.ts";
import { checkPredicate, hasDefault, isEntryName } from "../watch/watch-predicates.ts";
import type { ExamplePlan, WatchedSurface } from "./example-plan.ts";

export async function watchExamples(
  site: Pick<Site, "layout" | "files">,
  { entryPoints, errorSurfaces, predicates }: ExampleOptions,
  files: Pick<ExamplePlan, "test" | "files">,
): Promise<Pick<RunExtras, "tools" | "vitePlugins">> {
  const { entry, sources } = site.layout;
  const entries = entryPoints.map(({ name }) => name).filter(isEntryName);
  const surfaces = errorSurfaces.map(({ name, surface }, at): WatchedSurface => ({
    name,
    surface,
    entries: entryPoints.filter(({ errors }) => errors.includes(name)).map((each) => each.name),
    predicates: predicates.filter(({ of }) => of === `error_surfaces.${at}`).map(watched),
  }));
  const wrapping: WatchPlan = {
    entry,
    sources,
    hasDefault: hasDefault(site.files(), entry),
    entries,
    predicates: [],
    recorded: [],
    errors: {},
    stubMark: STUB_MARK,
  };
  const plan: ExamplePlan = { ...files, entries, surfaces };
  const [plugin, runtime] = await Promise.all([
    insideScript("predicate-watch"),
    insideScript("example-runtime"),
  ]);
  return {
    tools: {
      [PLUGIN]: `const CUPEL_WATCH = ${JSON.stringify({ plan: wrapping })};\n${plugin}`,
      [RUNTIME]: `const CUPEL_EXAMPLES = ${JSON.stringify({ plan })};\n${runtime}`,
    },
    vitePlugins: [PLUGIN],
  };
}

const PLUGIN = "predicate-watch.mjs";
const RUNTIME = "example-runtime.worker.mjs";

function watched(predicate: ExampleOptions["predicates"][number]): WatchedPredicate {
  checkPredicate(predicate);
  const { id, entry, kind, expr } = predicate;
  return {
    id,
    entry,
    kind,
    expr,
    about: { result: mentions(expr, "result"), error: mentions(expr, "error") },
  };
}
