// The verdict of record: runs a module's tests under the vitest that it sees, inside its site, and believes only the
// signed report of our own main program there.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Site, SiteResult, TestOptions, TestReport } from "../port.ts";
import { insideScript, TOOLS } from "./inside-script.ts";
import { readRegular } from "./module-files.ts";
import { reportIn } from "./report-line.ts";
import { shieldedNode } from "./shielded-node.ts";
import { testReport } from "./vitest-report.ts";
import { settingsOf } from "./vitest-settings.ts";
import type { WireCoverage, WireFile, WireOrder } from "./wire-report.ts";

/** How another part of the toolchain takes part in a run. */
export interface RunExtras {
  /**
   * Programs put beside ours in the site, by file name. Those named `*.worker.mjs` export a `name` and `start(report)`:
   * they are started in each worker before any foreign code, and nobody else can report under their name.
   */
  tools?: Readonly<Record<string, string>>;
  /** Names among the tools: run in each worker before each test file, before the module's own setup files. */
  setupFiles?: readonly string[];
  /** Names among the tools: modules that export a plugin of vite as `plugin`; they run in the main process. */
  vitePlugins?: readonly string[];
  /** Names among the tools whose coverage is asked for, too. */
  cover?: readonly string[];
  /**
   * Takes what was reported in the workers by `globalThis[Symbol.for("cupel.report")](key, value)`, the coverage as it
   * was counted, by paths relative to the module, and what is known of each test file.
   */
  collect?: (reports: WorkerReports, coverage: readonly WireCoverage[], files: readonly WireFile[]) => void;
}

/** Untrusted data, by test file and key. */
export type WorkerReports = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

export async function runVitest(
  site: Site,
  options: TestOptions,
  extras: RunExtras = {},
): Promise<TestReport> {
  const started = performance.now();
  const settings = await settingsOf(site, options);
  if (settings.kind === "refused")
    return { kind: "no-report", why: settings.why, timedOut: settings.timedOut };
  const place = await site.fork(await tools(extras));
  try {
    const left = Math.max(1_000, options.timeoutMs - (performance.now() - started));
    const key = randomBytes(32).toString("hex");
    const inTools = (name: string) => `${place.inside}/${toolPath(name)}`;
    const { command, args, ...shield } = shieldedNode(place, [inTools("vitest-main.mjs")]);
    const order: WireOrder = {
      ...shield,
      key,
      root: place.inside,
      tests: [...site.layout.tests],
      secondsPerTest: options.secondsPerTest,
      deadlineMs: Math.max(left * 0.6, left - 2_000),
      ...(options.coverage ? { cover: [...site.layout.sources, ...(extras.cover ?? []).map(toolPath)] } : {}),
      runner: inTools("runner.mjs"),
      setupFiles: (extras.setupFiles ?? []).map(inTools),
      workerTools: Object.keys(extras.tools ?? {})
        .filter((name) => name.endsWith(".worker.mjs"))
        .map(inTools),
      vitePlugins: (extras.vitePlugins ?? []).map(inTools),
      settings: settings.settings,
    };
    const result = await place.run({
      command,
      args,
      stdin: JSON.stringify(order),
      env: environment(site, options),
      memoryBytes: MEMORY_BYTES,
      timeoutMs: left,
      access: "read",
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const report = reportIn(result.stdout, key);
    if (report === undefined) return noReport(result);
    const changed = changedFile(place);
    if (changed !== undefined)
      return {
        kind: "no-report",
        why: `the run changed ${changed}, so nobody knows what ran`,
        timedOut: false,
      };
    extras.collect?.(
      Object.fromEntries(report.files.map(({ file, reports }) => [file, reports])),
      report.coverage ?? [],
      report.files,
    );
    return testReport(site.layout, site.files(), report);
  } finally {
    await place.remove();
  }
}

/** Where a tool lies, relative to the module. */
export function toolPath(name: string): string {
  return `${TOOLS}/${name}`;
}

/** Of each process; what its heap may take is less, so that a heap that grows too large is told as such. */
const MEMORY_BYTES = 2 * 1024 ** 3;
const HEAP_MB = 1_024;

function environment(site: Site, { secondsPerTest }: TestOptions): Record<string, string> {
  return {
    NODE_ENV: "test",
    CI: "1",
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    CUPEL_PROPERTIES: usesProperties(site) ? "1" : "0",
    CUPEL_TEST_MS: String(secondsPerTest * 1000),
  };
}

async function tools(extras: RunExtras): Promise<Record<string, string>> {
  const files = {
    // Without a name, so that no package can be taken for the module itself, and the other way round.
    "package.json": '{"private":true,"type":"module"}',
    "vitest-main.mjs": await insideScript("vitest-main"),
    "worker-runner.mjs": await insideScript("worker-runner"),
    "runner.mjs": 'export { CountingRunner as default } from "./worker-runner.mjs";',
    ...extras.tools,
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [toolPath(name), text]));
}

/** Loading fast-check costs time, which modules without properties need not spend. */
function usesProperties(site: Site): boolean {
  return Object.values(site.files()).some((text) => text.includes("fast-check"));
}

/** In a sandbox the files cannot be changed at all. */
function changedFile(place: Site): string | undefined {
  if (place.level !== "none") return undefined;
  const found = Object.entries(place.files());
  return found.find(
    ([path, text]) => readRegular(join(place.directory, path))?.toString("utf8") !== text,
  )?.[0];
}

function noReport(result: SiteResult): TestReport {
  const said = result.stderr.trim().split("\n").slice(0, 12).join("\n").slice(0, 2_000);
  const because = said === "" ? "" : `; it said: ${said}`;
  switch (result.kind) {
    case "timed-out":
      return {
        kind: "no-report",
        why: `the runner was still silent after ${Math.round(result.afterMs / 1000)} s and was ended`,
        timedOut: true,
      };
    case "cancelled":
      return { kind: "no-report", why: "the run was cancelled", timedOut: false };
    case "killed":
      return {
        kind: "no-report",
        why: `the runner was ended by ${result.signal}${because}`,
        timedOut: false,
      };
    case "exited":
      return {
        kind: "no-report",
        why: `the runner ended with code ${result.code} before its report${because}`,
        timedOut: false,
      };
  }
}
