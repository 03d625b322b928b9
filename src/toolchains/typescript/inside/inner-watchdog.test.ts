// Who computes too long is ended; who had to wait for the machine is not, unless that has no end either.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const WATCHDOG = new URL("inner-watchdog.ts", import.meta.url).href;

const WAITS = (ms: number) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});`;
const COMPUTES = (ms: number) =>
  `for (const end = process.cpuUsage().user + ${ms}e3; process.cpuUsage().user < end; );`;

test.each([
  ["computes too long", COMPUTES(10_000), "SIGKILL"],
  ["waits longer than it was given", WAITS(700), null],
  ["waits for ever", WAITS(60_000), "SIGKILL"],
])("whoever %s", (_, blocks, signal) => {
  const program = `
    const { startWatchdog } = await import(${JSON.stringify(WATCHDOG)});
    startWatchdog().watch(300);
    ${blocks}
    process.exit(0);
  `;
  const args = ["--import", "tsx", "--input-type=module", "--eval", program];
  const ended = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 20_000 });
  expect([ended.signal, ended.stderr]).toEqual([signal, ""]);
});
