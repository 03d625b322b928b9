// What the factory asks of a target language. Every answer is a value that a gate can judge; whatever runs the code of
// a module runs inside the sandbox of a site.
import type {
  EntryPoint,
  ErrorSurface,
  MicroModuleContract,
  Predicate,
} from "../domain/contract/contract.ts";
import type { GroundTruth } from "../domain/evidence/claim.ts";
import type { CodeCoverage, FileCoverage } from "../domain/evidence/coverage.ts";
import type { ExampleRun } from "../domain/evidence/example-run.ts";
import type { Example } from "../domain/evidence/examples.ts";
import type { Mutant, MutationKind } from "../domain/evidence/mutant.ts";
import type { PredicateEvaluations } from "../domain/evidence/predicate-proof.ts";
import type { ComplexityEntry, StaticFinding } from "../domain/evidence/static-finding.ts";
import type { TestRun } from "../domain/evidence/test-result.ts";
import type { AnnouncedExport } from "../domain/fractal/node-spec.ts";
import type { SandboxLevel } from "../workshop/sandbox/port.ts";
import type { AloneReport } from "./alone-report.ts";

/** Which files of a module are what. Paths are relative to the module's folder, with forward slashes. */
export interface ModuleLayout {
  /** What callers import, for example `src/index.ts`. */
  entry: string;
  /** All code but tests, the entry first. */
  sources: readonly string[];
  tests: readonly string[];
  /** What decides how tests run or compile: runner and compiler configuration, manifest, setup files. */
  configuration: readonly string[];
}

/** Files by path; null is a file that must not be there. */
export type Files = Readonly<Record<string, string>>;
export type Edits = Readonly<Record<string, string | null>>;

/** A copy of a module in a place of the harness, where it can be run and changed without touching the original. */
export interface Site {
  readonly layout: ModuleLayout;
  /** On the machine of the harness; only the harness writes there while no command runs. */
  readonly directory: string;
  /** The same directory as commands see it. */
  readonly inside: string;
  readonly level: SandboxLevel;
  /** The content of every file of the layout, as it is now. */
  files(): Files;
  /** Data beside the layout that code may import, as it is now. */
  data(): Files;
  /** The same for the same copy: every file of it but those left out, also beside the layout, its packages and what it is built upon. */
  key(without?: readonly string[]): string;
  /** Another copy that differs by these edits; each goes its own way. */
  fork(edits: Edits): Promise<Site>;
  run(command: SiteCommand): Promise<SiteResult>;
  remove(): Promise<void>;
}

export interface SiteCommand {
  command: string;
  args: readonly string[];
  stdin?: string | Uint8Array;
  env?: Readonly<Record<string, string>>;
  timeoutMs: number;
  signal?: AbortSignal;
  memoryBytes?: number;
  /** Whether it may change the files of the site, where a sandbox can say so; `write` unless told. */
  access?: "read" | "write";
}

export type SiteResult = { stdout: string; stderr: string; outputBytes: number } & (
  | { kind: "exited"; code: number }
  | { kind: "killed"; signal: string }
  | { kind: "timed-out"; afterMs: number }
  | { kind: "cancelled" }
);

export interface Place {
  file: string;
  line: number;
  message: string;
}

export type BuildReport =
  | { kind: "built"; files: number }
  | { kind: "broken"; files: number; errors: Place[] };

export interface TestOptions {
  /** Longest time of one test, and of the whole run. */
  secondsPerTest: number;
  timeoutMs: number;
  coverage: boolean;
  /** Watched at the entry points while the tests run. */
  predicates?: readonly Predicate[];
  /** Whose calls are seen beside those that predicates are about. */
  watchedEntries?: readonly string[];
  /** The errors that each entry point may throw, by its name. */
  declaredErrors?: Readonly<Record<string, readonly string[]>>;
  /** Whether uses of files, network, clock and chance by the module are watched. */
  effects?: boolean;
  /** Watched beside the module, by the same means, and told apart. */
  beside?: Beside;
  signal?: AbortSignal;
}

