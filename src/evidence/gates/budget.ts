// Latency, memory and growth stay within what the contract allows; a limit that cannot be measured is not kept.
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { BudgetReport } from "../../toolchains/port.ts";
import type { Facts } from "../facts.ts";
import type { GateDefinition, Look } from "../port.ts";
import { exponentOf } from "./growth-bound.ts";
import { slowed } from "./slowed-module.ts";

export const budget: GateDefinition = {
  name: "budget",
  look: async (facts) => {
    const { contract } = facts.module;
    if (contract === undefined) return { kind: "error", message: "there is no contract" };
    const limits = limitsOf(contract);
    if (limits.length === 0) return { kind: "not-applicable", derivedFrom: whyNoLimit(contract) };
    const report = await measured(facts, contract);
    return "kind" in report ? { kind: "error", message: report.why } : lookAt(report, contract, limits);
  },
  plant: async (facts) => {
    const { contract, site } = facts.module;
    if (contract === undefined) return { kind: "impossible", why: "there is no contract" };
    const limits = limitsOf(contract);
    const { entry } = site.layout;
    const edits = slowed(entry, site.files()[entry] ?? "", contract);
    const spoiled = await facts.spoiled({ edits });
    // One limit that is noticed must not stand for another that is not.
    const report = await measured(spoiled, contract);
    const found = "kind" in report ? [] : exceeded(report, contract, limits).map(({ rule }) => rule);
    const missed = limits.filter((limit) => limit !== "space" && !found.includes(limit));
    if (missed.length > 0)
      return {
        kind: "impossible",
        why: `an implementation that breaks the limit of ${missed.join(" and of ")}${"kind" in report ? `: ${report.why}` : ""}`,
      };
    const what = limits.includes("growth") ? "a steeper implementation" : "a wasteful implementation";
    return { kind: "planted", what, facts: spoiled };
  },
};

function whyNoLimit({ complexity_constraints }: MicroModuleContract): string {
  return complexity_constraints?.time === undefined
    ? "the contract sets no budget"
    : "the contract limits only growth, and none of its inputs has a size";
}

type Limit = "latency" | "memory" | "growth" | "space";

function limitsOf({ runtime_budgets, complexity_constraints, inputs }: MicroModuleContract): Limit[] {
  const { latency_ms_p95, memory_mb_max } = runtime_budgets;
  const canGrow = inputs.some(({ type }) => !WITHOUT_SIZE.test(type));
  return [
    ...(latency_ms_p95 === undefined ? [] : ["latency" as const]),
    ...(memory_mb_max === undefined ? [] : ["memory" as const]),
    ...(complexity_constraints?.time === undefined || !canGrow ? [] : ["growth" as const]),
    ...(complexity_constraints?.space === undefined ? [] : ["space" as const]),
  ];
}

/** Numbers and the like; anything else is taken for something that can be larger or smaller. */
const WITHOUT_SIZE =
  /^\s*(?:number|boolean|bigint|null|undefined|void|Date|true|false|-?\d+|"[^"]*"|'[^']*'|[\s|])+\s*$/;

function measured(
  facts: Facts,
  contract: MicroModuleContract,
): Promise<BudgetReport | { kind: "impossible"; why: string }> {
  const { toolchain, site } = facts.module;
  return facts.once("measured", () => toolchain.measure(site, contract));
}

/** The number of limits, since the number of calls is another each time. */
function lookAt(report: BudgetReport, contract: MicroModuleContract, limits: readonly Limit[]): Look {
  const judged = limits.filter((limit) => limit !== "space");
  const growth = report.growth === undefined ? [] : [`grows like n^${report.growth.exponent.toFixed(1)}`];
  const unjudged = judged.length === limits.length ? [] : ["space is not judged"];
  const figures = [
    `p95 ${report.latencyMsP95.toFixed(2)} ms`,
    `${report.memoryMbMax.toFixed(1)} MB`,
    ...growth,
    ...unjudged,
  ];
  return {
    kind: "looked",
    looked: judged.length,
    summary: `${judged.length} limits on ${report.calls} calls: ${figures.join(", ")}`,
    findings: exceeded(report, contract, limits),
    evidence: report,
  };
}

function exceeded(
  report: BudgetReport,
  contract: MicroModuleContract,
  limits: readonly Limit[],
): (Finding & { rule: Limit })[] {
  const { latency_ms_p95, memory_mb_max } = contract.runtime_budgets;
  const findings: (Finding & { rule: Limit })[] = [];
  if (latency_ms_p95 !== undefined && report.latencyMsP95 > latency_ms_p95)
    findings.push({
      rule: "latency",
      message: `p95 ${report.latencyMsP95.toFixed(2)} ms, at most ${latency_ms_p95} ms`,
    });
  if (memory_mb_max !== undefined && report.memoryMbMax > memory_mb_max)
    findings.push({
      rule: "memory",
      message: `${report.memoryMbMax.toFixed(1)} MB, at most ${memory_mb_max} MB`,
    });
  const steep = limits.includes("growth") ? steepness(report, contract) : undefined;
  return steep === undefined ? findings : [...findings, { rule: "growth", message: steep }];
}

/** Between what noise does to a straight line and what the next power would be. */
const TOLERANCE = 0.5;

/** What speaks against the growth; a bound that could not be compared speaks against it too. */
function steepness(
  { growth }: BudgetReport,
  { complexity_constraints }: MicroModuleContract,
): string | undefined {
  const time = complexity_constraints?.time;
  if (time === undefined) return undefined;
  const most = exponentOf(time);
  if (most === undefined)
    return `the bound ${time} cannot be measured; O(1), O(log n), O(n), O(n log n), O(n^2) and the like can`;
  if (growth === undefined)
    return `growth within ${time} could not be measured: calls take too long, or too few inputs can be made up`;
  return growth.exponent > most + TOLERANCE
    ? `time grows like n^${growth.exponent.toFixed(1)}, at most ${time}`
    : undefined;
}
