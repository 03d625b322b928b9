// A workspace, something outside it that must stay untouched, and short ways to run commands there.
import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { Sandbox, SandboxedCommand, SandboxedResult } from "./port.ts";

export type Promises = Readonly<Record<string, (world: World) => Promise<void>>>;

export interface World {
  sandbox: Sandbox;
  workspace: string;
  /** Open to all, so that only the sandbox can be what refuses. */
  outside: string;
  secret: string;
  /** Part of the command line of processes that must not survive. */
  token: string;
  sh: (script: string, more?: Partial<SandboxedCommand>) => Promise<SandboxedResult>;
  node: (script: string, more?: Partial<SandboxedCommand>) => Promise<SandboxedResult>;
  command: (more?: Partial<SandboxedCommand>) => SandboxedCommand;
}

export async function newWorld(sandbox: Sandbox): Promise<World> {
  const directory = temporaryDirectory();
  const workspace = join(directory, "workspace");
  const outside = join(directory, "outside");
  const secret = join(outside, "secret");
  mkdirSync(join(workspace, "deps"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(secret, "s3cret");
  chmodSync(directory, 0o755);
  chmodSync(outside, 0o777);
  chmodSync(secret, 0o666);
  await sandbox.handOver(workspace);
  const command: World["command"] = (more) => ({
    command: "/bin/sh",
    args: [],
    workspace,
    access: "write",
    network: "none",
    timeoutMs: 5000,
    ...more,
  });
  return {
    sandbox,
    workspace,
    outside,
    secret,
    token: `300.${parseInt(randomUUID().slice(0, 8), 16)}`,
    command,
    sh: (script, more) => sandbox.run(command({ args: ["-c", script], ...more })),
    node: (script, more) => sandbox.run(command({ command: "node", args: ["-e", script], ...more })),
  };
}

/** Processes that have the token on their command line and are not dead; given a moment to die. */
export async function survivorsOf({ token }: Pick<World, "token">): Promise<string[]> {
  for (let wait = 0; ; wait++) {
    const left = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && runs(pid, token));
    if (left.length === 0 || wait === 20) return left;
    await sleep(25);
  }
}

function runs(pid: string, token: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(token) &&
      !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
    );
  } catch {
    return false;
  }
}