/** A source that is loaded beside every test file and that nobody calls, and predicates that are none of the contract. */
export interface Beside {
  source: string;
  predicates: readonly Predicate[];
}

/** What the same watches saw of it; undefined where one of them did not see it at all. */
export interface SeenBeside extends Pick<TestRunReport, "predicates" | "counterexamples" | "effects"> {
  coverage?: FileCoverage;
  /** Of a test in each worker that does nothing with the module. */
  idle?: TestContact;
}

/** `why` says how the runner itself ended without a report that can be believed. */
export type TestReport = TestRunReport | { kind: "no-report"; why: string; timedOut: boolean };

export interface TestRunReport {
  kind: "ran";
  run: TestRun;
  coverage?: CodeCoverage;
  predicates?: PredicateEvaluations[];
  /** The first call that spoke against each predicate. */
  counterexamples?: { predicate: string; text: string }[];
  effects?: SeenEffect[];
  /** What crossed the entry points, for `alone`; nobody else can read it. */
  calls?: readonly unknown[];
  properties: PropertyRun[];
  /** Where the entry points were watched and nobody meddled with that. */
  contacts?: Contacts;
  /** Assertions that stand in the tests and were never made; where they were watched. */
  unreached?: UnreachedAssertion[];
  beside?: SeenBeside;
}

export interface UnreachedAssertion {
  file: string;
  line: number;
  /** Up to its matcher: `expect(shares)`. */
  text: string;
}

/** What tests really did with the module. */
export interface Contacts {
  /** Entry points that could be watched: functions, and classes or their methods. */
  watched: string[];
  tests: TestContact[];
  /** What was called while files were loaded, or before all of their tests. */
  loading: { file: string; entries: string[] }[];
}

export interface TestContact {
  test: string;
  file: string;
  /** Entry points that it called. */
  entries: string[];
  /** How often a predicate of the contract was seen to hold, or its error to come. */
  upheld: number;
  properties: PropertyRun[];
  /** What assertions said that failed while it ran, also where the test caught it. */
  failed?: string[];
}

/** How much a property test really tried. */
export interface PropertyRun {
  test: string;
  file: string;
  runs: number;
  discarded: number;
  distinctInputs: number;
  /** Runs in which a watched entry point was called, and whether those calls were not all the same. */
  reaching: number;
  varied: boolean;
}

export interface SeenEffect {
  type: "READ" | "WRITE" | "NETWORK" | "CLOCK" | "RANDOM" | "CALL";
  /** The function of the system that was used, and on what. */
  what: string;
  file: string;
  line: number;
}

export interface MutationOptions {
  /** For each mutant: at least this long, and many times what the unmutated tests took. */
  timeoutMs: number;
  /** Answers for mutants whose code and covering tests have not changed. */
  known?: KnownMutants;
  /** Only mutants of these lines, for a quick look. */
  only?: readonly { file: string; line: number }[];
  /** Asked before the slow engine is started: tests that fail on the code itself say nothing of its mutants. */
  isGreen?: () => Promise<boolean>;
  signal?: AbortSignal;
}

export type MutationReport =
  | {
      kind: "mutated";
      mutants: Mutant[];
      /** Which engine gave the answers, and why not the fast one. */
      engine: { name: "inner" } | { name: "stryker"; because: string };
      /** By the content that decided them; for `known` of the next run. */
      keys: KnownMutants;
    }
  | { kind: "impossible"; why: string };

/** Answers by the content that decided them. */
export type KnownMutants = ReadonlyMap<string, KnownMutant>;

export interface KnownMutant {
  mutant: Mutant;
  /** Hashes of the functions that ran for the answer, by name: it holds as long as these are the same. */
  ran: Readonly<Record<string, string>>;
}

/** A module with one small mistake. */
export interface Variant {
  kind: MutationKind;
  /** What was put in place of right code. */
  replacement: string;
  edits: Edits;
}

