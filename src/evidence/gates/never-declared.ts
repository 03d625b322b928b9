// Finds tests that stand in their files and that the runner never heard of: behind a condition, over an empty table, in a
// function that nobody calls.
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { TestRun } from "../../domain/evidence/test-result.ts";
import { comesFrom } from "../../domain/evidence/test-title.ts";
import type { WrittenTest } from "../../toolchains/port.ts";
import type { Facts } from "../facts.ts";

/** A person's own tests may wait for another machine; those that belong to a contract are all there is to believe. */
export async function neverDeclared(facts: Facts, onStubs: TestRun): Promise<Finding[]> {
  if (facts.module.contract === undefined) return [];
  const { written } = await facts.inspection();
  const missing = missingFrom(written, onStubs);
  if (missing.length === 0) return [];
  // What stubs give may decide which tests there are, or that there are none.
  const report = await facts.run();
  if (report.kind === "no-report") return [];
  const unloaded = report.run.collectionErrors.map(({ file }) => file);
  return missingFrom(missing, report.run)
    .filter(({ file }) => !unloaded.includes(file))
    .map(({ file, line, title }) => ({
      rule: "never-declared",
      file,
      line,
      message: `"${title}" stands there and is never declared, so it never runs`,
    }));
}

function missingFrom(written: readonly WrittenTest[], { results }: TestRun): WrittenTest[] {
  return written.filter(
    ({ title }) => !results.some(({ name }) => comesFrom(name, title) || comesFrom(name, `\${…} > ${title}`)),
  );
}
