// Runs the tests of a small module as the verdict of record does, for tests of runners.
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SiteRequest, TestReport } from "../src/toolchains/port.ts";
import { detectLayout } from "../src/toolchains/typescript/layout.ts";
import { openSite } from "../src/toolchains/typescript/site.ts";
import { type RunExtras, runVitest } from "../src/toolchains/typescript/vitest-run.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import type { Sandbox } from "../src/workshop/sandbox/port.ts";
import { moduleFolder } from "./module-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

export interface AskedRun {
  /** bubblewrap unless told. */
  sandbox?: Sandbox;
  coverage?: boolean;
  secondsPerTest?: number;
  timeoutMs?: number;
  signal?: AbortSignal;
  extras?: RunExtras;
  request?: Partial<SiteRequest>;
}

export async function runModule(
  files: Readonly<Record<string, string>>,
  asked: AskedRun = {},
): Promise<TestReport> {
  const folder = moduleFolder(files);
  const detected = detectLayout(folder);
  if (detected.kind !== "module") throw new Error(detected.why);
  const directory = join(temporaryDirectory(), "sites");
  const { sandbox = bubblewrap(), extras, request } = asked;
  const { coverage = false, secondsPerTest = 5, timeoutMs = 30_000 } = asked;
  const site = await openSite({ sandbox }, { folder, layout: detected.layout, directory, ...request });
  onTestFinished(() => site.remove());
  const signal = asked.signal === undefined ? {} : { signal: asked.signal };
  return runVitest(site, { secondsPerTest, timeoutMs, coverage, ...signal }, extras);
}

/** For runs that must have a report. */
export async function reportedRun(
  files: Readonly<Record<string, string>>,
  asked?: AskedRun,
): Promise<TestReport & { kind: "ran" }> {
  const report = await runModule(files, asked);
  if (report.kind === "no-report") throw new Error(report.why);
  return report;
}