/** One thing that callers can reach, in the canonical spelling that surfaces are compared by. */
export interface SurfaceEntry {
  name: string;
  kind: "function" | "class" | "constant" | "type";
  /** As a contract would write it: `(text: string) => string`; overloads joined by ` & `. */
  signature: string;
  async: boolean;
  /** Classes of errors that can leave it, through everything it calls. */
  throws: string[];
  file: string;
  line: number;
}

export interface Surface {
  entries: SurfaceEntry[];
  /** Hash of the canonical entries. */
  fingerprint: string;
}

export interface SurfaceDifference {
  entry: string;
  what: "missing" | "extra" | "signature" | "mode" | "errors";
  expected: string;
  found: string;
  file?: string;
  line?: number;
}

/** Something that is used of the module imported as `#modules/<module>`; the name `*` means all of it. */
export interface ModuleUse {
  module: string;
  name: string;
}

/** What a module shall offer before anybody has made it; see `AnnouncedExport` of the domain. */
export type Announced =
  /** The interface, which is types only, and stubs that fit it. The same exports give the same bytes. */
  | { kind: "announced"; files: Files }
  /** In words for whoever announced it. */
  | { kind: "refused"; problems: string[] };

export interface StaticRules {
  forbiddenImports: readonly string[];
  forbiddenPatterns: readonly string[];
  /** Packages that the contract names; undefined where there is no contract. */
  allowedPackages: readonly string[] | undefined;
}

export interface StaticReport {
  /** How many files were really parsed. */
  files: number;
  findings: StaticFinding[];
  complexity: ComplexityEntry[];
  /** Tests as they stand in their files, also where nothing declares them to the runner. */
  written: WrittenTest[];
}

export interface WrittenTest {
  file: string;
  line: number;
  /** With holes, such as `%s` and `${…}`, for what is only known when it runs. */
  title: string;
}

export interface TidyReport {
  files: number;
  findings: StaticFinding[];
}

export interface BudgetReport {
  calls: number;
  latencyMsP95: number;
  memoryMbMax: number;
  /** How time grows with the size of the input: the exponent of the best fit, where sizes could be varied. */
  growth?: { exponent: number; sizes: number[] };
}

export interface ExampleOptions {
  /** The name by which others import the module: `#modules/<name>`. */
  module: string;
  /** What they may import beside it, with all below: packages, and `#modules` where there are dependencies. */
  imports: readonly string[];
  /** Watched, to see what each example really calls and which errors come out. */
  entryPoints: readonly EntryPoint[];
  errorSurfaces: readonly ErrorSurface[];
  /** Those of the kind `throws` tell errors apart. */
  predicates: readonly Predicate[];
  secondsPerTest: number;
  timeoutMs: number;
  signal?: AbortSignal;
}

export type ExampleReport =
  | {
      kind: "ran";
      /** What came of each example beside what it says comes of it; the examples whose code was run, in their order. */
      compare(examples: readonly Example[]): ExampleRun[];
      /** Errors that nobody caught, of whichever example. */
      stray: readonly string[];
    }
  | { kind: "no-report"; why: string; timedOut: boolean };

/** Whether two implementations can be told apart by calling them. */
export type Difference =
  | { kind: "same"; tried: number }
  /** As small as it could be made, and what each of them does. */
  | {
      kind: "differ";
      entry: string;
      args: string;
      left: string;
      right: string;
      /** Predicates of the contract that each was seen to break for it. */
      breaks: { left: string[]; right: string[] };
    }
  /** Not everything that the contract promises could be compared, and no difference was found in the rest. */
  | { kind: "impossible"; why: string };

