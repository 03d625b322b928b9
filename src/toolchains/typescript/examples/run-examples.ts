// Runs the examples of a module under the runner of record, each on the module as it is when it was just loaded.
import type { ExampleOutcome, ExampleRun } from "../../../domain/evidence/example-run.ts";
import type { Example } from "../../../domain/evidence/examples.ts";
import type { TestRun } from "../../../domain/evidence/test-result.ts";
import type { Edits, ExampleOptions, ExampleReport, Site } from "../../port.ts";
import type { ModuleView } from "../compiler/module-view.ts";
import { inTurn } from "../in-turn.ts";
import { runVitest, type WorkerReports } from "../vitest-run.ts";
import { EXAMPLES_FOLDER, type ExampleCode, exampleCode } from "./example-code.ts";
import { judged } from "./example-judgement.ts";
import { RUN_EXAMPLE } from "./example-plan.ts";
import { typeProblems } from "./example-types.ts";
import { watchExamples } from "./example-watch.ts";
import { seenIn } from "./seen-example.ts";

export async function runExamples(
  site: Site,
  view: ModuleView,
  examples: readonly Example[],
  options: ExampleOptions,
): Promise<ExampleReport> {
  const ground = { ...options, entry: site.layout.entry };
  const codes = examples.map((example) => exampleCode(example, ground));
  const { ready, run, reports } = await runTyped(site, view, { examples, codes, options });
  if (run.kind === "no-report") return run;
  const seen = seenIn(reports);
  const compare = (said: readonly Example[]): ExampleRun[] =>
    said.map((example, at) => {
      const code = ready[at];
      if (example.input.code !== examples[at]?.input.code)
        return without(example, { kind: "not-run", why: "this is not the code that was run" });
      if (code?.kind !== "sound")
        return without(example, { kind: "refused", problems: code?.problems ?? [] });
      if (seen === undefined)
        return without(example, { kind: "not-run", why: "some code reached for what watches it" });
      const own = seen.filter((each) => each.at === at);
      const [only] = own;
      if (only === undefined || own.length > 1) return without(example, unfinished(at, run.run));
      const plain = only.plain.filter((name) => code.mentions.includes(name));
      const { surfaced, changed } = only;
      return {
        example,
        outcome: judged(example.output, only),
        called: [...only.called, ...plain],
        surfaced,
        changed,
      };
    });
  return { kind: "ran", compare, stray: run.run.strayErrors };
}

const TEST = "cupel-examples.test.ts";
const EMPTY: TestRun = {
  files: [],
  results: [],
  collectionErrors: [],
  strayErrors: [],
  focused: [],
  durationMs: 0,
};
const NOTHING: Ran = { run: { kind: "ran", run: EMPTY, properties: [] }, reports: {} };

interface Written {
  examples: readonly Example[];
  codes: readonly ExampleCode[];
  options: ExampleOptions;
}

/** Most examples have the right types: they run while that is found out, and what ran in vain is run again without the others. */
async function runTyped(
  site: Site,
  view: ModuleView,
  { examples, codes, options }: Written,
): Promise<Ran & { ready: readonly ExampleCode[] }> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const begun = ranSound(site, codes, { ...options, signal });
  // Whoever waits for it is told of the failure.
  begun.catch(() => undefined);
  try {
    const typed = await inTurn(() => typeProblems(view, examples, codes));
    if (typed.every((problems) => problems.length === 0)) return { ready: codes, ...(await begun) };
    const ready = codes.map((code, at): ExampleCode => {
      const problems = typed[at] ?? [];
      return code.kind === "sound" && problems.length > 0 ? { kind: "refused", problems } : code;
    });
    stop.abort();
    return { ready, ...(await ranSound(site, ready, options)) };
  } finally {
    stop.abort();
    await Promise.allSettled([begun]);
  }
}

async function ranSound(site: Site, codes: readonly ExampleCode[], options: ExampleOptions): Promise<Ran> {
  return codes.some(({ kind }) => kind === "sound") ? ran(site, codes, options) : NOTHING;
}

interface Ran {
  run: Awaited<ReturnType<typeof runVitest>>;
  reports: WorkerReports;
}

/** In a copy that has no other tests. */
async function ran(site: Site, codes: readonly ExampleCode[], options: ExampleOptions): Promise<Ran> {
  const others: Edits = Object.fromEntries(site.layout.tests.map((path) => [path, null]));
  const files = codes.flatMap((code, at) => (code.kind === "sound" ? [[fileOf(at), code.run]] : []));
  const place = await site.fork({ ...others, ...Object.fromEntries(files), [TEST]: testOf(codes) });
  try {
    const plan = { test: TEST, files: codes.map((_, at) => fileOf(at)) };
    const watch = await watchExamples(site, options, plan);
    let reports: WorkerReports = {};
    const run = await runVitest(
      place,
      { ...options, coverage: false },
      {
        ...watch,
        collect: (collected) => {
          reports = collected;
        },
      },
    );
    return { run, reports };
  } finally {
    await place.remove();
  }
}

function fileOf(at: number): string {
  return `${EXAMPLES_FOLDER}/example-${at + 1}.ts`;
}

/** None of them knows what another has done. */
function testOf(codes: readonly ExampleCode[]): string {
  const tests = codes.flatMap((code, at) =>
    code.kind === "sound"
      ? [`test("${nameOf(at)}", () => (vi.resetModules(), run(${at}, () => import("./${fileOf(at)}"))));`]
      : [],
  );
  const run = `const run = globalThis[Symbol.for("${RUN_EXAMPLE}")];`;
  return [`import { test, vi } from "vitest";`, run, ...tests, ""].join("\n");
}

function nameOf(at: number): string {
  return `example ${at + 1}`;
}

function without(example: Example, outcome: ExampleOutcome): ExampleRun {
  return { example, outcome, called: [], surfaced: [], changed: false };
}

function unfinished(at: number, run: TestRun): ExampleOutcome {
  const result = run.results.find(({ name }) => name === nameOf(at));
  if (result?.outcome === "timeout") return { kind: "timed-out" };
  const [error] = run.collectionErrors;
  const why = result?.failure?.message ?? error?.message ?? run.strayErrors[0] ?? "it told nothing";
  return { kind: "not-run", why: why.replace(/"example (\d+)"/, "the example number $1 of the file") };
}
