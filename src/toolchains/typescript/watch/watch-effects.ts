// Prepares the watch on files, network, clock and chance for a test run, and reads what it has seen.
import type { SeenEffect, Site } from "../../port.ts";
import { insideScript } from "../inside-script.ts";
import type { WorkerReports } from "../vitest-run.ts";
import { type EffectPlan, EFFECTS_KEY } from "./effect-plan.ts";

/** How the watch takes part in a run, in the words of RunExtras; then what it has seen. */
export interface EffectWatch {
  tools: Readonly<Record<string, string>>;
  setupFiles: readonly string[];
  /** What these sources did. Undefined when some test file gave no report, so that nobody knows what they did there. */
  read(reports: WorkerReports, sources: readonly string[]): SeenEffect[] | undefined;
}

const SETUP = "effect-watch.mjs";

/** `others` are watched like sources of the module. */
export async function watchEffects(
  { layout }: Pick<Site, "layout">,
  others: readonly string[] = [],
): Promise<EffectWatch> {
  const plan: EffectPlan = { sources: [...layout.sources, ...others] };
  const program = await insideScript("effect-watch");
  return {
    tools: { [SETUP]: `const CUPEL_EFFECTS = ${JSON.stringify(plan)};\n${program}` },
    setupFiles: [SETUP],
    read: (reports, sources) => read(reports, sources, layout.tests),
  };
}

function read(
  reports: WorkerReports,
  sources: readonly string[],
  tests: readonly string[],
): SeenEffect[] | undefined {
  const found = new Map<string, SeenEffect>();
  for (const file of tests) {
    const lists = reports[file]?.[EFFECTS_KEY] ?? [];
    if (lists.length === 0) return undefined;
    for (const effect of lists.flatMap((list) => (Array.isArray(list) ? list : [])).flatMap(effectOf))
      if (sources.includes(effect.file)) found.set(JSON.stringify(effect), effect);
  }
  return [...found.values()].toSorted((one, other) =>
    one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1,
  );
}

const TYPES: readonly SeenEffect["type"][] = ["READ", "WRITE", "NETWORK", "CLOCK", "RANDOM", "CALL"];

function effectOf(value: unknown): SeenEffect[] {
  if (typeof value !== "object" || value === null) return [];
  const at = (key: string): unknown => Reflect.get(value, key);
  const [what, file, line] = [at("what"), at("file"), at("line")];
  const type = TYPES.find((each) => each === at("type"));
  const isWhole = typeof what === "string" && typeof file === "string" && typeof line === "number";
  return type === undefined || !isWhole ? [] : [{ type, what: what.slice(0, 400), file, line }];
}
