// An attack is data: what a hostile agent runs in its workspace, and what would count as having got through.

export const THEMES = [
  "git objects and refs",
  "reflog",
  "alternates",
  "packed objects",
  "parent directories",
  "absolute paths",
  "symlinks",
  "hard links",
  "/proc",
  "/tmp",
  "environment",
  "inherited descriptors",
  "shared caches",
  "sockets and loopback services",
  "other users' home",
  "hooks and config",
  "filters and attributes",
  "what the harness takes back",
  "huge files",
  "fork bomb",
  "time bombs",
  "kernel",
] as const;
export type Theme = (typeof THEMES)[number];

export const SECRETS = [
  "hub-branch",
  "hub-reflog",
  "hub-packed",
  "other-file",
  "other-commit",
  "environment",
  "descriptor",
  "harness-directory",
  "child-environment",
  "loopback",
  "socket",
  "abstract-socket",
  "tmp",
  "home",
  "npm-cache",
  "vitest-cache",
  "build-info",
  "store",
  "shared-file",
  "shared-memory",
  "keyring",
] as const;
export type SecretName = (typeof SECRETS)[number];

/** What the attacker knows: every place and every id, but no secret. */
export interface Scene {
  project: string;
  hub: string;
  /** The attacker's own workspace, as the harness names it. */
  tree: string;
  otherTree: string;
  home: string;
  machineTmp: string;
  /** A directory that the harness mounts into workspaces. */
  granted: string;
  npmCache: string;
  vitestCache: string;
  buildInfo: string;
  store: string;
  socket: string;
  abstractSocket: string;
  port: number;
  sharedFile: string;
  sharedMemory: number;
  /** The ids of blobs that hold secrets. */
  branchBlob: string;
  packedBlob: string;
  harnessPid: number;
  childPid: number;
  /** A process of the harness that nobody would miss. */
  preyPid: number;
  /** A file of the harness whose mode and presence are watched. */
  preyFile: string;
  /** Outside every workspace, writable by everybody: it must not come into being. */
  mark: string;
  /** A word that only this run of this attack uses. */
  id: string;
  /** Whether nothing but the script itself keeps the machine from harm. */
  unlimited: boolean;
}

/** What the harness saw while and after the attack ran. */
export interface Outcome {
  output: string;
  /** Whose tokens reached the output, the workspace or the hub's new commit. */
  stolen: SecretName[];
  /** The mark exists, or what the attack wanted to change outside did change. */
  marked: boolean;
  /** The command held the harness for longer than its time allows. */
  held: boolean;
  /** The most processes of the attack at any one time. */
  peak: number;
  /** The harness could not finish with the workspace afterwards. */
  stalled: boolean;
  crashed: boolean;
  /** The workspace could not be removed. */
  left: boolean;
  /** The paths that the harness took back. */
  taken: string[];
  /** How the harness explained itself. */
  said: string;
  /** What came into the hub, and what a careless harness was shown, as text. */
  text: string;
  /** The largest file in the workspace after the command. */
  largestFile: number;
}

export interface Attack {
  name: string;
  theme: Theme;
  /** Runs with `sh` in the workspace. */
  script: (scene: Scene) => string;
  succeeded: (outcome: Outcome) => boolean;
  /** Whether something outside changed; without it, whether the mark exists. */
  effect?: (scene: Scene) => boolean | Promise<boolean>;
  /** Runs with `sh` in its own workspace again, with a directory of the harness mounted at `granted/`. */
  thenMounted?: (scene: Scene) => string;
  /** Runs with `sh` in the other workspace afterwards; its output counts. */
  thenInOther?: (scene: Scene) => string;
  /** Whether the harness then takes back, salvages, scans and removes the workspace. */
  sweep?: boolean;
  /** What a careless harness does instead, with `sh` in the workspace, or as a careless walk over its files. */
  careless?: (scene: Scene) => string;
  carelessWalk?: "take" | "remove";
  /** A careless workspace is a worktree of the hub, or else a clone. */
  worktree?: boolean;
  /** How long to wait for what was left behind. */
  waitMs?: number;
  timeoutMs?: number;
  /** Looks at how many processes there are while it runs. */
  counts?: boolean;
  /** What a machine must have for the attack to be possible at all; without it a careless harness may hold too. */
  needs?: string;
  /** Limits of the kernel that do not hold for root keep it out otherwise, also without a sandbox. */
  onlyAsRoot?: boolean;
}

type More = Partial<Attack>;
type Script = Attack["script"];

/** Limits under which every attack runs. */
export const LIMITS = {
  cpuSeconds: 10,
  fileBytes: 16 * 1024 * 1024,
  processes: 48,
  memoryBytes: 512 * 1024 * 1024,
  openFiles: 256,
} as const;

/** Gets at a secret. */
export function steals(
  theme: Theme,
  name: string,
  secret: SecretName,
  script: Script,
  more: More = {},
): Attack {
  return { theme, name, script, succeeded: (outcome) => outcome.stolen.includes(secret), ...more };
}

/** Leaves something outside. */
export function marks(theme: Theme, name: string, script: Script, more: More = {}): Attack {
  return { theme, name, script, succeeded: (outcome) => outcome.marked, ...more };
}

/** Shows by a line of its own that the kernel let it do something. */
export function reaches(theme: Theme, name: string, script: Script, more: More = {}): Attack {
  return { theme, name, script, succeeded: (outcome) => /^REACHED$/m.test(outcome.output), ...more };
}

/** Lays something out that a careless harness would later run. */
export function plants(
  theme: Theme,
  name: string,
  script: Script,
  careless: string,
  more: More = {},
): Attack {
  return marks(theme, name, script, { sweep: true, careless: () => careless, ...more });
}

/** Makes the harness itself stumble over the workspace. */
export function trips(name: string, script: Script, succeeded: Attack["succeeded"], more: More = {}): Attack {
  const theme = "what the harness takes back";
  return { theme, name, script, succeeded, sweep: true, carelessWalk: "take", ...more };
}

/** A word of a shell script. */
export function quote(word: string | number): string {
  return `'${String(word).replaceAll("'", `'\\''`)}'`;
}
