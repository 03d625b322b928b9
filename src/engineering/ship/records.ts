// The records of one ship: execution log, ship evidence and the entry of the Code Index, each derived from what was seen.
import { randomUUID } from "node:crypto";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import { effectName } from "../../domain/contract/contract-links.ts";
import { contractFingerprint } from "../../domain/contract/fingerprint.ts";
import type { Contribution, ContributionType } from "../../domain/artifact/contribution.ts";
import type { TestRun } from "../../domain/evidence/test-result.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { ExecutionLog, ShipEvidence } from "../../domain/people/ship-evidence.ts";
import { CodeIndexEntry } from "../../domain/plan/reuse.ts";
import type { Candidate } from "../../protocols/outcome.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";
import { publicNames } from "./test-names.ts";

/** Undefined where not a single test ran. */
export function executionLog(
  { module_id, module_version }: MicroModuleContract,
  run: TestRun,
  executedAt: Date,
): ExecutionLog | undefined {
  if (run.results.length === 0) return undefined;
  const names = publicNames(run.results);
  const tests = run.results.map(({ outcome, durationMs }, index) => ({
    name: names[index] ?? "",
    result: outcome === "passed" ? ("PASS" as const) : ("FAIL" as const),
    duration_ms: durationMs,
  }));
  const passed = tests.filter(({ result }) => result === "PASS").length;
  const summary = { total: tests.length, passed, failed: tests.length - passed };
  const log = { module_id, module_version, executed_at: executedAt.toISOString(), tests, summary };
  return parseOrThrow(ExecutionLog, log, "the execution log");
}

export interface Evidenced {
  shipId: string;
  candidate: Candidate;
  protocol: ShipOrder["protocol"];
  verifiedAt: Date;
  /** Addresses of the execution log and of the exact versions it was built with. */
  logRef: string;
  lockRef: string;
  versions: Readonly<Record<string, string>>;
}

export function shipEvidence(evidenced: Evidenced): ShipEvidence {
  const { shipId, candidate, protocol, verifiedAt, logRef, lockRef, versions } = evidenced;
  const { contract, commit, override } = candidate;
  const runner = Object.entries(versions).map(([name, version]) => `${name}/${version}`);
  return parseOrThrow(
    ShipEvidence,
    {
      module_id: contract.module_id,
      module_version: contract.module_version,
      ship_id: shipId,
      verified_at: verifiedAt.toISOString(),
      verification: {
        result: "PASS",
        interface_fingerprint: contractFingerprint(contract),
        evidence_ref: logRef,
      },
      environment: { repo_revision: commit, dependency_lock_ref: lockRef, runner_id: runner.join(" ") },
      ...(protocol.debated ? {} : { undebated: true }),
      ...(override === null ? {} : { override }),
    },
    "the ship evidence",
  );
}

export function indexEntry(
  contract: MicroModuleContract,
  refs: Pick<CodeIndexEntry, "contract_ref" | "examples_ref" | "ship_ref">,
  notes: string,
): CodeIndexEntry {
  const { modes } = contract;
  return parseOrThrow(
    CodeIndexEntry,
    {
      module_id: contract.module_id,
      version: contract.module_version,
      name: contract.name,
      purpose: contract.purpose,
      tags: contract.tags,
      ...refs,
      io_summary: {
        inputs: contract.inputs.map(({ name, type }) => `${name}: ${type}`),
        outputs: contract.outputs.map(({ name, type }) => `${name}: ${type}`),
        error_surfaces: contract.error_surfaces.map(({ name, when }) => `${name} when ${when}`),
        effects: contract.effects.map(effectName),
        modes: [...(modes.sync ? ["sync"] : []), ...(modes.async ? ["async"] : [])],
      },
      dependencies: contract.dependencies.map(({ ref }) => ref),
      status: "SHIPPED",
      notes,
    },
    "the entry of the Code Index",
  );
}

/** What stays visible for ever beside a module that was not debated like others. */
export function notesOf({ protocol }: Pick<ShipOrder, "protocol">, { override }: Candidate): string {
  const notes = [
    ...(protocol.debated ? [] : ["Shipped undebated."]),
    ...(override === null
      ? []
      : [`Approved by a person in ${override.escalation_ref}: ${override.rationale}`]),
  ];
  return notes.join(" ");
}

export function contributionOf(
  { runId, now }: Pick<ShipPorts, "runId" | "now">,
  type: ContributionType,
  artifactRef: string,
  task: string,
): Contribution {
  return {
    contribution_id: `CONTRIB-${randomUUID().slice(0, 8)}`,
    type,
    produced_by: { role: "harness", run_id: runId },
    artifact_ref: artifactRef,
    task_ref: task,
    created_at: now().toISOString(),
    context_pack_ref: null,
  };
}
