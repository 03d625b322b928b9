// Which predicates of the contract an implementation breaks for one input: called once, watched as in any test run.
import type { MicroModuleContract } from "../../../domain/contract/contract.ts";
import type { Edits, Site } from "../../port.ts";
import { runWatched } from "../watch/run-watched.ts";

const LIMIT_SECONDS = 10;

/** Nothing where the call cannot be written down or does not end: then nothing was seen to be broken. */
export async function breaks(
  site: Site,
  { predicates, entry_points }: Pick<MicroModuleContract, "predicates" | "entry_points">,
  input: { entry: string; args: string },
  signal: AbortSignal,
): Promise<string[]> {
  const own = predicates.filter(({ entry }) => entry === input.entry);
  if (own.length === 0) return [];
  const called = await site.fork(callOnly(site, input));
  try {
    const report = await runWatched(called, {
      secondsPerTest: LIMIT_SECONDS,
      timeoutMs: 6 * LIMIT_SECONDS * 1000,
      coverage: false,
      predicates: own,
      declaredErrors: Object.fromEntries(entry_points.map(({ name, errors }) => [name, errors])),
      signal,
    });
    const seen = report.kind === "ran" ? (report.predicates ?? []) : [];
    return seen.filter(({ broken }) => broken > 0).map(({ predicate }) => predicate);
  } finally {
    await called.remove();
  }
}

function callOnly({ layout }: Site, { entry, args }: { entry: string; args: string }): Edits {
  const code = `import { test } from "vitest";
import { ${entry} } from "../${layout.entry}";
test("the input on which they differ", async () => {
  try {
    await ${entry}(${args});
  } catch {}
});
`;
  return { ...Object.fromEntries(layout.tests.map((path) => [path, null])), "test/differ.test.ts": code };
}
