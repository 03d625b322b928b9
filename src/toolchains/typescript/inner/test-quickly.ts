// The tests of a module in the fast runner, for everything that is repeated; the runner of record stays vitest.
import type { StructuredFailure } from "../../../domain/evidence/structured-failure.ts";
import { claimedLayer } from "../../../domain/evidence/test-layer.ts";
import type { TestResult } from "../../../domain/evidence/test-result.ts";
import type { Site, TestOptions, TestReport } from "../../port.ts";
import { inTurn } from "../in-turn.ts";
import type { InnerFailure, InnerResult, InnerRun, TestJob } from "../inside/inner-job.ts";
import { STUB_MARK } from "../stub-mark.ts";
import { bundleModule } from "./bundle.ts";
import { readConfiguration } from "./configuration.ts";
import type { Ground } from "./ground.ts";
import { describeEnd, talk } from "./talk.ts";

export type QuickReport = TestReport | { kind: "unsupported"; why: string };

export async function testQuickly(
  ground: Ground,
  site: Site,
  options: Pick<TestOptions, "secondsPerTest" | "timeoutMs" | "signal">,
): Promise<QuickReport> {
  const configuration = await readConfiguration(site);
  if (configuration.kind === "unsupported") return configuration;
  const { tests } = site.layout;
  const bundle = await inTurn(() => bundleModule({ site, ground, files: tests }), "first");
  if (bundle.kind === "unsupported") return bundle;
  const job: Omit<TestJob, "root"> = {
    kind: "test",
    code: bundle.code,
    packages: bundle.packages,
    files: [...tests],
    globals: configuration.globals,
    testTimeoutMs: configuration.testTimeoutMs ?? options.secondsPerTest * 1000,
  };
  const { answers, whole, result } = await talk(site, job, options);
  for (const answer of whole ? answers : []) {
    if (answer.kind === "unsupported") return { kind: "unsupported", why: answer.what };
    if (answer.kind === "ran") return ranReport(tests, answer.run);
  }
  return { kind: "no-report", why: describeEnd(result), timedOut: result.kind === "timed-out" };
}

function ranReport(tests: readonly string[], run: InnerRun): TestReport {
  return {
    kind: "ran",
    run: {
      files: [...tests],
      results: run.results.map((result) => testResult(result)),
      collectionErrors: run.collectionErrors,
      strayErrors: run.strayErrors,
      focused: run.focused,
      durationMs: run.durationMs,
    },
    properties: [],
  };
}

function testResult(result: InnerResult): TestResult {
  const { name, file, outcome, durationMs, retries } = result;
  const failed = outcome === "failed" || outcome === "timeout";
  const failure = failed ? structured(result) : undefined;
  return {
    name,
    file,
    layer: layerOf(file, failure),
    outcome,
    durationMs,
    retries,
    ...(failure === undefined ? {} : { failure }),
  };
}

/** By the name of the file; what is a property is known here only when it fails. */
function layerOf(file: string, failure: StructuredFailure | undefined): TestResult["layer"] {
  const claimed = claimedLayer(file);
  if (claimed === "contract" || claimed === "integration" || claimed === "e2e") return claimed;
  return failure?.failureType === "PropertyFailed" ? "property" : "unit";
}

function structured({ name, outcome, failures }: InnerResult): StructuredFailure {
  const first = failures.find(hitsStub) ?? failures[0];
  const message = first?.message ?? "";
  const counterexample = /^Counterexample: (.*)$/m.exec(message)?.[1];
  const other = /^Property (?:failed after|timeout: exceeded)/.test(message)
    ? "PropertyFailed"
    : "ExceptionThrown";
  return {
    propertyName: name,
    failureType:
      first !== undefined && hitsStub(first) ? "StubHit" : outcome === "timeout" ? "Timeout" : other,
    message,
    ...(counterexample === undefined ? {} : { counterexample }),
    ...(first?.expected === undefined ? {} : { expected: first.expected }),
    ...(first?.actual === undefined ? {} : { actual: first.actual }),
  };
}

/** A stub is the reason even where what was seen first is an assertion about its error. */
function hitsStub({ message, actual = "" }: InnerFailure): boolean {
  return `${message} ${actual}`.includes(STUB_MARK);
}
