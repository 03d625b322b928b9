// What a process that is gone still holds is given back, so that nobody waits for the end of its leases.
import { hostname } from "node:os";
import { hasCode } from "../domain/environment-error.ts";
import type { Leases } from "../store/port.ts";

/** As `openRun` names its holder. */
const HOLDER = /^process (\d+) on (.+) \([0-9a-f]{6}\)$/;

/** Of processes of this machine only; should one of them live after all, its fences keep it from writing. */
export async function releaseDeadLeases(leases: Leases): Promise<number> {
  let released = 0;
  for (const { name, holder, token } of await leases.list()) {
    if (!isGone(holder)) continue;
    try {
      await leases.release({ name, token });
      released += 1;
    } catch (error) {
      // Somebody was quicker.
      if (!hasCode(error, "stale_fence")) throw error;
    }
  }
  return released;
}

function isGone(holder: string): boolean {
  const [, pid, host] = HOLDER.exec(holder) ?? [];
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return hasCode(error, "ESRCH");
  }
}
