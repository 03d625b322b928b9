// One run of a trial, for real: one task and one seed in one arm, in a project of its own that is gone afterwards.
import type { TrialProtocol } from "../domain/trial/trial-protocol.ts";
import type { TrialRow } from "../domain/trial/trial-row.ts";
import type { VerdictMemory } from "../evidence/verdict-memory.ts";
import type { BuiltinTask } from "../trial/corpus/builtin-task.ts";
import type { TrialRun } from "../trial/port.ts";
import type { Environment } from "./runtimes.ts";

export interface TrialStage {
  protocol: TrialProtocol;
  tasks: readonly BuiltinTask[];
  env: Environment;
  /** Of all runs of the process: arms judge the same code again and again. */
  verdicts: VerdictMemory;
}

export function playTrialRun(_run: TrialRun, _stage: TrialStage): Promise<TrialRow> {
  return Promise.reject(new Error("nobody plays yet"));
}
