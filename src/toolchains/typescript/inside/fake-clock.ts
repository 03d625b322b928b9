// The clock of `vi`: timers that move when a test says so, made by the library that vitest uses, with vitest's own choice of
// what they replace.
import { type FakeTimerInstallOpts, type InstalledClock, withGlobal } from "@sinonjs/fake-timers";
import { getCurrentTest } from "@vitest/runner";
import { unsupported } from "./unsupported.ts";

let clock: InstalledClock | undefined;
let fakeable: ReturnType<typeof withGlobal> | undefined;
let isRunning = false;

/** Tests are collected before the first of them runs, all in one world: a clock put in place then would reach other files. */
export function runningTests(are: boolean): void {
  isRunning = are;
}

export function useRealTimers(): void {
  clock?.uninstall();
  clock = undefined;
}

function useFakeTimers(asked: Partial<FakeTimerInstallOpts> = {}): void {
  if (!isRunning || isBeside()) return unsupported("vi.useFakeTimers outside of a test or hook");
  if (asked.toFake?.some((name) => name === "nextTick")) return unsupported("a fake nextTick");
  const now = Date.now();
  useRealTimers();
  fakeable ??= withGlobal(globalThis);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of what can be replaced are its names
  const names = Object.keys(fakeable.timers) as NonNullable<FakeTimerInstallOpts["toFake"]>;
  const usual = names.filter((name) => name !== "nextTick" && name !== "queueMicrotask");
  clock = fakeable.install({ now, ...asked, toFake: asked.toFake ?? usual, ignoreMissingTimers: true });
}

/** Tests side by side share one clock, under vitest as here, and who comes first is nobody's choice. */
function isBeside(): boolean {
  return getCurrentTest()?.concurrent === true;
}

function set(): InstalledClock {
  if (clock !== undefined) return clock;
  throw new Error(
    "A function to advance timers was called but the timers APIs are not mocked. Call `vi.useFakeTimers()` in the test file first.",
  );
}

/** Each answers with `vi` itself, or promises it. */
export const moving = {
  useFakeTimers,
  useRealTimers,
  runAllTimers: () => set().runAll(),
  runAllTimersAsync: async () => set().runAllAsync(),
  runOnlyPendingTimers: () => set().runToLast(),
  runOnlyPendingTimersAsync: async () => set().runToLastAsync(),
  runAllTicks: () => set().runMicrotasks(),
  advanceTimersByTime: (ms: number) => set().tick(ms),
  advanceTimersByTimeAsync: async (ms: number) => set().tickAsync(ms),
  advanceTimersToNextTimer: () => {
    set().next();
    set().tick(0);
  },
  advanceTimersToNextTimerAsync: async () => {
    await set().nextAsync();
    set().tick(0);
  },
  advanceTimersToNextFrame: () => set().runToFrame(),
  clearAllTimers: () => clock?.reset(),
  setSystemTime: (time?: number | string | Date) => {
    // Without a clock vitest puts another Date in place, and nothing else.
    if (clock === undefined) return unsupported("vi.setSystemTime without vi.useFakeTimers");
    clock.setSystemTime(time === undefined || time instanceof Date ? time : new Date(time));
  },
};

export const asking = {
  isFakeTimers: () => clock !== undefined,
  getTimerCount: () => set().countTimers(),
  getMockedSystemTime: () => (clock === undefined ? null : new Date(clock.now)),
};
