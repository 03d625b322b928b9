// What the report on a trial is made of; whoever shows it gathers it.
import type { Doubt } from "../domain/trial/doubts.ts";
import type { TrialSummary } from "../domain/trial/summary.ts";
import type { TrialProtocol, WorkerParameters } from "../domain/trial/trial-protocol.ts";
import type { TrialRow } from "../domain/trial/trial-row.ts";

export interface TrialReport {
  protocol: TrialProtocol;
  /** Of the protocol, as it was locked before the first run. */
  hash: string;
  /** All that are kept, as they came. */
  rows: readonly TrialRow[];
  summary: TrialSummary;
  doubts: readonly Doubt[];
  /** The same trial with other workers. */
  sweeps?: readonly Sweep[];
  /** Where the rows lie, as a reader of the page would find them. */
  rowsFile: string;
  generatedAt: string;
  cupelVersion: string;
}

export interface Sweep {
  label: string;
  parameters: WorkerParameters;
  summary: TrialSummary;
}
