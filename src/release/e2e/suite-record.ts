// Writes down what the harness saw of end-to-end tests that it accepts; nothing is done with it yet.
import { randomUUID } from "node:crypto";
import { artifactId } from "../../domain/artifact/artifact-type.ts";
import { claimedCriteria } from "../../domain/evidence/e2e-criteria.ts";
import { E2eSuite, shownBy } from "../../domain/evidence/e2e-suite.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { PayloadRef } from "../../domain/refs.ts";
import type { Examined, Suite } from "./examine.ts";
import type { E2eWork } from "./port.ts";

export async function recordSuite(
  { ports: { store, now }, product }: E2eWork,
  { files, notShown }: Suite,
  { tests, planted, runs }: Extract<Examined, { kind: "accepted" }>,
): Promise<PayloadRef> {
  const kept = await Promise.all(
    Object.entries(files).map(async ([path, text]) => [path, await store.payloads.put(text)]),
  );
  const suite = {
    suite_id: artifactId("TEST_SUITE", randomUUID()),
    product: product.key,
    accepted_at: now().toISOString(),
    modules: product.placed.map(({ record }) => record.module),
    files: Object.fromEntries(kept),
    tests: tests.map(({ name, file }) => ({ name, file, shows: claimedCriteria(name) })),
    criteria: shownBy(tests, product.criteria),
    not_shown: notShown,
    planted,
    evidence: await Promise.all(runs.map((run) => store.payloads.put(JSON.stringify(run)))),
  };
  const record = parseOrThrow(E2eSuite, suite, "the accepted tests");
  return store.payloads.put(`${JSON.stringify(record, null, 2)}\n`);
}
