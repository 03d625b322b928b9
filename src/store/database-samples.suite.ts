// Sample records for the tests of databases: each valid, each unlike the others.
import type { NodeSpec } from "../domain/fractal/node-spec.ts";
import type { BudgetState } from "../domain/agent/budget-state.ts";
import type { Contribution } from "../domain/artifact/contribution.ts";
import type { AuditedAccess } from "./local/pack-audit.ts";
import type { NewShip } from "./local/ship-table.ts";
import type { TaskRecord } from "../domain/task/task-record.ts";
import type { ArtifactRow, ProjectHead, Question, UnnumberedEvent } from "./port.ts";

export const AT = "2026-11-15T12:00:00Z";
export const TASK = "T-text-slug-basics-001";

/** What no name may be. */
export const HOSTILE = [
  { what: "nothing", text: "" },
  { what: "only blanks", text: " \t\n" },
  { what: "a NUL", text: "a\0b" },
  { what: "half a character", text: "\ud83e" },
  { what: "501 characters", text: "x".repeat(501) },
];

export function eventSample(reason: string, runId = "r-1"): UnnumberedEvent {
  return { kind: "spec_rejected", at: AT, runId, spec: "SPEC-0a1b2c3d@1.0.0", reason };
}

export function budgetSample(tokens: number): BudgetState {
  const spent = { microUsd: 10, tokens, ms: 30 };
  const held = { task: TASK, role: "proposer", worst: spent, priced: true } as const;
  return {
    caps: { run: { usd: 2 }, task: {}, roles: {}, unknownPrices: "refuse" },
    run: spent,
    tasks: { [TASK]: spent },
    roles: { proposer: spent },
    unpriced: 0,
    reservations: { "proposer 🦊 turn 1": held },
    told: [],
  };
}

export function hex(n: number): string {
  return n.toString(16).padStart(8, "0");
}

export function payloadSample(digit: number): string {
  return `sha256:${String(digit % 10).repeat(64)}`;
}

export function artifactSample(n: number, change: Partial<ArtifactRow["envelope"]> = {}): ArtifactRow {
  const id = change.artifact_id ?? `IMPL-${hex(n)}`;
  return {
    envelope: {
      artifact_id: id,
      artifact_type: "IMPLEMENTATION",
      version: "1.0.0",
      status: "DRAFT",
      created_at: AT,
      created_by: { role: "proposer", run_id: "r-1" },
      context_pack_ref: "CP-0a1b2c3d",
      inputs: [],
      outputs: [{ ref: "MM-slug@1.0.0", purpose: "what it makes" }],
      notes: "",
      ...change,
    },
    lineage: id,
    pillar: "text",
    body: { "src/index.ts": payloadSample(n) },
  };
}

export function contributionSample(n: number, task_ref = TASK): Contribution {
  return {
    contribution_id: `CONTRIB-${hex(n)}`,
    type: "IMPLEMENTATION",
    produced_by: { role: "proposer", run_id: "r-1" },
    artifact_ref: `IMPL-${hex(n)}@1.0.0`,
    task_ref,
    created_at: AT,
    context_pack_ref: "CP-0a1b2c3d",
  };
}

export function questionSample(id: string, change: Partial<Question> = {}): Question {
  return {
    id,
    kind: "budget",
    runId: "r-1",
    title: "The budget is used up",
    body: { spent: 5, cap: 5 },
    answerSchema: "Budget",
    askedAt: AT,
    ...change,
  };
}

export function accessSample(path: string, packId = "CP-0a1b2c3d"): AuditedAccess {
  return { packId, at: AT, operation: "read", path, granted: false, reason: "not in the pack" };
}

export function moduleSample(version = "1.0.0", moduleId = "MM-slug", digit = 1) {
  return { moduleId, version, files: { "contract.json": payloadSample(digit) } };
}

/** `n` makes artifact and contribution unlike those of other ships. */
export function shipSample(version: string, n: number): NewShip {
  const module = `MM-shipped@${version}`;
  const shipId = `SHIP-${hex(n)}`;
  const evidence = artifactSample(n, {
    artifact_id: shipId,
    artifact_type: "SHIP_EVIDENCE",
    created_by: { role: "harness", run_id: "r-1" },
    context_pack_ref: null,
  });
  return {
    record: {
      module,
      folder: "shipped",
      task: TASK,
      runId: "r-1",
      shipId,
      shippedAt: AT,
      dependencies: [],
      implementation: null,
      artifacts: [shipId],
      entry: {
        module_id: "MM-shipped",
        version,
        name: "shipped",
        purpose: "Has shipped.",
        tags: [],
        contract_ref: payloadSample(1),
        examples_ref: payloadSample(2),
        ship_ref: payloadSample(3),
        io_summary: { inputs: [], outputs: [], error_surfaces: [], effects: [], modes: [] },
        dependencies: [],
        status: "SHIPPED",
        notes: "",
      },
    },
    files: { "contract.json": payloadSample(n) },
    artifacts: [evidence],
    transitions: [{ artifactId: shipId, from: "DRAFT", to: "CHALLENGED" }],
    contributions: [
      {
        ...contributionSample(n),
        type: "SHIP_EVIDENCE",
        produced_by: { role: "harness", run_id: "r-1" },
        artifact_ref: `${shipId}@1.0.0`,
        context_pack_ref: null,
      },
    ],
    events: [{ kind: "module_shipped", at: AT, runId: "r-1", task: TASK, module, shipRef: shipId }],
  };
}

export function headSample(): ProjectHead {
  return { projectId: "notebook", specVersion: "1.0.0", specRef: payloadSample(7), updatedAt: AT };
}

export function taskSample(n: number, change: Partial<TaskRecord> = {}): TaskRecord {
  const taskId = `T-text-slug-basics-${String(n).padStart(3, "0")}`;
  const place = { name: "Text", description: "Everything about text." };
  return {
    taskId,
    entry: {
      pillar: "Text",
      epic: "Slug",
      story: "Basics",
      task: `Task ${n}`,
      depends_on: [],
      status: "PENDING",
      module_refs: [],
      shipped_at: null,
      halted_reason: null,
      escalation_ref: null,
      superseded_by: [],
      declaration_order: n - 1,
    },
    path: `project/text/slug/basics/task-${n}/${taskId}.md`,
    file: {
      task_name: `Task ${n}`,
      task_id: taskId,
      context: { pillar: place, epic: place, story: place },
      description: "Makes slugs.",
      subtasks: ["cut", "join"],
      acceptance_criteria: ["a title gives a slug", "a blank one is refused"],
      micro_module_contract: {
        inputs: "a",
        outputs: "b",
        error_surfaces: "c",
        effects: "none",
        modes: "sync",
      },
      dependency_contracts: [],
      error_cases: ["c"],
    },
    attempt: 1,
    resolution: null,
    policy: null,
    change: null,
    ...change,
  };
}

export function rootSample(): NodeSpec {
  return {
    id: "root",
    description: "Makes slugs.",
    acceptanceCriteria: [{ id: "AC-1", text: "a title gives a slug" }],
    complexityConstraints: null,
  };
}