/** What a language can do. One adapter per language; `toolchain.suite.ts` is what each must pass. */
export interface Toolchain {
  readonly language: MicroModuleContract["language"];
  /** The tools and their versions, for proofs. */
  versions(): Promise<Readonly<Record<string, string>>>;
  /** What of a folder is what; a reason when it is no module of this language. */
  detect(
    folder: string,
  ): Promise<{ kind: "module"; layout: ModuleLayout } | { kind: "no-module"; why: string }>;
  openSite(request: SiteRequest): Promise<Site>;
  /** What stands in the way of building a contract, in words: predicates that cannot be evaluated, stubs that do not compile. */
  checkContract(contract: MicroModuleContract): Promise<string[]>;
  /** A new module: interface, stubs that throw a recognisable error, and a first test file. */
  scaffold(contract: MicroModuleContract): Files;
  /** The files of a module that is announced and not made yet; a module that does not keep to them does not build. */
  announce(name: string, exports: readonly AnnouncedExport[]): Announced;
  /** Edits that turn every function of the module into a stub that throws. */
  stubs(site: Site): Promise<Edits>;
  /**
   * Edits for copies in which entry points give wrong results of the right type and spoil what they are handed, each in
   * another way; what cannot lie is the stub that is given. None where nothing can.
   */
  lies(site: Site, stubs: Edits, entryPoints: readonly EntryPoint[]): Promise<Edits[]>;
  build(site: Site, signal?: AbortSignal): Promise<BuildReport>;
  test(site: Site, options: TestOptions): Promise<TestReport>;
  /** The same tests in the fast runner, for everything that is repeated; undefined with a reason where it cannot. */
  testQuickly(
    site: Site,
    options: Pick<TestOptions, "secondsPerTest" | "timeoutMs" | "signal">,
  ): Promise<TestReport | { kind: "unsupported"; why: string }>;
  /** Runs the code of examples, each on its own; what it gives can then be compared with what they say. */
  runExamples(site: Site, examples: readonly Example[], options: ExampleOptions): Promise<ExampleReport>;
  /** The module without its tests: their calls again, and calls close to them, weighed by predicates. */
  alone(
    site: Site,
    contract: MicroModuleContract,
    options: { calls: readonly unknown[]; predicates: readonly Predicate[]; signal?: AbortSignal },
  ): Promise<AloneReport>;
  mutate(site: Site, options: MutationOptions): Promise<MutationReport>;
  /** Copies with one small mistake each, always in the same order; whether they build or tests notice nobody knows yet. */
  variants(site: Site): Promise<Variant[]>;
  /** Which test reaches which function, through helpers; which functions there are, and which are stubs. */
  groundTruth(site: Site): Promise<GroundTruth>;
  /** Every function and every test by its name, with a hash of its code; white space says nothing. */
  pieces(site: Site): Promise<ReadonlyMap<string, string>>;
  surface(site: Site): Promise<Surface>;
  /** What its sources really use of other modules, by the names that these export, as the compiler sees it. */
  moduleUses(site: Site): Promise<ModuleUse[]>;
  /** Why a change does more than follow what others renamed or retyped, place by place; nothing where it does not. */
  beyondMechanical(
    before: Files,
    after: Files,
    follows: { renamed: Readonly<Record<string, string>> },
  ): Place[];
  compareSurface(
    site: Site,
    entryPoints: readonly EntryPoint[],
  ): Promise<{ compared: number; differences: SurfaceDifference[] }>;
  inspect(site: Site, rules: StaticRules): Promise<StaticReport>;
  tidy(site: Site): Promise<TidyReport>;
  /** Uses of files, network, clock and chance that can be read in the code. */
  effectsInCode(site: Site): Promise<{ functions: number; effects: SeenEffect[] }>;
  measure(
    site: Site,
    contract: MicroModuleContract,
  ): Promise<BudgetReport | { kind: "impossible"; why: string }>;
  /** One generated input on which two implementations of a contract differ, in results, errors or what they do to arguments. */
  differ(left: Site, right: Site, contract: MicroModuleContract, signal: AbortSignal): Promise<Difference>;
  /** The compiled package of a module: code and types, by path; without types where nobody will ask for them. */
  compile(
    site: Site,
    parts?: "code and types" | "code",
  ): Promise<{ kind: "compiled"; files: Files } | { kind: "broken"; errors: Place[] }>;
}

export interface SiteRequest {
  /** The module's folder; copied. */
  folder: string;
  layout: ModuleLayout;
  /** Where the copy is made; nothing is there yet. */
  directory: string;
  /** Built packages of other modules, seen at `modules/<name>`. */
  dependencies?: readonly { name: string; directory: string }[];
}
