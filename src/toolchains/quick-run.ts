// Tests of which nothing but the results counts: in the fast runner, or in the one of record where the fast one cannot or
// the verdict is about the real module.
import type { Site, TestOptions, TestReport, Toolchain } from "./port.ts";

/** Test runs that are repeated use the fast runner where it can; a verdict about the real module never does. */
export type Exactness = "record" | "quick";

type Runners = Pick<Toolchain, "test" | "testQuickly">;
type RunOptions = Pick<TestOptions, "secondsPerTest" | "timeoutMs" | "signal">;

/** For everything that is repeated, and for whatever is judged again before it counts. */
export function quickRun(toolchain: Runners, site: Site, options: RunOptions): Promise<TestReport> {
  return plainRun(toolchain, site, "quick", options);
}

export async function plainRun(
  toolchain: Runners,
  site: Site,
  exactness: Exactness,
  options: RunOptions,
): Promise<TestReport> {
  if (exactness === "quick") {
    const quick = await toolchain.testQuickly(site, options);
    if (quick.kind !== "unsupported") return quick;
  }
  return toolchain.test(site, { ...options, coverage: false });
}
