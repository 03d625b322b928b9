// The slow engine, for suites that the fast runner cannot serve: StrykerJS with its vitest runner, inside the sandbox.
import { randomBytes } from "node:crypto";
import type { Mutant } from "../../../domain/evidence/mutant.ts";
import type { Edits, MutationOptions, MutationReport, Site } from "../../port.ts";
import { insideScript, TOOLS } from "../inside-script.ts";
import { signedIn } from "../report-line.ts";
import { shieldedNode } from "../shielded-node.ts";
import type { StrykerOrder } from "../wire-report.ts";
import { mapCode } from "./code-map.ts";
import { type Unjudged, withoutPlace } from "./instrument.ts";
import { PROPERTY_SEED } from "./judge.ts";
import { addControls, takeControls } from "./stryker-controls.ts";
import { readStrykerReport, type StrykerMutant } from "./stryker-report.ts";
import { SITE, STRYKER_VITEST, strykerVitest, whyNotLoaded } from "./stryker-vitest.ts";

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
  const edits: Record<string, string | null> = { ...(await tools()) };
  for (const path of site.layout.sources) edits[path] = mapCode(path, files[path] ?? "").text;
  const controls = addControls(edits, mutants);
  Object.assign(edits, strykerVitest(site.layout));
  const copy = await site.fork(edits satisfies Edits);
  try {
    const inTools = (name: string) => `${copy.inside}/${TOOLS}/${name}`;
    const { command, args, ...started } = shieldedNode(copy, [inTools("stryker-main.mjs")]);
    const key = randomBytes(32).toString("hex");
    const options = configuration(mutants, leastMs, inTools);
    const result = await copy.run({
      command,
      args,
      stdin: JSON.stringify({ ...started, key, options } satisfies StrykerOrder),
      env: {
        NODE_OPTIONS: `--import=${inTools("localhost.mjs")} --import=${inTools("seed.mjs")}`,
        [SITE]: copy.inside,
      },
      timeoutMs: PROCESS_MS,
      ...(signal === undefined ? {} : { signal }),
    });
    const text = signedIn(result.stdout, key);
    const report = text === undefined ? undefined : readStrykerReport(text);
    if (report === undefined)
      return {
        kind: "impossible",
        why: `StrykerJS gave no report: ${whyNotLoaded(copy) ?? lastWords(result.stdout, result.stderr)}`,
      };
    const { initialRunMs, mutants: judged } = report;
    const checked = takeControls(judged, controls);
    if (checked.kind === "impossible") return checked;
    const limitMs = leastMs + 1.5 * initialRunMs;
    return { kind: "ran", mutants: checked.mutants, baselineMs: initialRunMs, limitMs };
  } finally {
    await copy.remove();
  }
}

async function tools(): Promise<Record<string, string>> {
  return {
    [`${TOOLS}/package.json`]: '{"private":true,"type":"module"}',
    [`${TOOLS}/stryker.json`]: "{}",
    [`${TOOLS}/localhost.mjs`]: LOCALHOST,
    [`${TOOLS}/seed.mjs`]: SEED,
    [`${TOOLS}/stryker-main.mjs`]: await insideScript("stryker-main"),
    [`${TOOLS}/stryker-reporter.mjs`]: await insideScript("stryker-reporter"),
  };
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

/** The engines must see the same inputs; a module without property tests has no fast-check. */
const SEED = `
const fastCheck = await import("fast-check").catch(() => undefined);
fastCheck?.configureGlobal({ ...fastCheck.readConfigureGlobal(), seed: ${PROPERTY_SEED} });
`;

const PROCESS_MS = 30 * 60_000;
/** Its own default, doubled: a first run that starts a whole vitest must stay far from the limit. */
const LEAST_MS = 10_000;

function configuration(
  mutants: readonly Pick<Unjudged, "file" | "place">[],
  timeoutMS: number,
  inTools: (name: string) => string,
): StrykerOrder["options"] {
  return {
    testRunner: "vitest",
    vitest: { configFile: STRYKER_VITEST },
    plugins: ["@stryker-mutator/vitest-runner", inTools("stryker-reporter.mjs")],
    coverageAnalysis: "perTest",
    mutate: [...new Set(mutants.map(({ file }) => file))],
    reporters: ["cupel"],
    // Otherwise one of the module would be looked for, and run in the main process.
    configFile: inTools("stryker.json"),
    // Stryker reads tsconfig.json with a compiler that TypeScript 7 no longer has; a missing file is left alone.
    tsconfigFile: "cupel-no-tsconfig.json",
    concurrency: 2,
    timeoutMS,
    thresholds: { high: 80, low: 60, break: null },
    logLevel: "error",
    fileLogLevel: "off",
    allowConsoleColors: false,
    clearTextReporter: { allowColor: false },
  };
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
