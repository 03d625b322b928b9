// Ends this process when a mutant blocks it for longer than it was given: nothing else could.
import { Worker } from "node:worker_threads";

export interface Watchdog {
  /** The next mutant begins and may take this long. */
  watch(limitMs: number): void;
  rest(): void;
}

/** On a busy machine who has hardly computed in its time gets as much again, so many times. */
const MOST_MORE = 4;

const PROGRAM = `
const { workerData } = require("node:worker_threads");
const cell = new Int32Array(workerData);
const computedMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
for (;;) {
  const turn = Atomics.load(cell, 0);
  const limit = Atomics.load(cell, 1);
  const before = computedMs();
  let woken = Atomics.wait(cell, 0, turn, limit === 0 ? Infinity : limit);
  for (let more = 0; woken === "timed-out" && more < ${MOST_MORE} && computedMs() - before < limit / 2; more++)
    woken = Atomics.wait(cell, 0, turn, limit);
  if (woken === "timed-out") process.kill(process.pid, "SIGKILL");
}
`;

/** Taken before anything else is put in its place. */
const Thread = Worker;

export function startWatchdog(): Watchdog {
  const memory = new SharedArrayBuffer(8);
  const cell = new Int32Array(memory);
  const worker = new Thread(PROGRAM, { eval: true, workerData: memory, execArgv: [] });
  worker.unref();
  const next = (limitMs: number) => {
    Atomics.store(cell, 1, Math.ceil(limitMs));
    Atomics.add(cell, 0, 1);
    Atomics.notify(cell, 0);
  };
  return { watch: next, rest: () => next(0) };
}
