// What the gates said, for the journal: short enough to be kept for ever, and only of gates that had their say.
import type { Finding, GateVerdict } from "../../domain/evidence/gate-verdict.ts";
import type { Reported } from "../../evidence/verify.ts";
import type { Candidate } from "../../protocols/outcome.ts";
import type { UnnumberedEvent } from "../../store/port.ts";
import { MOST_PER_GATE, openWords, wasStopped } from "./findings.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";

export interface Judged {
  contract: Pick<Candidate["contract"], "module_id" | "module_version">;
  during: "examine" | "ship";
  reported: readonly Reported[];
}

/** One that is asked again after a crash has looked twice, and both are told. */
export async function tellVerdicts(ports: ShipPorts, order: ShipOrder, judged: Judged): Promise<void> {
  const { store, fence, now } = ports;
  const events = verdictEvents(ports, order, judged, now());
  if (events.length > 0) await store.journal.append(fence, events);
}

/** In words, also where no gate came to say anything. */
export async function tellRefusal(
  { store, fence, runId, now }: ShipPorts,
  { assignment }: Pick<ShipOrder, "assignment">,
  { contract, during, findings }: Omit<Judged, "reported"> & { findings: readonly string[] },
): Promise<void> {
  const module = `${contract.module_id}@${contract.module_version}`;
  const about = { at: now().toISOString(), runId, task: assignment.task.task_id };
  await store.journal.append(fence, [
    { kind: "module_refused", ...about, module, during, findings: [...findings] },
  ]);
}

export function verdictEvents(
  { runId }: Pick<ShipPorts, "runId">,
  { assignment }: Pick<ShipOrder, "assignment">,
  { contract, during, reported }: Judged,
  at: Date,
): UnnumberedEvent[] {
  const about = {
    kind: "gate_verdict_recorded" as const,
    at: at.toISOString(),
    runId,
    task: assignment.task.task_id,
    module: `${contract.module_id}@${contract.module_version}`,
    during,
  };
  return reported
    .filter(({ verdict }) => !wasStopped(verdict))
    .map(({ verdict, blocks }) => ({ ...about, blocks, verdict: bounded(verdict) }));
}

/** All of it is kept as evidence. */
function bounded(verdict: GateVerdict): GateVerdict {
  switch (verdict.verdict) {
    case "FAIL":
      return { ...verdict, findings: fewOf(verdict.findings) };
    case "ERROR":
      return { ...verdict, findings: fewOf(verdict.findings), message: openWords(verdict.message) };
    case "PASS":
    case "NOT_APPLICABLE":
    case "NOT_RUN":
      return verdict;
  }
}

function fewOf(findings: readonly Finding[]): Finding[] {
  const few = findings
    .slice(0, MOST_PER_GATE)
    .map((finding) => ({ ...finding, message: openWords(finding.message) }));
  const rest = findings.length - few.length;
  return rest === 0 ? few : [...few, { rule: "more", message: `${rest} more of this kind` }];
}
