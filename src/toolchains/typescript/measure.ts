// Measures a module's entry points in its site: how long calls take, what they hold, and how time grows with the input.
import { randomBytes } from "node:crypto";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import type { BudgetReport, Files, Site } from "../port.ts";
import { inputShapes } from "./input-shapes.ts";
import { insideScript } from "./inside-script.ts";
import { importedBy, sourcesOf } from "./module-files.ts";
import { type Builds, oneScript } from "./one-script.ts";
import type { MeasuredEntry, MeasureOrder, MeasureReport } from "./measure-order.ts";

type Impossible = { kind: "impossible"; why: string };

const BUDGET_MS = 8_000;
const TIMEOUT_MS = 30_000;

export async function measure(
  site: Pick<Site, "layout" | "files" | "data" | "run">,
  contract: Pick<MicroModuleContract, "entry_points" | "inputs" | "predicates">,
  builds?: Builds,
): Promise<BudgetReport | Impossible> {
  const sources = sourcesOf(site);
  const { entries, unknown } = entriesOf(contract, sources);
  if (entries.length === 0) return impossible(unknown.join("; "));
  const script = await oneScript(site.layout.entry, importedBy(site), { builds });
  if (script.kind === "impossible") return script;
  const nonce = randomBytes(16).toString("hex");
  const order: MeasureOrder = { nonce, code: script.code, entries, budgetMs: BUDGET_MS };
  const result = await site.run({
    command: process.execPath,
    args: ["--expose-gc", "--input-type=module", "-e", await insideScript("measure")],
    stdin: JSON.stringify(order),
    timeoutMs: TIMEOUT_MS,
  });
  const line = result.stdout.split("\n").find((each) => each.startsWith(`${nonce} `));
  if (line === undefined) {
    const said = result.stderr.trim().split("\n").slice(0, 6).join("\n").slice(0, 1_000);
    return impossible(
      `the measurement ended without a report (${result.kind})${said === "" ? "" : `: ${said}`}`,
    );
  }
  return reportOf(JSON.parse(line.slice(nonce.length + 1)));
}

function entriesOf(
  contract: Pick<MicroModuleContract, "entry_points" | "inputs" | "predicates">,
  sources: Files,
): { entries: MeasuredEntry[]; unknown: string[] } {
  const entries: MeasuredEntry[] = [];
  const unknown: string[] = [];
  for (const entry of contract.entry_points) {
    const found = inputShapes(entry, contract, sources);
    if (found.kind === "unknown") unknown.push(found.why);
    else
      entries.push({
        name: entry.name,
        inputs: found.shapes,
        requires: contract.predicates
          .filter((predicate) => predicate.entry === entry.name && predicate.kind === "requires")
          .map((predicate) => predicate.expr),
        scales: found.scales,
      });
  }
  return { entries, unknown };
}

function reportOf(report: MeasureReport): BudgetReport | Impossible {
  const { calls, latencies, memoryBytes, growth, skipped } = report;
  if (latencies.length === 0) return impossible(skipped.join("; ") || "no call was made");
  const sorted = latencies.toSorted((one, other) => one - other);
  const steepest = growth.toSorted((one, other) => other.exponent - one.exponent)[0];
  return {
    calls,
    latencyMsP95: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0,
    memoryMbMax: memoryBytes / 1024 ** 2,
    ...(steepest === undefined ? {} : { growth: { exponent: steepest.exponent, sizes: steepest.sizes } }),
  };
}

function impossible(why: string): Impossible {
  return { kind: "impossible", why };
}
