// Latency, memory and growth stay within what the contract allows.
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import type { BudgetReport } from "../../toolchains/port.ts";
import type { GateDefinition } from "../port.ts";

export const budget: GateDefinition = {
  name: "budget",
  look: async (facts) => {
    const { contract, toolchain, site } = facts.module;
    if (contract === undefined) return { kind: "error", message: "there is no contract" };
    if (!limitsSomething(contract))
      return { kind: "not-applicable", derivedFrom: "the contract sets no budget" };
    const report = await toolchain.measure(site, contract);
    if ("kind" in report) return { kind: "error", message: report.why };
    return {
      kind: "looked",
      looked: report.calls,
      summary: `${report.calls} calls, p95 ${report.latencyMsP95.toFixed(2)} ms`,
      findings: exceeded(report, contract),
      evidence: report,
    };
  },
  plant: async (facts) => {
    const { contract, site } = facts.module;
    if (contract === undefined) return { kind: "impossible", why: "there is no contract" };
    const { entry } = site.layout;
    const original = entry.replace(/[^/]+$/, "cupel-original.ts");
    const edits = { [original]: site.files()[entry] ?? "", [entry]: slowed(contract) };
    return { kind: "planted", what: "a quadratic implementation", facts: await facts.spoiled({ edits }) };
  },
};

function limitsSomething({ runtime_budgets, complexity_constraints }: MicroModuleContract): boolean {
  return Object.keys({ ...runtime_budgets, ...complexity_constraints }).length > 0;
}

function exceeded(report: BudgetReport, contract: MicroModuleContract): Finding[] {
  const { latency_ms_p95, memory_mb_max } = contract.runtime_budgets;
  const findings: Finding[] = [];
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
  const most = exponentOf(contract.complexity_constraints?.time);
  if (most !== undefined && report.growth !== undefined && report.growth.exponent > most + TOLERANCE)
    findings.push({
      rule: "growth",
      message: `time grows like n^${report.growth.exponent.toFixed(1)}, at most n^${most}`,
    });
  return findings;
}

/** Between what noise does to a straight line and what the next power would be. */
const TOLERANCE = 0.5;

/** `O(n)`, `O(n log n)`, `O(n^2)`, `O(1)`; other spellings limit nothing that can be measured. */
function exponentOf(time: string | undefined): number | undefined {
  const bound = time?.replaceAll(/\s/g, "").toLowerCase();
  const power = /^o\(n(?:\^|\*\*)(\d)\)$/.exec(bound ?? "")?.[1];
  if (power !== undefined) return Number(power);
  if (bound === "o(n)" || bound === "o(nlogn)") return 1;
  return bound === "o(1)" || bound === "o(logn)" ? 0 : undefined;
}

/** The same module behind entry points that look at every pair of what they are given. */
function slowed({ entry_points }: MicroModuleContract): string {
  const functions = entry_points.map(({ name }) => name).filter((name) => /^\w+$/.test(name));
  return `export * from "./cupel-original.ts";
import * as original from "./cupel-original.ts";
type Callable = (...args: unknown[]) => unknown;
let burnt = 0;
function slowly(name: string): Callable {
  return (...args) => {
    const size = args.reduce<number>((sum, arg) => sum + (typeof arg === "string" || Array.isArray(arg) ? arg.length : 1), 0);
    for (let one = 0; one < size; one++) for (let other = 0; other < size; other++) burnt ^= one * other;
    return (original as unknown as Record<string, Callable>)[name]?.(...args);
  };
}
${functions.map((name) => `export const ${name} = slowly(${JSON.stringify(name)}) as unknown as typeof original.${name};`).join("\n")}
`;
}
