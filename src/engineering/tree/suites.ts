// Builds a draft as it is in a commit and runs its tests, the contract suite among them, in the harness's sandbox. What was
// run once for the same module, dependencies and tests is known from then on.
import { z } from "zod";
import { isGreen, type TestRun } from "../../domain/evidence/test-result.ts";
import type { LivenessCache } from "../../evidence/liveness.ts";
import { RUN_MS } from "../../evidence/proof.ts";
import type { Site, TestReport, Toolchain } from "../../toolchains/port.ts";
import type { AtSite } from "./draft-site.ts";
import type { Draft } from "./draft-content.ts";
import type { Drafts } from "./drafts.ts";
import { quickRun } from "../../toolchains/quick-run.ts";

export const SuiteResult = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("green"), passed: z.array(z.string()).min(1) }),
  /** `passed` are those that hold all the same. */
  z.strictObject({
    kind: z.literal("red"),
    failing: z.array(z.string()).min(1),
    passed: z.array(z.string()),
  }),
]);
export type SuiteResult = z.infer<typeof SuiteResult>;

export interface Suites {
  /** With `testsOf` the tests of that commit against the code of this one. */
  run: (draft: Draft, commit: string, testsOf?: string) => Promise<SuiteResult>;
}

export interface SuitePorts {
  drafts: Drafts;
  toolchain: Toolchain;
  /** What was seen before; `noCache()` where nothing shall be remembered. */
  cache: LivenessCache;
  secondsPerTest: number;
  signal: AbortSignal;
}

export function suitesOf(ports: SuitePorts): Suites {
  const { drafts, cache } = ports;
  return {
    async run(draft, commit, testsOf) {
      const key = await keyOf(drafts, draft, commit, testsOf);
      const known = key === undefined ? undefined : SuiteResult.safeParse(parsed(cache.read(key)));
      if (known?.success === true) return known.data;
      const seen = await look(ports, { draft, commit, ...(testsOf === undefined ? {} : { testsOf }) });
      if (key !== undefined && seen.isLasting) cache.write(key, JSON.stringify(seen.result));
      return seen.result;
    },
  };
}

async function keyOf(
  drafts: Drafts,
  draft: Draft,
  commit: string,
  testsOf = commit,
): Promise<string | undefined> {
  const code = await drafts.keyOf(draft, commit);
  const tests = testsOf === commit ? code : await drafts.keyOf(draft, testsOf);
  if (code === undefined || tests === undefined) return undefined;
  return code === tests ? code : `${code.slice(0, 32)}${tests.slice(0, 32)}`;
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Seen {
  result: SuiteResult;
  /** What a machine in a hurry gave, or a run without a sandbox, says nothing about the next time. */
  isLasting: boolean;
}

async function look(ports: SuitePorts, at: AtSite): Promise<Seen> {
  const { drafts, signal } = ports;
  for (const below of await drafts.below(at.draft, at.commit)) {
    const built = await drafts.build(below, at.commit);
    if (built.kind === "broken")
      return red([`#modules/${below.folder}, which it imports, does not build`], false);
  }
  const seen = await drafts.inSite(at, (site) => inSite(ports, site));
  signal.throwIfAborted();
  return seen.kind === "refused" ? red(seen.problems, true) : seen.value;
}

async function inSite(ports: SuitePorts, site: Site): Promise<Seen> {
  const { toolchain, signal } = ports;
  const isLasting = site.level !== "none";
  const built = await toolchain.build(site, signal);
  if (built.kind === "broken")
    return red(
      built.errors.slice(0, MOST).map(({ file, line, message }) => `${file}:${line}: ${message}`),
      isLasting,
    );
  const report = await runTests(ports, site);
  if (report.kind === "no-report") return red([`its tests gave no report: ${report.why}`], false);
  const { run } = report;
  const passed = namesOf(run, true);
  const green = isGreen(run);
  if (green.kind === "notGreen") return { ...red(failuresOf(run, green.reasons), isLasting, passed) };
  const idle = await passesOnStubs(ports, site);
  if (idle) return red(["all its tests pass although nothing is implemented"], isLasting, passed);
  return { result: { kind: "green", passed }, isLasting };
}

const MOST = 20;

function runTests({ toolchain, secondsPerTest, signal }: SuitePorts, site: Site): Promise<TestReport> {
  return toolchain.test(site, { secondsPerTest, timeoutMs: RUN_MS, coverage: false, signal });
}

/** A suite that cannot say no has said nothing. */
async function passesOnStubs(ports: SuitePorts, site: Site): Promise<boolean> {
  const { toolchain, secondsPerTest, signal } = ports;
  const stubbed = await site.fork(await toolchain.stubs(site));
  try {
    const report = await quickRun(toolchain, stubbed, { secondsPerTest, timeoutMs: RUN_MS, signal });
    return report.kind === "ran" && isGreen(report.run).kind === "green";
  } finally {
    await stubbed.remove();
  }
}

function namesOf({ results }: TestRun, passed: boolean): string[] {
  return results.filter(({ outcome }) => (outcome === "passed") === passed).map(({ name }) => name);
}

/** Where every single test passed, the suite as a whole is not green all the same. */
function failuresOf(run: TestRun, reasons: readonly { reason: string; count: number }[]): string[] {
  const names = [
    ...namesOf(run, false),
    ...run.collectionErrors.map(({ file }) => `${file} cannot be loaded`),
  ];
  return names.length > 0 ? names : reasons.map(({ reason, count }) => `${count} × ${reason}`);
}

function red(failing: string[], isLasting: boolean, passed: string[] = []): Seen {
  return { result: { kind: "red", failing, passed }, isLasting };
}
