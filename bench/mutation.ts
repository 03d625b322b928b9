// Our mutation engine against StrykerJS on the same modules: processor time, wall time, verdicts.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MutantStatus } from "../src/domain/evidence/mutant.ts";
import type { Site } from "../src/toolchains/port.ts";
import { detectLayout } from "../src/toolchains/typescript/layout.ts";
import { instrument, type Unjudged } from "../src/toolchains/typescript/mutation/instrument.ts";
import { mutate } from "../src/toolchains/typescript/mutation/mutate.ts";
import { placeKey, runStryker } from "../src/toolchains/typescript/mutation/stryker.ts";
import { openSite } from "../src/toolchains/typescript/site.ts";
import { none } from "../src/workshop/sandbox/none.ts";

const MODULES = fileURLToPath(new URL("modules/", import.meta.url));
const PACKAGES = fileURLToPath(new URL("../node_modules", import.meta.url));
const TIMEOUT_MS = 5_000;

/** Whether a mutant was noticed; engines differ in whether a run-away is called killed or timed out. */
type Verdict = "detected" | "survived" | "noCoverage" | "invalid";

interface Disagreement {
  module: string;
  file: string;
  line: number;
  replacement: string;
  ours: MutantStatus;
  stryker: MutantStatus;
}

interface Row {
  module: string;
  mutants: number;
  cpuRatio: number;
  wallRatio: number;
  ours: Cost;
  stryker: Cost;
  disagreements: Disagreement[];
}

interface Cost {
  cpuMs: number;
  wallMs: number;
}

export async function run(): Promise<Record<string, unknown>> {
  const rows: Row[] = [];
  for (const module of modules()) rows.push(await compare(module));
  const total = (of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  const mutants = total((row) => row.mutants);
  const disagreements = rows.flatMap((row) => row.disagreements);
  return {
    cpuRatio: round(total(({ stryker }) => stryker.cpuMs) / total(({ ours }) => ours.cpuMs)),
    wallRatio: round(total(({ stryker }) => stryker.wallMs) / total(({ ours }) => ours.wallMs)),
    mutants,
    agreement: round((mutants - disagreements.length) / mutants, 10_000),
    disagreements,
    modules: rows,
  };
}

export function modules(): string[] {
  return readdirSync(MODULES, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
}

export async function compare(module: string): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), "cupel-bench-"));
  const site = await open(join(MODULES, module), join(directory, "site"));
  try {
    const instrumented = await instrument(site);
    if (instrumented.kind === "impossible") throw new Error(instrumented.why);
    const ours = await costOf(() => ourVerdicts(site));
    const theirs = await costOf(() => strykerVerdicts(site, instrumented.mutants));
    return {
      module,
      mutants: ours.value.size,
      cpuRatio: round(theirs.cpuMs / ours.cpuMs),
      wallRatio: round(theirs.wallMs / ours.wallMs),
      ours: { cpuMs: ours.cpuMs, wallMs: ours.wallMs },
      stryker: { cpuMs: theirs.cpuMs, wallMs: theirs.wallMs },
      disagreements: disagreementsOf(module, instrumented.mutants, ours.value, theirs.value),
    };
  } finally {
    await site.remove();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function open(folder: string, directory: string): Promise<Site> {
  const detected = detectLayout(folder);
  if (detected.kind === "no-module") throw new Error(detected.why);
  // A sandbox has a first process of its own, whose time nobody is told; these modules are ours.
  const context = { sandbox: none(), packages: PACKAGES };
  return openSite(context, { folder, layout: detected.layout, directory });
}

/** By place; an equivalent mutant is one that no test notices. */
async function ourVerdicts(site: Site): Promise<Map<string, MutantStatus>> {
  const report = await mutate({ packages: PACKAGES }, site, { timeoutMs: TIMEOUT_MS, equivalence: false });
  if (report.kind === "impossible") throw new Error(report.why);
  if (report.engine.name !== "inner") throw new Error(`not the fast engine: ${report.engine.because}`);
  return new Map(report.mutants.map(({ id, status }) => [id, status]));
}

async function strykerVerdicts(site: Site, mutants: readonly Unjudged[]): Promise<Map<string, MutantStatus>> {
  const report = await runStryker(site, mutants, { timeoutMs: TIMEOUT_MS });
  if (report.kind === "impossible") throw new Error(report.why);
  return new Map(report.mutants.map((mutant) => [placeKey(mutant), mutant.status]));
}

function disagreementsOf(
  module: string,
  mutants: readonly Unjudged[],
  ours: ReadonlyMap<string, MutantStatus>,
  theirs: ReadonlyMap<string, MutantStatus>,
): Disagreement[] {
  return mutants.flatMap((mutant) => {
    const [one, other] = [ours.get(mutant.id) ?? "invalid", theirs.get(placeKey(mutant)) ?? "invalid"];
    if (verdictOf(one) === verdictOf(other)) return [];
    const { file, line, replacement } = mutant;
    return [{ module, file, line, replacement, ours: one, stryker: other }];
  });
}

function verdictOf(status: MutantStatus): Verdict {
  switch (status) {
    case "killed":
    case "timeout":
      return "detected";
    case "survived":
    case "equivalent":
      return "survived";
    case "noCoverage":
    case "invalid":
      return status;
  }
}

async function costOf<T>(work: () => Promise<T>): Promise<Cost & { value: T }> {
  const cpu = processorMs();
  const start = performance.now();
  const value = await work();
  return { value, cpuMs: round(processorMs() - cpu), wallMs: round(performance.now() - start) };
}

/** Of this process and all it started: what ended is counted by the kernel in the one that waited for it. */
function processorMs(): number {
  return treeTicks(process.pid) * 10;
}

/** Fields 14 to 17 of /proc/PID/stat: own and waited-for time in user and kernel mode, in hundredths of a second. */
function treeTicks(pid: number): number {
  let stat: string;
  let children: string[];
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const threads = readdirSync(`/proc/${pid}/task`);
    children = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
    );
  } catch {
    // It ended meanwhile.
    return 0;
  }
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .map(Number);
  const own = fields.reduce((sum, ticks) => sum + ticks, 0);
  return children.reduce((sum, child) => sum + treeTicks(Number(child)), own);
}

function round(value: number, by = 100): number {
  return Math.round(value * by) / by;
}
