// The sandbox: where commands of agents and generated code run, seeing only what they were granted.
import type { CommandResult, Limits, RunningCommand } from "../process/run-command.ts";

/** `none` keeps nothing apart: only by a person's explicit word, or for Cupel's own scripts. */
export const SANDBOX_LEVELS = ["bubblewrap", "none"] as const;
export type SandboxLevel = (typeof SANDBOX_LEVELS)[number];

/** A directory of the harness that a command sees, read-only, inside its workspace. */
export interface Mount {
  from: string;
  /** Relative to the workspace; the directory must exist there. */
  at: string;
}

export interface SandboxedCommand {
  command: string;
  args: readonly string[];
  /** The one directory the command sees; its files belong to whoever runs the sandbox. */
  workspace: string;
  access: "read" | "write";
  /** Where it starts, relative to the workspace. */
  cwd?: string;
  mounts?: readonly Mount[];
  /** Files and directories of the machine, absolute and without links, that it sees read-only under their own paths. */
  visible?: readonly string[];
  /** On top of PATH, HOME and TMPDIR, which the sandbox sets. */
  env?: Readonly<Record<string, string>>;
  /** `none` also closes the loopback of the machine. */
  network: "none" | "host";
  stdin?: string | Uint8Array;
  timeoutMs: number;
  limits?: Partial<Limits>;
  signal?: AbortSignal;
  /** Takes the whole output when it is longer than the result holds; returns its address. */
  keep?: (output: Uint8Array) => Promise<string>;
}

/** The level is recorded with every command. */
export type SandboxedResult = CommandResult & { sandbox: SandboxLevel };

export interface Sandbox {
  readonly level: SandboxLevel;
  /** The path under which commands see a workspace. */
  inside(workspace: string): string;
  run(command: SandboxedCommand): Promise<SandboxedResult>;
  /** For a program that is talked to while it runs; `stdin` of the command is ignored. */
  start(command: SandboxedCommand): RunningCommand;
  /** Gives files that the harness wrote to whoever runs the sandbox; called once on a new workspace. */
  handOver(workspace: string): Promise<void>;
}
