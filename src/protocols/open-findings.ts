// What the gates that were asked say against the work. A gate that did not look has not said yes.
import type { GateName } from "../domain/evidence/gate.ts";
import type { Examination } from "./seen.ts";

export function openFindings(
  { verdicts, findings }: Pick<Examination, "verdicts" | "findings">,
  gates: readonly GateName[],
): string[] {
  if (verdicts.length === 0 && findings.length > 0) return findings;
  return gates.flatMap((gate) => {
    const seen = verdicts.find((one) => one.gate === gate);
    if (seen === undefined) return [`${gate}: it was not asked`];
    if (seen.verdict === "PASS" || seen.verdict === "NOT_APPLICABLE") return [];
    return seen.findings.length > 0 ? seen.findings : [`${gate}: ${seen.verdict}`];
  });
}
