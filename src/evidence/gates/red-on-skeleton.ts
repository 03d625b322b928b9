// Every test fails against stubs, and because it hit a stub.
import type { TestResult } from "../../domain/evidence/test-result.ts";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { GateDefinition } from "../port.ts";

export const redOnSkeleton: GateDefinition = {
  name: "red-on-skeleton",
  look: async (facts) => {
    const report = await (await facts.skeleton()).run();
    if (report.kind === "no-report") return { kind: "error", message: `on stubs: ${report.why}` };
    const { results, collectionErrors, files } = report.run;
    const red = results.filter((result) => isRightlyRed(result));
    const empty = files.filter((file) => !results.some((result) => result.file === file));
    return {
      kind: "looked",
      looked: results.length + collectionErrors.length,
      summary: `${red.length} of ${results.length} tests are red on stubs`,
      evidence: report.run,
      findings: [
        ...collectionErrors.map(({ file, message }) => ({
          rule: "collection-error",
          file,
          message: `cannot be loaded with stubs, so its tests are unknown: ${message}`,
        })),
        ...results.flatMap(findingOf),
        ...empty
          .filter((file) => !collectionErrors.some((error) => error.file === file))
          .map((file) => ({ rule: "empty-file", file, message: "holds no test" })),
      ],
    };
  },
  // In a file of its own: what a file does before each of its tests would hit a stub for the planted one, too.
  plant: async (facts) => {
    const [file] = facts.module.site.layout.tests;
    if (file === undefined) return { kind: "impossible", why: "there is no test file" };
    const planted = file.replace(/[^/]+$/, "cupel-planted.test.ts");
    const edits = { [planted]: `import { test } from "vitest";\ntest("planted", () => {});\n` };
    return { kind: "planted", what: "a test that passes on stubs", facts: await facts.spoiled({ edits }) };
  },
};

function findingOf(result: TestResult): Finding[] {
  const { name, file, outcome, failure } = result;
  if (isRightlyRed(result)) return [];
  if (outcome === "passed")
    return [{ rule: "green-on-stubs", file, message: `${name} passes although nothing is implemented` }];
  const why = failure?.message ?? outcome;
  return [{ rule: "wrong-reason", file, message: `${name} is red, but not because of a stub: ${why}` }];
}

/** Also an assertion about an error counts, when the error it got was the stub's. */
function isRightlyRed({ outcome, failure }: TestResult): boolean {
  return (
    outcome === "failed" &&
    (failure?.failureType === "StubHit" || failure?.message.includes("cupel:stub") === true)
  );
}
