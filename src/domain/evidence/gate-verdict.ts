// The first law as a type: a PASS needs something that was looked at and a planted defect that was refused.
import { z } from "zod";
import { parse } from "../parse.ts";
import { Fingerprint, PayloadRef, Text } from "../refs.ts";
import { GateName } from "./gate.ts";
import type { Rigor } from "./rigor.ts";

export const Finding = z.strictObject({
  rule: Text,
  message: Text,
  file: Text.optional(),
  line: z.int().min(1).optional(),
  /** The setting of rigor that decides whether this finding blocks; without one, the gate's own does. */
  settledBy: z.enum(["mutation.criticalSurvivorsBlock", "unprovenConstraints", "layers"]).optional(),
});
export type Finding = z.infer<typeof Finding>;

const refusal = { planted: Text, refused: z.literal(true) };

/** How the gate has shown that it can say no; a cached refusal names the module, tests and runner it was for. */
export const Liveness = z.discriminatedUnion("how", [
  z.strictObject({ ...refusal, how: z.literal("this-run") }),
  z.strictObject({ ...refusal, how: z.literal("cached"), cacheKey: Fingerprint }),
]);
export type Liveness = z.infer<typeof Liveness>;

/** An unknown price stays unknown; it is never zero. */
export const CostUsd = z.union([z.number().min(0), z.literal("unknown")]);

const report = {
  gate: GateName,
  evidence: z.array(PayloadRef),
  durationMs: z.number().min(0),
  costUsd: CostUsd,
};
const lookedAtSomething = { ...report, denominator: z.int().min(1) };
const lookedAtNothing = { ...report, denominator: z.literal(0), findings: z.array(Finding).max(0) };

export const GateVerdict = z.discriminatedUnion("verdict", [
  z.strictObject({
    verdict: z.literal("PASS"),
    ...lookedAtSomething,
    findings: z.array(Finding).max(0),
    liveness: Liveness,
  }),
  z.strictObject({
    verdict: z.literal("FAIL"),
    ...lookedAtSomething,
    findings: z.array(Finding).min(1),
    liveness: Liveness.optional(),
  }),
  z.strictObject({
    verdict: z.literal("NOT_APPLICABLE"),
    ...lookedAtNothing,
    /** What the harness derived this from; nobody may just claim it. */
    derivedFrom: Text,
  }),
  z.strictObject({ verdict: z.literal("NOT_RUN"), ...lookedAtNothing, missing: z.array(Text).min(1) }),
  z.strictObject({
    verdict: z.literal("ERROR"),
    ...report,
    denominator: z.int().min(0),
    findings: z.array(Finding),
    message: Text,
  }),
]);
export type GateVerdict = z.infer<typeof GateVerdict>;

/** What a gate saw, before anyone decided what it means. */
export interface GateOutcome {
  gate: GateName;
  /** How many things were looked at. */
  looked: number;
  findings: Finding[];
  /** What came of the planted defect; undefined when none was planted. */
  liveness?: PlantedDefect | undefined;
  evidence: PayloadRef[];
  durationMs: number;
  costUsd: number | "unknown";
}

export interface PlantedDefect {
  planted: string;
  refused: boolean;
  how: "this-run" | "cached";
  cacheKey?: string;
}

/** The only way from an outcome to a verdict. */
export function judge(outcome: GateOutcome): GateVerdict {
  const { gate, looked, findings, evidence, durationMs, costUsd } = outcome;
  const shared = { gate, findings, evidence, durationMs, costUsd };
  if (!Number.isSafeInteger(looked) || looked < 1) {
    return { verdict: "ERROR", ...shared, denominator: 0, message: `${gate} looked at nothing` };
  }
  const liveness = parse(Liveness, outcome.liveness);
  const looking = { ...shared, denominator: looked };
  // A gate that found something has just said no; only one that let its own plant pass is not believed.
  if (findings.length > 0 && outcome.liveness?.refused !== false) {
    return { verdict: "FAIL", ...looking, ...(liveness.kind === "ok" ? { liveness: liveness.value } : {}) };
  }
  if (liveness.kind === "invalid") {
    const message = `${gate} could not show that it can say no: ${whyNotLive(outcome.liveness)}`;
    return { verdict: "ERROR", ...looking, message };
  }
  return { verdict: "PASS", ...looking, liveness: liveness.value };
}

/** What of a rigor decides whether a finding blocks. */
export type SettlingRigor = Pick<Rigor, "gates" | "mutation" | "unprovenConstraints" | "overridden">;

/** `verify` judges other people's code, which may lack what a gate needs; shipped work may lack nothing. */
export function blocks(verdict: GateVerdict, rigor: SettlingRigor, place: "ship" | "verify"): boolean {
  switch (verdict.verdict) {
    case "PASS":
    case "NOT_APPLICABLE":
      return false;
    case "NOT_RUN":
      return place === "ship";
    case "FAIL":
      return verdict.findings.some((finding) => findingBlocks(finding, verdict.gate, rigor));
    case "ERROR":
    default:
      return true;
  }
}

function whyNotLive(planted: PlantedDefect | undefined): string {
  if (planted === undefined) return "no defect was planted";
  if (!planted.refused) return `it let ${planted.planted} pass`;
  return "the record of its refusal is incomplete";
}

function findingBlocks(finding: Finding, gate: GateName, rigor: SettlingRigor): boolean {
  if (finding.settledBy === "mutation.criticalSurvivorsBlock") return rigor.mutation.criticalSurvivorsBlock;
  if (finding.settledBy === "unprovenConstraints") return rigor.unprovenConstraints === "block";
  if (finding.settledBy === "layers" && !asksForLayers(rigor)) return false;
  return gate === "mutation" ? rigor.mutation.blocking : rigor.gates[gate] === "block";
}

/** Code that was made without knowing of layers lacks them only where somebody has asked for them by name. */
function asksForLayers({ overridden }: SettlingRigor): boolean {
  return overridden.some((path) => path === "layers" || path === "gates.layers");
}
