// What a release says of itself: the modules in it, what the integration gates found, and whose word it rests on.
import { z } from "zod";
import { idOfType } from "../artifact/artifact-type.ts";
import { refuse } from "../parse.ts";
import { form, IsoTime, ModuleRef, Semver, TaskId, Text, VERSION } from "../refs.ts";
import { IntegrationGate, IntegrationVerdict, Violation } from "./integration-verdict.ts";
import { PersonsWord } from "./ship-evidence.ts";

const Result = z.enum(["PASS", "FAIL"]);
type Result = z.infer<typeof Result>;

export const IntegrationGates = z.strictObject({
  dependency_check: Result,
  fingerprint_check: Result,
  deprecation_check: Result,
  code_index_check: Result,
  /** Only a whole product can be tried from end to end; a partial release may leave it out. */
  e2e_check: Result.optional(),
});
export type IntegrationGates = z.infer<typeof IntegrationGates>;

/** A partial release leads up to the full one whose version it names. */
export const ReleaseVersion = form(
  `^${VERSION}(-partial\\.[1-9]\\d*)?$`,
  "a version such as 1.0.0 or 1.0.0-partial.1",
);
export type ReleaseVersion = z.infer<typeof ReleaseVersion>;

export const ReleaseManifest = z
  .strictObject({
    release_id: idOfType("RELEASE_MANIFEST"),
    version: ReleaseVersion,
    created_at: IsoTime,
    spec_version: Semver,
    scope: z.enum(["full", "partial"]),
    /** What was judged, and what the tag of the version points to. */
    commit: form(/^([0-9a-f]{40}|[0-9a-f]{64})$/, "a commit"),
    /** The tasks that are done with it. */
    tasks: z.array(TaskId).min(1),
    modules: z.array(z.strictObject({ module_ref: ModuleRef, ship_ref: idOfType("SHIP_EVIDENCE") })).min(1),
    integration_gates: IntegrationGates,
    /** For each gate what it looked at, and the planted defect that it refused in the same run. */
    evidence: z.array(IntegrationVerdict),
    overall_result: Result,
    /** Tasks of the specification that this release does without. */
    abandoned_tasks: z.array(
      z.strictObject({ task_id: TaskId, reason: Text, superseded_by: z.array(TaskId) }),
    ),
    /** Modules that shipped because a person overruled the debate. */
    overrides: z.array(PersonsWord.extend({ module_ref: ModuleRef })),
    /** Tasks that count as done because a person vouched for them. */
    attestations: z.array(PersonsWord.extend({ task_id: TaskId, module_refs: z.array(ModuleRef) })),
    /** For people; says what failed when something did. */
    notes: z.string(),
  })
  .superRefine((manifest, context) => {
    checkResult(manifest, context);
    checkEvidence(manifest, context);
    checkModules(manifest, context);
  });
export type ReleaseManifest = z.infer<typeof ReleaseManifest>;

/** One gate that failed, and everything it failed for. */
export const IntegrationGateFailure = z.strictObject({
  gate: IntegrationGate,
  violations: z.array(Violation).min(1),
});
export type IntegrationGateFailure = z.infer<typeof IntegrationGateFailure>;

/** Kept beside the manifest of a release that failed. */
export const ReleaseFailureReport = z
  .strictObject({
    release_id: idOfType("RELEASE_MANIFEST"),
    created_at: IsoTime,
    failures: z.array(IntegrationGateFailure).min(1),
  })
  .superRefine(({ failures }, context) => {
    const gates = failures.map(({ gate }) => gate);
    gates.forEach((gate, index) => {
      const first = gates.indexOf(gate);
      if (first === index) return;
      refuse(
        context,
        ["failures", index, "gate"],
        `a gate other than that of failures[${first}]`,
        `${gate} again`,
      );
    });
  });
export type ReleaseFailureReport = z.infer<typeof ReleaseFailureReport>;

/** Every gate that ran must pass. */
export function overallResult(gates: IntegrationGates): Result {
  return failedGates(gates).length === 0 ? "PASS" : "FAIL";
}

export function failedGates(gates: IntegrationGates): IntegrationGate[] {
  return IntegrationGate.options.filter((gate) => gates[gate] === "FAIL");
}

type Context = z.core.$RefinementCtx;

function checkResult(manifest: ReleaseManifest, context: Context): void {
  const { integration_gates: gates, overall_result, scope, notes } = manifest;
  const failed = failedGates(gates);
  const derived = overallResult(gates);
  if (overall_result !== derived) {
    const why = failed.length === 0 ? "every gate passed" : `${failed.join(", ")} failed`;
    refuse(context, ["overall_result"], `${derived}, because ${why}`, overall_result);
  }
  if (scope === "full" && gates.e2e_check === undefined) {
    refuse(context, ["integration_gates", "e2e_check"], "a result, because the release is full", "nothing");
  }
  if (failed.length > 0 && notes.trim() === "") {
    refuse(context, ["notes"], `what made ${failed.join(", ")} fail`, "nothing");
  }
}

/** A result that rests on nothing is refused, and so is evidence for another result. */
function checkEvidence({ integration_gates, evidence }: ReleaseManifest, context: Context): void {
  for (const gate of IntegrationGate.options) {
    const found = evidence.filter((verdict) => verdict.gate === gate).map(({ result }) => result);
    const expected = integration_gates[gate] === undefined ? [] : [integration_gates[gate]];
    if (found.join() === expected.join()) continue;
    const wanted = expected.length === 0 ? `none of ${gate}` : `one ${expected[0]} of ${gate}`;
    refuse(context, ["evidence"], wanted, found.length === 0 ? "nothing" : found.join(" and "));
  }
}

function checkModules(manifest: ReleaseManifest, context: Context): void {
  const positions = new Map<string, number>();
  manifest.modules.forEach(({ module_ref }, index) => {
    const first = positions.get(module_ref);
    if (first === undefined) positions.set(module_ref, index);
    else {
      const expected = `a module that modules[${first}] does not hold`;
      refuse(context, ["modules", index, "module_ref"], expected, `"${module_ref}" again`);
    }
  });
  const refuseStranger = (path: PropertyKey[], ref: string): void => {
    if (!positions.has(ref)) refuse(context, path, "a module of this release", `"${ref}"`);
  };
  manifest.overrides.forEach(({ module_ref }, index) =>
    refuseStranger(["overrides", index, "module_ref"], module_ref),
  );
  manifest.attestations.forEach(({ module_refs }, index) =>
    module_refs.forEach((ref, position) =>
      refuseStranger(["attestations", index, "module_refs", position], ref),
    ),
  );
}
