// What a command may use, and how the kernel is told: through the program prlimit, where it exists.
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";

export interface Limits {
  cpuSeconds: number;
  /** The largest file it may write. */
  fileBytes: number;
  processes: number;
  /** Writable memory of each process. */
  memoryBytes: number;
  openFiles: number;
}

/** Generous: they protect the machine and never get in the way of honest work. */
export const DEFAULT_LIMITS: Limits = {
  cpuSeconds: 600,
  fileBytes: 256 * 1024 ** 2,
  processes: 512,
  memoryBytes: 4 * 1024 ** 3,
  openFiles: 4096,
};

/** What fits into each temporary file system of a sandbox. */
export const TEMPORARY_BYTES = 512 * 1024 ** 2;

const PLACES = ["/usr/bin/prlimit", "/bin/prlimit"];

/**
 * The command with its limits; undefined when there is no such command. prlimit runs it in its own place, so that
 * the process is still the command's.
 */
export function limitedCommand(
  command: string,
  args: readonly string[],
  { limits, env, cwd }: { limits?: Partial<Limits>; env: Readonly<Record<string, string>>; cwd?: string },
): { command: string; args: readonly string[] } | undefined {
  const prlimit = limits === undefined ? undefined : prlimitProgram();
  // A directory that is not there is for whoever starts the command to report.
  if (limits === undefined || prlimit === undefined || !existsSync(cwd ?? ".")) return { command, args };
  // Asked before, because prlimit would report a command that is not there as an exit.
  if (!isCommand(command, cwd, env["PATH"])) return undefined;
  return { command: prlimit, args: [...prlimitArguments(limits), "--", command, ...args] };
}

function isCommand(command: string, cwd: string | undefined, path = ""): boolean {
  const places = command.includes("/") ? [""] : path.split(":");
  return places.some((place) => isExecutable(resolve(cwd ?? ".", place, command)));
}

/** Where prlimit is; undefined on machines without it, where nothing is limited but time. */
export function prlimitProgram(): string | undefined {
  return PLACES.find((place) => isExecutable(place));
}

/** Never more than the harness itself may use, which the kernel would refuse to grant. */
export function prlimitArguments(limits: Partial<Limits>): string[] {
  const ceilings = ownLimits();
  const values: [string, string, number | undefined][] = [
    ["cpu", "Max cpu time", limits.cpuSeconds],
    ["fsize", "Max file size", limits.fileBytes],
    ["nproc", "Max processes", limits.processes],
    // Writable memory and not the address space, of which programs such as Node reserve far more than they use.
    ["data", "Max data size", limits.memoryBytes],
    ["nofile", "Max open files", limits.openFiles],
    ["core", "Max core file size", 0],
  ];
  return values.flatMap(([option, name, value]) =>
    value === undefined ? [] : [`--${option}=${Math.floor(Math.min(value, ceilings.get(name) ?? value))}`],
  );
}

let own: ReadonlyMap<string, number> | undefined;

/** The hard limits of this process, by the names that the kernel gives them; those without a number are left out. */
function ownLimits(): ReadonlyMap<string, number> {
  own ??= new Map(
    readOwnLimits()
      .split("\n")
      .flatMap((line) => {
        const [, name, hard] = /^(\S+(?: \S+)*) {2,}\S+ +(\d+)/.exec(line) ?? [];
        return name === undefined ? [] : [[name, Number(hard)] as const];
      }),
  );
  return own;
}

function readOwnLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
