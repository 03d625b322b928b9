// Tests in the fast runner, or in the one of record where the fast one cannot: for everything that is repeated, and for
// whatever is judged again before it counts.
import type { Site, TestOptions, TestReport, Toolchain } from "./port.ts";

export async function quickRun(
  toolchain: Pick<Toolchain, "test" | "testQuickly">,
  site: Site,
  options: Pick<TestOptions, "secondsPerTest" | "timeoutMs" | "signal">,
): Promise<TestReport> {
  const quick = await toolchain.testQuickly(site, options);
  return quick.kind === "unsupported" ? toolchain.test(site, { ...options, coverage: false }) : quick;
}
