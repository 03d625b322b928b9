// Looks at a candidate before anybody debates it: everything that would stand in its way, and what its Challenger may see.
import { z } from "zod";
import { ClaimCheck } from "../../domain/evidence/claim.ts";
import { isKilled, Mutant } from "../../domain/evidence/mutant.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { ToExamine } from "../../protocols/port.ts";
import type { Examination, Look } from "../../protocols/seen.ts";
import { openBench } from "./bench.ts";
import { evidenceReport } from "./evidence-report.ts";
import { findingsOf, findingsOfGate } from "./findings.ts";
import { judge, type Judged } from "./judge.ts";
import { layeredResults } from "./layered-results.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";
import { shelfOf } from "./shelf.ts";
import { tellRefusal, tellVerdicts } from "./verdict-events.ts";

/** With a look only its gates are asked, also about work that is not finished. */
export async function examine(
  ports: ShipPorts,
  order: ShipOrder,
  { contract, commit, grounds }: ToExamine,
  look?: Look,
): Promise<Examination> {
  const state = look === undefined ? "finished" : "on-its-way";
  const bench = await openBench(ports, order, { contract, commit, grounds, state }, await shelfOf(ports));
  if (bench.kind === "refused") {
    await tellRefusal(ports, order, { contract, during: "examine", findings: bench.problems });
    return { findings: bench.problems, evidence: undefined, verdicts: [], survivors: [], claims: [] };
  }
  try {
    const judged = await judge(ports, {
      module: bench.module,
      // Who could see whom is known only when the work is done.
      gates: look?.gates ?? order.protocol.gates.filter((gate) => gate !== "blindness"),
      place: "verify",
      all: true,
      signal: order.signal,
    });
    order.signal.throwIfAborted();
    await tellVerdicts(ports, order, { contract, during: "examine", reported: judged.reported });
    const truth = await ports.toolchain.groundTruth(bench.site);
    return {
      findings: findingsOf(judged.reported, order.assignment.folder),
      evidence: evidenceReport({ contract, truth, evidenceOf: judged.evidenceOf }),
      ...layeredResults(judged.evidenceOf),
      ...seenBy(judged, order.assignment.folder),
    };
  } finally {
    await bench.remove();
  }
}

function seenBy(
  { reported, evidenceOf }: Judged,
  folder: string,
): Pick<Examination, "verdicts" | "survivors" | "claims"> {
  return {
    verdicts: reported.map((one) => ({
      gate: one.verdict.gate,
      verdict: one.verdict.verdict,
      findings: one.verdict.verdict === "PASS" ? [] : findingsOfGate(one, folder),
    })),
    survivors: kept(Mutant, evidenceOf("mutation")).filter(
      (mutant) => !isKilled(mutant) && mutant.status !== "equivalent" && mutant.status !== "invalid",
    ),
    claims: kept(ClaimCheck, evidenceOf("claims")),
  };
}

function kept<S extends z.ZodType>(schema: S, evidence: unknown): z.output<S>[] {
  return parseOrThrow(z.array(schema), evidence ?? [], "the evidence of a gate");
}
