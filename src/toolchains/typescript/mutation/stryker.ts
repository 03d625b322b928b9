// The slow engine, for suites that the fast runner cannot serve: StrykerJS with its vitest runner, inside the sandbox.
import { join } from "node:path";
import type { Mutant } from "../../../domain/evidence/mutant.ts";
import type { Edits, MutationOptions, MutationReport, Site } from "../../port.ts";
import { readRegular } from "../module-files.ts";
import { mapCode } from "./code-map.ts";
import { type Unjudged, withoutPlace } from "./instrument.ts";
import { readStrykerReport, type StrykerMutant } from "./stryker-report.ts";

export async function strykerMutants(
  site: Site,
  mutants: readonly Unjudged[],
  because: string,
  options: MutationOptions,
): Promise<MutationReport> {
  const wanted = mutants.filter((mutant) => isWanted(mutant, options.only));
  const run = await runStryker(site, wanted, options);
  if (run.kind === "impossible") return { kind: "impossible", why: `${because}; and ${run.why}` };
  const found = new Map(run.mutants.map((mutant) => [placeKey(mutant), mutant]));
  const judged = wanted.map((mutant) => answered(mutant, found.get(placeKey(mutant)), run));
  return { kind: "mutated", mutants: judged, engine: { name: "stryker", because }, keys: new Map() };
}

export type StrykerRun =
  | { kind: "ran"; mutants: StrykerMutant[]; baselineMs: number; limitMs: number }
  | { kind: "impossible"; why: string };

/** On a copy in which no comment switches mutants off. */
export async function runStryker(
  site: Site,
  mutants: readonly Pick<Unjudged, "file" | "place">[],
  { timeoutMs, signal }: Pick<MutationOptions, "timeoutMs" | "signal">,
): Promise<StrykerRun> {
  const leastMs = Math.max(timeoutMs, LEAST_MS);
  const files = site.files();
  const edits: Record<string, string | null> = { [CONFIGURATION]: configuration(mutants, leastMs) };
  for (const path of site.layout.sources) edits[path] = mapCode(path, files[path] ?? "").text;
  const copy = await site.fork(edits satisfies Edits);
  try {
    const result = await copy.run({
      command: "node",
      args: ["node_modules/@stryker-mutator/core/bin/stryker.js", "run", CONFIGURATION],
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LOCALHOST)}` },
      timeoutMs: PROCESS_MS,
      ...(signal === undefined ? {} : { signal }),
    });
    const text = readRegular(join(copy.directory, REPORT))?.toString("utf8");
    const report = text === undefined ? undefined : readStrykerReport(text);
    if (result.kind !== "exited" || result.code !== 0 || report === undefined)
      return {
        kind: "impossible",
        why: `StrykerJS gave no report: ${lastWords(result.stdout, result.stderr)}`,
      };
    const { initialRunMs, mutants: judged } = report;
    return { kind: "ran", mutants: judged, baselineMs: initialRunMs, limitMs: leastMs + 1.5 * initialRunMs };
  } finally {
    await copy.remove();
  }
}

/** StrykerJS talks to its workers over localhost, a name that nobody resolves where there is no network. */
const LOCALHOST = `
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
const { lookup } = dns;
dns.lookup = (name, options, done) => {
  const answer = done ?? options;
  if (name !== "localhost") return lookup(name, options, done);
  const found = { address: "127.0.0.1", family: 4 };
  process.nextTick(() => (options.all ? answer(null, [found]) : answer(null, found.address, found.family)));
};
syncBuiltinESMExports();
`;

const CONFIGURATION = "cupel-stryker.json";
const REPORT = "cupel-stryker-report.json";
const PROCESS_MS = 30 * 60_000;
/** Its own default, doubled: a first run that starts a whole vitest must stay far from the limit. */
const LEAST_MS = 10_000;

function configuration(mutants: readonly Pick<Unjudged, "file" | "place">[], timeoutMS: number): string {
  return JSON.stringify({
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    coverageAnalysis: "perTest",
    mutate: [...new Set(mutants.map(({ file }) => file))],
    reporters: ["json"],
    jsonReporter: { fileName: REPORT },
    // Stryker reads tsconfig.json with a compiler that TypeScript 7 no longer has; a missing file is left alone.
    tsconfigFile: "cupel-no-tsconfig.json",
    concurrency: 2,
    timeoutMS,
    thresholds: { high: 80, low: 60, break: null },
    logLevel: "error",
    fileLogLevel: "off",
    allowConsoleColors: false,
    clearTextReporter: { allowColor: false },
  });
}

function isWanted(mutant: Unjudged, only: MutationOptions["only"]): boolean {
  return only === undefined || only.some(({ file, line }) => file === mutant.file && line === mutant.line);
}

/** What names one mutant in both engines. */
export function placeKey(mutant: Pick<Unjudged, "file" | "place" | "replacement" | "operator">): string {
  const { start, end } = mutant.place;
  const where = [start.line, start.column, end.line, end.column];
  return JSON.stringify([mutant.file, where, mutant.operator, mutant.replacement]);
}

function answered(
  unjudged: Unjudged,
  found: StrykerMutant | undefined,
  { baselineMs, limitMs }: { baselineMs: number; limitMs: number },
): Mutant {
  const mutant = withoutPlace(unjudged);
  const status = found?.status ?? "invalid";
  if (status === "killed") return { ...mutant, status, killedBy: found?.killedBy ?? [] };
  if (status === "timeout") return { ...mutant, status, killedBy: [], timing: { baselineMs, limitMs } };
  return { ...mutant, status, killedBy: [] };
}

function lastWords(stdout: string, stderr: string): string {
  const lines = `${stdout}\n${stderr}`.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "" && !line.startsWith("at "))
    .slice(0, 12)
    .join(" | ")
    .slice(0, 1_000);
}
