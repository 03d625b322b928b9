// Which process holds a workspace, and whether it still lives.
import { readFileSync, readlinkSync } from "node:fs";
import { hasCode } from "../../domain/environment-error.ts";
import type { Holder } from "../../domain/run/workspace-record.ts";

export function thisProcess(): Holder {
  return {
    pid: process.pid,
    startedAt: startOf(process.pid) ?? UNKNOWN,
    namespace: namespaceOfThisProcess(),
  };
}

/** `elsewhere`: in another container of the same machine, whose processes cannot be seen from here. */
export type HolderState = "alive" | "gone" | "elsewhere";

export function stateOf(holder: Holder): HolderState {
  const { pid, startedAt, namespace } = holder;
  const [boot] = startedAt.split(" ");
  const sameStartOfTheMachine = thisProcess().startedAt.startsWith(`${boot} `);
  if (sameStartOfTheMachine && namespace !== namespaceOfThisProcess()) return "elsewhere";
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!hasCode(error, "EPERM")) return "gone";
  }
  // A number is given out again after a while; the start tells the two processes apart.
  return (startOf(pid) ?? UNKNOWN) === startedAt ? "alive" : "gone";
}

export function isThisProcess(holder: Holder): boolean {
  const mine = thisProcess();
  return (
    holder.pid === mine.pid && holder.startedAt === mine.startedAt && holder.namespace === mine.namespace
  );
}

const UNKNOWN = "unknown";

/** Which start of the machine, and the ticks since then; undefined without /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    // The name of the program, in parentheses, may hold anything; the 20th word after it is the start.
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${boot} ${ticks ?? ""}`;
  } catch {
    return undefined;
  }
}

function namespaceOfThisProcess(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return UNKNOWN;
  }
}
