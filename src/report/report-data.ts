// What a report on a product is made of: plain values, wherever they were gathered.
import type { GateVerdict } from "../domain/evidence/gate-verdict.ts";
import type { TreeRow } from "../domain/fractal/tree-view.ts";
import type { ReleaseManifest } from "../domain/people/release.ts";
import type { Spent } from "../domain/run/run-event.ts";
import type { TaskStatus } from "../domain/task/task-status.ts";

export interface ProductReport {
  /** What the product is called. */
  title: string;
  specVersion: string | null;
  generatedAt: string;
  cupelVersion: string;
  tasks: readonly ReportedTask[];
  /** Of the newest end-to-end tests; none where there are no such tests. */
  criteria: readonly ReportedCriterion[];
  modules: readonly ReportedModule[];
  /** The oldest first; those that were refused are among them. */
  releases: readonly ReleaseManifest[];
  costs: readonly ReportedCost[];
  decisions: readonly ReportedDecision[];
  deprecations: readonly ReportedDeprecation[];
}

export interface ReportedTask {
  id: string;
  name: string;
  /** Pillar, epic, story. */
  path: readonly string[];
  status: TaskStatus;
  modules: readonly string[];
  /** Why it halted or was abandoned. */
  why: string | null;
  /** What it has grown into, where its protocol is fractal. */
  tree: readonly TreeRow[] | null;
}

export interface ReportedCriterion {
  id: string;
  text: string;
  shownBy: readonly string[];
  /** Why no test shows it, where none does. */
  why: string | null;
}

export interface ReportedModule {
  module: string;
  name: string;
  purpose: string;
  task: string;
  shippedAt: string;
  /** In the Code Index; null where it is not there. */
  status: "SHIPPED" | "DEPRECATED" | "SUPERSEDED" | null;
  undebated: boolean;
  /** A person's word in place of the debate's. */
  override: string | null;
  rigor: string;
  gates: readonly GateVerdict[];
  /** Who could see whom, where a protocol has barriers. */
  blindness: { result: string; barrier: string; doubts: readonly string[] } | null;
  /** What the gates ran in. */
  sandbox: string;
}

export interface ReportedCost {
  role: string;
  calls: number;
  failed: number;
  spent: Spent;
}

export interface ReportedDecision {
  at: string;
  /** The task or specification it is about. */
  subject: string;
  what: string;
  why: string;
}

export interface ReportedDeprecation {
  at: string;
  module: string;
  reason: string;
  replacement: string | null;
  downstream: readonly string[];
}
