// What the runner inside a site tells the harness about one run of the tests, before the harness judges it.

export interface WireReport {
  vitest: string;
  files: WireFile[];
  /** Errors that no test caught. */
  stray: string[];
  /** `silent`: no test began or ended for longer than any may take; `late`: the time of the whole run was up. */
  ended: "finished" | "silent" | "late";
  durationMs: number;
  coverage?: WireCoverage[];
}

export interface WireFile {
  file: string;
  /** Whether the file was loaded to its end, so that its tests are known. */
  collected: boolean;
  errors: WireError[];
  tests: WireTest[];
  /** Blocks that were marked to run alone. */
  focused: string[];
  /** How many tests the worker says it has run, sent when the file was over. */
  ran?: number;
  /** What setup files reported in the worker, by key. */
  reports: Record<string, unknown[]>;
  /** What was done with the module while the file was loaded. */
  loading?: WireContact;
  /** Of a test that only rode along and does nothing with the module. */
  idle?: WireContact;
}

/** What a piece of test code did with the module. */
export interface WireContact {
  /** Entry points that were called. */
  entries: string[];
  /** How often a predicate was seen to hold there. */
  upheld: number;
  properties: WireProperty[];
  /** What assertions said that failed there, whether or not anybody heard of it. */
  failed: string[];
}

export interface WireTest {
  name: string;
  state: "passed" | "failed" | "skipped" | "todo" | "unfinished";
  focused: boolean;
  durationMs: number;
  retries: number;
  errors: WireError[];
  contact: WireContact;
}

export interface WireProperty {
  runs: number;
  discarded: number;
  distinct: number;
  reaching: number;
  varied: boolean;
}

export interface WireError {
  name: string;
  message: string;
  /** Messages of what caused it, nearest first. */
  causes: string[];
  expected?: string;
  actual?: string;
}

export interface WireCoverage {
  file: string;
  lines: { covered: number; total: number };
  branches: { covered: number; total: number };
  uncoveredFunctions: string[];
  /** The lines they lead to. */
  uncoveredBranches: number[];
  uncoveredLines: number[];
}

/** How a main program inside a site was started; see shielded-node.ts. */
interface Started {
  shielded: boolean;
  node: string;
}

/** What the harness tells StrykerJS's main program on stdin. */
export interface StrykerOrder extends Started {
  key: string;
  options: Record<string, unknown>;
}

/** What the harness tells the runner on stdin. */
export interface WireOrder extends Started {
  /** Proves that a report comes from the runner; known to nobody else. */
  key: string;
  root: string;
  tests: string[];
  secondsPerTest: number;
  /** After this long the runner reports what it has. */
  deadlineMs: number;
  /** Files whose coverage is asked for. */
  cover?: string[];
  /** Paths of our programs in the site. */
  runner: string;
  setupFiles: string[];
  /** Started by the runner in each worker. */
  workerTools: string[];
  vitePlugins: string[];
  settings: WireSettings;
}

/** The module's own configuration as data; what would run inside the runner itself is not among it. */
export interface WireSettings {
  /** Loaded by the runner itself, plugins and all: only where a person runs code of their own without a sandbox. */
  trustedFile?: string;
  test: Record<string, unknown>;
  vite: Record<string, unknown>;
  aliases: { find: string; flags?: string; replacement: string }[];
}

/** What was found in the module's configuration; any field may hold anything that JSON can. */
export interface FoundSettings {
  test: Record<string, unknown>;
  resolve: Record<string, unknown>;
  vite: Record<string, unknown>;
  aliases: { find: string; flags: string | undefined; replacement: string }[];
  /** What would have to run inside the runner itself. */
  inRunner: string[];
  /** What decides which tests there are, or who runs them. */
  unsupported: string[];
}

export const SETTINGS_MARK = "cupel-settings";
