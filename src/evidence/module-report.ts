// The result of verifying one module, as one document.
import type { Finding, GateVerdict } from "../domain/evidence/gate-verdict.ts";
import type { Rigor } from "../domain/evidence/rigor.ts";
import type { ModuleLayout } from "../toolchains/port.ts";
import type { SandboxLevel } from "../workshop/sandbox/port.ts";
import type { Figures } from "./port.ts";
import type { Reported } from "./verify.ts";

export interface ModuleReport {
  folder: string;
  layout: ModuleLayout;
  rigor: Rigor["base"];
  sandbox: SandboxLevel;
  gates: Reported[];
  /** How many tests of each layer were seen; undefined where the gate did not look. */
  layers: Figures | undefined;
  /** Whether no gate blocks. */
  passed: boolean;
  /** What to mend first; undefined when nothing blocks. */
  first: (Finding & { gate: GateVerdict["gate"] }) | undefined;
  durationMs: number;
}

export function isPassed(gates: readonly Reported[]): boolean {
  return gates.some(({ verdict }) => verdict.verdict === "PASS") && !gates.some(({ blocks }) => blocks);
}

/** The first finding of the first gate that blocks; one with a place is worth more than one without. */
export function firstToFix(gates: readonly Reported[]): ModuleReport["first"] {
  const blocking = gates.find(({ blocks }) => blocks);
  if (blocking === undefined) return undefined;
  const { verdict } = blocking;
  const finding = verdict.findings.find(({ file }) => file !== undefined) ?? verdict.findings[0];
  if (finding !== undefined) return { ...finding, gate: verdict.gate };
  const message = verdict.verdict === "ERROR" ? verdict.message : blocking.summary;
  return { rule: verdict.verdict.toLowerCase(), message, gate: verdict.gate };
}
