// Builds a module on its bench and runs its tests once: which fail, how, and which functions each of them reaches.
import type { GroundTruth } from "../../domain/evidence/claim.ts";
import {
  isGreen,
  type NotGreenReason,
  type TestResult,
  type TestRun,
} from "../../domain/evidence/test-result.ts";
import { comesFrom } from "../../domain/evidence/test-title.ts";
import type { StructuredFailure } from "../../domain/evidence/structured-failure.ts";
import { RUN_MS } from "../../evidence/proof.ts";
import type { Candidate } from "../../protocols/outcome.ts";
import type { FailedTest, Tested } from "../../protocols/seen.ts";
import { sealedTextFilter } from "../module-ports/sealed-text.ts";
import { type Bench, openBench } from "./bench.ts";
import { MOST_PER_GATE } from "./findings.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";
import { shelfOf } from "./shelf.ts";
import { quickRun } from "../../toolchains/quick-run.ts";

export interface TestLimits {
  /** Of all tests together. */
  timeoutMs?: number;
}

/** Nothing of it is kept: asked again it looks again. */
export async function testCandidate(
  ports: ShipPorts,
  order: Pick<ShipOrder, "assignment" | "provisions" | "signal">,
  { contract, commit }: Pick<Candidate, "contract" | "commit">,
  { timeoutMs = RUN_MS }: TestLimits = {},
): Promise<Tested> {
  const { toolchain } = ports;
  const { signal } = order;
  const { secondsPerTest } = order.assignment.rigor;
  const bench = await openBench(
    ports,
    order,
    { contract, commit, state: "on-its-way" },
    await shelfOf(ports),
  );
  if (bench.kind === "refused") return { kind: "broken", errors: bench.problems };
  try {
    const built = await toolchain.build(bench.site, signal);
    const truth = await toolchain.groundTruth(bench.site);
    if (built.kind === "broken")
      return broken(built.errors.map(({ file, line, message }) => `${file}:${line}: ${message}`));
    // Before anything ships, the gates run them again, in the runner of record.
    const report = await quickRun(toolchain, bench.site, { secondsPerTest, timeoutMs, signal });
    signal.throwIfAborted();
    const open = openOf(bench);
    if (report.kind === "no-report")
      return { kind: "no-report", why: open(report.why) || "it said nothing", timedOut: report.timedOut };
    const { run } = report;
    if (run.collectionErrors.length > 0)
      return broken(
        run.collectionErrors.map(({ file, message }) => `${file} cannot be loaded: ${open(message)}`),
      );
    const passed = run.results.filter(({ outcome }) => outcome === "passed").length;
    return { kind: "ran", passed, failures: failuresOf(run, truth, open) };
  } finally {
    await bench.remove();
  }
}

function broken(errors: readonly string[]): Tested {
  const first = errors.slice(0, MOST_PER_GATE);
  const rest = errors.length - first.length;
  return { kind: "broken", errors: rest === 0 ? first : [...first, `${rest} more of this kind`] };
}

/** A test could show the code of a dependency; nobody who mends this module may see it. */
function openOf({ files, neighbours }: Bench & { kind: "open" }): (text: string) => string {
  const sealed = neighbours.dependencies.map(({ name, files: built }) => ({
    path: `/modules/${name}`,
    texts: Object.entries(built).flatMap(([path, text]) => (path.endsWith(".js") ? [text] : [])),
  }));
  if (sealed.length === 0) return (text) => text;
  const types = neighbours.dependencies.flatMap(({ files: built }) =>
    Object.entries(built).flatMap(([path, text]) => (path.endsWith(".js") ? [] : [text])),
  );
  const filter = sealedTextFilter(sealed, [...Object.values(files), ...types]);
  return (text) => filter(text).text;
}

function failuresOf(run: TestRun, truth: GroundTruth, open: (text: string) => string): FailedTest[] {
  const failed = run.results
    .filter(({ outcome }) => outcome !== "passed")
    .map((result): FailedTest => ({
      failure: opened(failureOf(result), open),
      functions: reached(result, truth),
    }));
  const strays = run.strayErrors.map((message): FailedTest => ({
    failure: {
      propertyName: "an error that no test caught",
      failureType: "ExceptionThrown",
      message: open(message),
    },
    functions: [],
  }));
  const told = [...failed, ...strays];
  // Whatever else keeps it from being green counts as a failure of the suite as a whole.
  const green = isGreen(run);
  if (green.kind === "green" || told.length > 0) return told;
  return green.reasons.map(({ reason, count }) => ({ failure: suiteFailure(reason, count), functions: [] }));
}

function failureOf({ name, outcome, failure }: TestResult): StructuredFailure {
  if (failure !== undefined) return failure;
  const isTimeout = outcome === "timeout";
  return {
    propertyName: name,
    failureType: isTimeout ? "Timeout" : "ParseError",
    message: isTimeout ? "it did not end in time" : `it is marked as ${outcome}, so nothing was tested`,
  };
}

function suiteFailure(reason: NotGreenReason, count: number): StructuredFailure {
  return { propertyName: "the suite", failureType: "ParseError", message: `not green: ${count} × ${reason}` };
}

function opened(failure: StructuredFailure, open: (text: string) => string): StructuredFailure {
  const { counterexample, expected, actual, message } = failure;
  return {
    ...failure,
    message: open(message),
    ...(counterexample === undefined ? {} : { counterexample: open(counterexample) }),
    ...(expected === undefined ? {} : { expected: open(expected) }),
    ...(actual === undefined ? {} : { actual: open(actual) }),
  };
}

/** Through helpers, too; a title with holes stands for every test that was made from it. */
function reached({ name }: TestResult, { tests }: GroundTruth): string[] {
  const calls = tests.filter((test) => comesFrom(name, test.name)).flatMap((test) => test.calls);
  return [...new Set(calls)];
}
