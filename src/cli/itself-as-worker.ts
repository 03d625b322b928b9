// How a command starts itself again as a worker: as this process was started, whatever loads its code.
import type { WorkerCommand } from "../factory/line-worker.ts";

/** With nothing of the person's environment that programs do not need to run at all. */
export function itselfAsWorker(...command: string[]): WorkerCommand {
  const [, program = ""] = process.argv;
  const set = ["PATH", "HOME", "LANG"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    command: process.execPath,
    args: [...process.execArgv, program, ...command],
    env: Object.fromEntries(set),
  };
}
