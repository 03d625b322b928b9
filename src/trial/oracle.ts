// What the hidden oracle of a task says of sources: how many of its tests pass, and whether some call ended otherwise than by
// a result or an error of the contract.
import { CupelError } from "../domain/error.ts";
import { brokenOracle } from "../domain/trial/trial-row.ts";
import type { TestReport } from "../toolchains/port.ts";
import type { Files } from "../toolchains/port.ts";
import type { Bench } from "./bench.ts";
import type { CorpusTask } from "./corpus/corpus-task.ts";

export interface OracleAnswer {
  right: boolean;
  passed: number;
  failed: number;
  crashes: boolean;
}

/** An oracle that refuses the reference, or that has nothing against empty code, is broken: nothing that it says counts. */
export async function askOracle(bench: Bench, task: CorpusTask, sources: Files): Promise<OracleAnswer> {
  const usual = await seen(bench, task, task.reference);
  if (usual.failed > 0 || usual.passed === 0)
    throw broken(task, `${usual.failed} of its ${usual.passed + usual.failed} tests fail on the reference`);
  const empty = await seen(bench, task, await bench.stubbed(task.reference));
  if (empty.failed === 0)
    throw broken(task, "it has nothing against a module in which nothing is implemented");
  const { passed, failed, otherwise, timedOut } = await seen(bench, task, sources);
  // What comes out of the reference, such as an error that a caller handed in, is as it must be.
  const odd = otherwise.filter((each) => !usual.otherwise.includes(each));
  return {
    right: failed === 0 && passed === usual.passed,
    passed,
    failed,
    crashes: timedOut || odd.length > 0,
  };
}

function broken({ id }: CorpusTask, how: string): CupelError {
  return new CupelError("invalid_input", brokenOracle(id, how), {
    hint: `mend the oracle or the reference of ${id}, then run the trial again`,
  });
}

interface Seen extends Pick<OracleAnswer, "passed" | "failed"> {
  /** Classes of errors that are none of the contract, by entry point. */
  otherwise: string[];
  timedOut: boolean;
}

async function seen(bench: Bench, task: CorpusTask, sources: Files): Promise<Seen> {
  const report = await bench.test({ ...watched(task, sources), ...withLastTest(task) });
  if (report.kind === "no-report") {
    const usual = Object.values(task.oracle).join("\n");
    return { passed: 0, failed: testsIn(usual), otherwise: [], timedOut: report.timedOut };
  }
  const results = report.run.results.filter(({ name }) => name !== LAST);
  const passed = results.filter(({ outcome }) => outcome === "passed").length;
  const broken = report.run.collectionErrors.length + report.run.strayErrors.length;
  return {
    passed,
    failed: results.length - passed + broken,
    otherwise: otherwiseIn(report),
    timedOut: results.some(({ outcome }) => outcome === "timeout"),
  };
}

function testsIn(code: string): number {
  return Math.max(1, [...code.matchAll(/^test\(/gm)].length);
}

const LAST = "what ended otherwise";
const MARK = "ended otherwise: ";

function otherwiseIn(report: Extract<TestReport, { kind: "ran" }>): string[] {
  const message = report.run.results.find(({ name }) => name === LAST)?.failure?.message ?? "";
  const told: unknown = message.startsWith(MARK) ? JSON.parse(message.slice(MARK.length)) : [];
  return Array.isArray(told) ? told.map(String) : [];
}

/** Its last test tells what was seen, by failing. Properties are tried in the same way each time. */
function withLastTest({ oracle }: CorpusTask): Files {
  const told = Object.entries(oracle).map(([path, text]) => {
    const seeded = text.includes('from "fast-check"') ? "\nfc.configureGlobal({ seed: 1 });\n" : "";
    const last = `\nlastTest(${JSON.stringify(LAST)}, () => {\n  throw new Error(${JSON.stringify(MARK)} + JSON.stringify(endedOtherwise));\n});\n`;
    const imported = `${IMPORTS}${text}`;
    return [path, imported.replace(/\n\n/, () => `\n${seeded}\n`) + last];
  });
  return Object.fromEntries(told);
}

const IMPORTS = `import { test as lastTest } from "vitest";
import { endedOtherwise } from "../src/otherwise.ts";
`;

/** The sources behind an entry that looks at how each call ends. */
function watched({ contract, entry }: CorpusTask, sources: Files): Files {
  const declared = contract.error_surfaces.map(({ name }) => name);
  // Classes and their methods are handed on as they are.
  const names = contract.entry_points
    .filter(({ name, signature }) => !name.includes(".") && !signature.startsWith("new "))
    .map(({ name }) => name);
  const wrapped = names.map((name) => `export const ${name} = watched("${name}", real.${name});`);
  return {
    ...sources,
    "src/candidate.ts": sources[entry] ?? "",
    "src/otherwise.ts": `${OTHERWISE}\nconst DECLARED: string[] = ${JSON.stringify(declared)};\n`,
    [entry]: [
      'import * as real from "./candidate.ts";',
      'import { watched } from "./otherwise.ts";',
      'export * from "./candidate.ts";',
      ...wrapped,
      "",
    ].join("\n"),
  };
}

const OTHERWISE = `export const endedOtherwise: string[] = [];

export function watched<Call>(entry: string, call: Call): Call {
  if (typeof call !== "function") return call;
  const told = (error: any): never => {
    const name = error instanceof Error ? error.constructor.name : typeof error;
    const text = entry + ": " + name;
    if (!DECLARED.includes(name) && !endedOtherwise.includes(text)) endedOtherwise.push(text);
    throw error;
  };
  const around: any = function (this: unknown, ...args: unknown[]) {
    try {
      const result = (call as any).apply(this, args);
      return result instanceof Promise ? result.catch(told) : result;
    } catch (error) {
      return told(error);
    }
  };
  return around;
}
`;
