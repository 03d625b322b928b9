// What a gate said about a module, in one sentence: whether it sends the module back, and why.
import type { Finding, GateVerdict } from "../../domain/evidence/gate-verdict.ts";
import type { RunEvent } from "../../domain/run/run-event.ts";
import { count } from "../output.ts";

type GateEvent = Extract<RunEvent, { kind: "gate_verdict_recorded" }>;

export function gateSentence({ task, module, during, blocks, verdict }: GateEvent): string {
  const where = during === "ship" ? "at the door" : "before its debate";
  const how = blocks ? "✕ sends it back" : passed(verdict) ? "✓" : "lets it through";
  return `${task}: ${module}, ${where}: the gate ${verdict.gate} ${how}: ${reasonOf(verdict)}`;
}

function passed({ verdict }: GateVerdict): boolean {
  return verdict === "PASS" || verdict === "NOT_APPLICABLE";
}

function reasonOf(verdict: GateVerdict): string {
  switch (verdict.verdict) {
    case "PASS":
      return `it looked at ${count(verdict.denominator, "thing")} and refused ${verdict.liveness.planted}`;
    case "FAIL":
      return found(verdict.findings);
    case "NOT_APPLICABLE":
      return `there is nothing for it to look at (${verdict.derivedFrom})`;
    case "NOT_RUN":
      return `it was not run without ${verdict.missing.join(", ")}`;
    case "ERROR":
      return verdict.message;
  }
}

function found([first, ...rest]: readonly Finding[]): string {
  if (first === undefined) return "it does not say why";
  const place =
    first.file === undefined ? "" : `${first.file}${first.line === undefined ? "" : `:${first.line}`}: `;
  const others = rest.length === 0 ? "" : ` (and ${count(rest.length, "other finding")})`;
  return `${place}${first.message}${others}`;
}
