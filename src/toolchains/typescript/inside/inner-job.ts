// What the harness and the inner runner say to each other: one job on stdin, framed answers on stdout.

export interface InnerTest {
  id: string;
  name: string;
  file: string;
}

/** What the unmutated tests did: the ground on which mutants are judged. */
export interface DryRun {
  tests: (InnerTest & { durationMs: number; hits: number })[];
  /** Mutants that run while a file loads or outside of a test; any test may notice them. */
  static: number[];
  /** For each mutant the places in `tests` of those that reach it. */
  covering: Record<string, number[]>;
  staticHits: number;
  loadMs: number;
}

interface Ground {
  /** The bundle of the module with its tests; see `bundleModule`. */
  code: string;
  /** Packages that are evaluated once: fast-check. */
  packages: string;
  files: string[];
  root: string;
  globals: boolean;
  testTimeoutMs: number;
  /** The name of the mutants' switch in the code; one that nobody can know in advance. */
  switchName?: string;
}

export interface TestJob extends Ground {
  kind: "test";
}

export interface MutateJob extends Ground {
  kind: "mutate";
  mutants: number;
  /** Each mutant gets at least this long. */
  leastMs: number;
  /** Known from an earlier process; without it the tests run unmutated first. */
  dry?: DryRun;
  /** Which mutants are run; undefined is all, an empty list is the dry run alone. */
  todo?: number[];
  /** For each mutant the number of the function that it gives notice of, or -1. */
  regions: readonly number[];
  seed: number;
}

export interface CompareJob extends Ground {
  kind: "compare";
  /** The file whose exports callers see. */
  entry: string;
  mutants: number;
  regions: readonly number[];
  subjects: Subject[];
  functions: CallableFunction[];
  /** Classes that callers never hold and whose fields tell all about them. */
  innerClasses: string[];
  /** Values that the code itself names: differences hide at them. */
  hints: { numbers: number[]; strings: string[] };
  seed: number;
  /** As many different inputs must have reached the mutant. */
  inputs: number;
  /** For each mutant. Counted, so that a busy machine comes to the same as an idle one. */
  effort: number;
  /** For all of them. */
  totalEffort: number;
  /** The longest that one mutant may take, however slow the machine is, and all of them. */
  mostMs: number;
  totalMostMs: number;
}

/** A function, or a class that is constructed and whose instances are then used. */
export interface CallableFunction {
  name: string;
  /** Where it lies in the exports, if not under its name. */
  path?: string[];
  parameters: InputShape[];
  /** Of a class. */
  methods?: CallableMember[];
  /** Of a class whose instances have an inside that their fields do not tell. */
  isOpaque?: true;
}

export interface CallableMember {
  name: string;
  access: "call" | "get" | "set";
  parameters: InputShape[];
}

export interface Subject {
  mutant: number;
  /** The exported function or class that holds the mutant; without one all exports must be called. */
  holder?: string;
}

export type InputShape =
  | { kind: "number" | "bigint" | "string" | "boolean" | "undefined" | "null" | "date" }
  | { kind: "unknown" }
  | { kind: "function"; returns?: InputShape }
  | { kind: "literal"; value: string | number | boolean }
  | { kind: "array" | "set"; of: InputShape }
  | { kind: "map"; key: InputShape; of: InputShape }
  | { kind: "record"; of: InputShape }
  | { kind: "tuple"; of: InputShape[] }
  | { kind: "object"; fields: { name: string; optional: boolean; of: InputShape }[] }
  | { kind: "union"; of: InputShape[] }
  | { kind: "promise"; of: InputShape }
  /** An array whose items are arguments of their own. */
  | { kind: "rest"; of: InputShape }
  /** One and the same for all values of one sequence of calls. */
  | { kind: "generic"; name: string }
  /** Of an exported class of the module. */
  | { kind: "instance"; of: string }
  | { kind: "impossible"; why: string };

export type InnerJob = TestJob | MutateJob | CompareJob;

export interface InnerFailure {
  message: string;
  name: string;
  expected?: string;
  actual?: string;
  stack: string;
}

export interface InnerResult extends InnerTest {
  outcome: "passed" | "failed" | "timeout" | "skipped" | "todo";
  durationMs: number;
  retries: number;
  failures: InnerFailure[];
}

/** One run of the tests. */
export interface InnerRun {
  results: InnerResult[];
  collectionErrors: { file: string; message: string }[];
  strayErrors: string[];
  focused: string[];
  durationMs: number;
}

export type MutantOutcome =
  | { status: "killed"; killedBy: string[] }
  | { status: "survived" | "noCoverage" }
  | { status: "timeout"; baselineMs: number; limitMs: number }
  | { status: "invalid"; why: string };

export type InnerAnswer =
  | { kind: "ran"; run: InnerRun }
  | { kind: "unsupported"; what: string }
  | { kind: "dry"; dry: DryRun }
  /** `untrusted`: tests failed although nothing that they reach was changed, so that their failures prove nothing. */
  | { kind: "not-green"; why: string; untrusted?: true }
  /** The tests run once with nothing mutated. */
  | { kind: "control" | "control-held" }
  | { kind: "mutant"; mutant: number; outcome: MutantOutcome; ran: number[] }
  | { kind: "compared"; mutant: number; comparison: Comparison; ran: number[] }
  | { kind: "end" };

export type Comparison =
  | { kind: "same"; inputs: number }
  | { kind: "different"; call: string }
  | { kind: "no-claim"; why: string };
