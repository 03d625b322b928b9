// What this machine can do for Cupel: every probe, put together for `cupel doctor`.
import { probeKeys } from "../agents/probes.ts";
import { diagnose } from "../domain/diagnosis.ts";
import type { Check, Diagnosis } from "../domain/diagnosis.ts";
import { CupelError } from "../domain/error.ts";
import { probeNode, probePython, probeTypescript } from "../toolchains/probes.ts";
import { cupelVersion } from "../version.ts";
import { probeGit, probeSandbox } from "../workshop/probes.ts";
import { runCommand } from "../workshop/process/run-command.ts";
import { bubblewrap } from "../workshop/sandbox/bubblewrap.ts";
import { OPEN_WITHOUT_SANDBOX } from "../workshop/sandbox/open-doors.ts";
import { readConfig } from "./project.ts";

export interface Machine {
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  /** What was found out besides. */
  more?: readonly Check[];
}

export async function examine({ directory, env, more = [] }: Machine): Promise<Diagnosis> {
  const path = env["PATH"] ?? "";
  const [git, sandbox, typescript, python, config] = await Promise.all([
    probeGit(runCommand, path),
    probeSandbox(runCommand, bubblewrap()),
    probeTypescript(runCommand, path),
    probePython(runCommand, path),
    checkConfig(directory),
  ]);
  const node = probeNode(process.versions.node);
  const checks = [node, git, sandbox, typescript, python, probeKeys(env), config, ...more];
  return diagnose(cupelVersion(), checks, OPEN_WITHOUT_SANDBOX);
}

async function checkConfig(directory: string): Promise<Check> {
  try {
    const { from, rigor, protocol, concurrency, budget } = await readConfig(directory);
    const settings = [
      `rigor ${rigor.base}`,
      `protocol ${protocol}`,
      `concurrency ${concurrency}`,
      `budget $${budget.usd}`,
    ];
    return { name: "config", required: true, status: "ok", found: `${from}: ${settings.join(" · ")}` };
  } catch (error) {
    if (!(error instanceof CupelError)) throw error;
    return {
      name: "config",
      required: true,
      status: "unfit",
      found: error.message,
      cost: "nothing runs here until it is right",
      ...(error.hint === undefined ? {} : { fix: error.hint }),
    };
  }
}
