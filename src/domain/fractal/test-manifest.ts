// Which test shows which criterion, as the author of the tests says it and the harness checks it.
import { z } from "zod";
import { Text } from "../refs.ts";
import type { CriteriaCoverage } from "./exits.ts";
import { ComplexityConstraints, Criterion, NodeId, type NodeSpec } from "./node-spec.ts";

export const TestManifest = z.strictObject({
  spec_id: NodeId,
  target_file: Text,
  test_suite: Text,
  /** The name of a test → the id of the criterion that it shows. */
  acceptance_criteria_map: z.record(Text, Criterion.shape.id),
  complexity_constraints: ComplexityConstraints.optional(),
});
export type TestManifest = z.infer<typeof TestManifest>;

/** What a run really held: each test with the functions of the module that it reaches. */
export interface SeenTest {
  name: string;
  reaches: readonly string[];
}

export interface ManifestCheck {
  coverage: CriteriaCoverage;
  /** Why the manifest cannot be believed, in words for its author. */
  problems: string[];
}

/** Every test has a criterion, every criterion a test that is really there and really reaches the module. */
export function checkManifest(
  manifest: TestManifest,
  spec: Pick<NodeSpec, "id" | "acceptanceCriteria">,
  seen: readonly SeenTest[],
): ManifestCheck {
  const criteria = spec.acceptanceCriteria.map(({ id }) => id);
  const mapped = Object.entries(manifest.acceptance_criteria_map);
  const tests = new Map(seen.map((test) => [test.name, test]));
  const problems: string[] = [];
  if (manifest.spec_id !== spec.id)
    problems.push(`the manifest is about ${manifest.spec_id}, the tests are of ${spec.id}`);
  if (seen.length === 0) problems.push("no test ran, so no criterion is shown");
  for (const [test, criterion] of mapped) {
    if (!criteria.includes(criterion))
      problems.push(`"${test}" is said to show ${criterion}, which is no criterion here`);
    const found = tests.get(test);
    if (found === undefined) problems.push(`"${test}" is in the manifest, but no test of that name ran`);
    else if (found.reaches.length === 0)
      problems.push(`"${test}" reaches no function of the module, so it shows nothing`);
  }
  for (const { name } of seen)
    if (!Object.hasOwn(manifest.acceptance_criteria_map, name))
      problems.push(`"${name}" shows no criterion; name one in the manifest or take the test out`);
  const criteriaWithTests = mapped
    .filter(([test, criterion]) => criteria.includes(criterion) && (tests.get(test)?.reaches.length ?? 0) > 0)
    .map(([test, criterion]) => ({ criterion, test }));
  const shown = new Set(criteriaWithTests.map(({ criterion }) => criterion));
  const criteriaMissing = criteria.filter((id) => !shown.has(id));
  problems.push(...criteriaMissing.map((id) => `no test shows ${id}`));
  return { coverage: { criteriaWithTests, criteriaMissing }, problems };
}
