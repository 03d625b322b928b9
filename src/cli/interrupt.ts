// What Ctrl-C does: what is under way ends and clears up after itself; a second one does not wait for that.
import { EXIT } from "./exit-codes.ts";

let stopping: AbortController | undefined;
let told = Number.NEGATIVE_INFINITY;

/** `timeout` and some shells tell a process and its group, which is it once more; nobody types as fast. */
const SAME_MS = 100;

/** For commands that have nothing to clear up, the end is immediate. */
export function endOnInterrupt(): void {
  // A terminal that goes away is an interruption, too.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);
}

function interrupt(): void {
  const isTheSame = performance.now() - told < SAME_MS;
  told = performance.now();
  if (stopping === undefined || (stopping.signal.aborted && !isTheSame)) process.exit(EXIT.interrupted);
  stopping.abort();
}

/** From now on an interruption is this signal; whoever asked ends soon after it. */
export function untilInterrupted(): AbortSignal {
  stopping ??= new AbortController();
  return stopping.signal;
}
