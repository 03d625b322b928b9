// What a release says of itself, put together from what the gates saw and what people said.
import type { IntegrationVerdict } from "../domain/people/integration-verdict.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { overallResult, ReleaseManifest } from "../domain/people/release.ts";
import type { Placed } from "../engineering/ship/shelf.ts";
import { releaseId } from "./keep-release.ts";
import { personsWords } from "./persons-words.ts";
import type { ReleasePicture } from "./picture.ts";
import type { ReleasePorts, Verdicts } from "./port.ts";
import { manifestsIn, nextVersion } from "./released-before.ts";
import type { ReleaseScope } from "./scope.ts";

export interface Judged {
  scope: ReleaseScope;
  placed: readonly Placed[];
  picture: ReleasePicture;
  content: ReturnType<typeof contentOf>;
  verdicts: Verdicts;
}

export async function manifestFor(ports: ReleasePorts, judgement: Judged): Promise<ReleaseManifest> {
  const { scope, placed, picture, content, verdicts } = judgement;
  const { store, now } = ports;
  const resultOf = (gate: IntegrationVerdict["gate"]) =>
    verdicts.find((verdict) => verdict.gate === gate)?.result ?? "FAIL";
  const integration_gates = {
    dependency_check: resultOf("dependency_check"),
    fingerprint_check: resultOf("fingerprint_check"),
    deprecation_check: resultOf("deprecation_check"),
    code_index_check: resultOf("code_index_check"),
    e2e_check: resultOf("e2e_check"),
  };
  const result = overallResult(integration_gates);
  const violations = verdicts.map((verdict) => [verdict.gate, verdict.violations]);
  const manifest = {
    // A refusal is another record for each thing that was refused, and never takes the place of the release.
    release_id: releaseId(result === "PASS" ? content : { content, violations }),
    version: nextVersion(scope, await manifestsIn(store)),
    created_at: now().toISOString(),
    spec_version: scope.specVersion,
    scope: scope.scope,
    commit: content.commit,
    tasks: content.tasks,
    modules: content.modules,
    integration_gates,
    evidence: verdicts,
    overall_result: result,
    ...(await personsWords(store, scope, readable(placed, picture))),
    notes: notesOf(judgement),
  };
  return parseOrThrow(ReleaseManifest, manifest, "the release manifest");
}

/** What is damaged says nothing any more, and a gate has said so. */
function readable(placed: readonly Placed[], { modules }: ReleasePicture): Placed[] {
  const damaged = new Set(modules.flatMap(({ module, damage }) => (damage === undefined ? [] : [module])));
  return placed.filter(({ record: { module } }) => !damaged.has(module));
}

function notesOf({ picture: { modules, entries, suite }, verdicts }: Judged): string {
  const deprecated = modules.flatMap(({ module }) =>
    entries.get(module)?.status === "DEPRECATED" ? [`${module} is in it although it is deprecated.`] : [],
  );
  const failed = verdicts.flatMap(({ gate, violations }) =>
    violations.map(({ explanation, next }) => `${gate}: ${explanation}. Next: ${next}`),
  );
  const notShown = (suite?.accepted?.not_shown ?? []).map(
    ({ criterion, why }) => `No end-to-end test shows ${criterion}: ${why}`,
  );
  return [...failed, ...deprecated, ...notShown].join("\n");
}

/** Everything that makes it this release and no other. */
export function contentOf(scope: ReleaseScope, placed: readonly Placed[], { commit }: ReleasePicture) {
  return {
    scope: scope.scope,
    spec_version: scope.specVersion,
    commit,
    tasks: scope.tasks.map(({ task }) => task),
    abandoned: scope.abandoned.map(({ task }) => task),
    modules: placed.map(({ record: { module, shipId } }) => ({ module_ref: module, ship_ref: shipId })),
  };
}
