// Starts a person's own agent of the Agent Client Protocol: always in the sandbox, since it has tools of its own.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runtime } from "../agents/port.ts";
import type { AcpSdk } from "../agents/runtimes/acp-sdk.ts";
import type { StartAgent } from "../agents/runtimes/agent-process.ts";
import { CupelError } from "../domain/error.ts";
import { probeSandbox } from "../workshop/probes.ts";
import { runCommand } from "../workshop/process/run-command.ts";
import { bubblewrap } from "../workshop/sandbox/bubblewrap.ts";
import type { AcpProgram } from "./acp-program.ts";

export interface AcpPlace {
  program: AcpProgram;
  env: Readonly<Record<string, string>>;
  home: string;
  load?: () => Promise<AcpSdk>;
}

/** Longer than any call; whoever asks ends it before. */
const MOST_MS = 60 * 60_000;

export async function acpIn({ program, env, home, load }: AcpPlace): Promise<Runtime> {
  const { acpRuntime } = await import("../agents/runtimes/acp.ts");
  const sandbox = bubblewrap();
  await assertSandbox();
  // The path of a socket must be short, so it lies in no project.
  const sockets = await realpath(await mkdtemp(join(tmpdir(), "cupel-")));
  await sandbox.handOver(sockets);
  const start: StartAgent = (command, args, { cwd, env: variables }) =>
    sandbox.start({
      command,
      args,
      workspace: cwd,
      access: "write",
      visible: [...program.visible, sockets],
      env: variables,
      network: "host",
      timeoutMs: MOST_MS,
    });
  // The sandbox has a search path of its own: what was found on the person's is not there.
  const { PATH: _, ...besides } = env;
  const runtime = acpRuntime({
    command: program.command,
    args: program.args,
    start,
    env: besides,
    home,
    inside: (directory) => sandbox.inside(directory),
    relay: { directory: sockets, inside: sockets, node: await realpath(process.execPath) },
    ...(load === undefined ? {} : { load }),
  });
  return {
    ...runtime,
    close: async () => {
      await runtime.close();
      await rm(sockets, { recursive: true, force: true });
    },
  };
}

async function assertSandbox(): Promise<void> {
  const check = await probeSandbox(runCommand, bubblewrap());
  if (check.status === "ok") return;
  throw new CupelError(
    "unsafe_without_sandbox",
    `the runtime acp starts your agent in a sandbox, and there is none: ${check.found}; nothing was started`,
    {
      expected: "a working bubblewrap",
      hint: `${check.fix ?? "apt-get install bubblewrap"}, or name another runtime`,
    },
  );
}
