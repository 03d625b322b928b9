// Looks at a candidate before anybody debates it: everything that would stand in its way, and what its Challenger may see.
import type { Candidate } from "../../protocols/outcome.ts";
import type { Examination } from "../../protocols/port.ts";
import { openBench } from "./bench.ts";
import { evidenceReport } from "./evidence-report.ts";
import { findingsOf } from "./findings.ts";
import { judge } from "./judge.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";
import { shelfOf } from "./shelf.ts";
import { tellRefusal, tellVerdicts } from "./verdict-events.ts";

export async function examine(
  ports: ShipPorts,
  order: ShipOrder,
  { contract, commit }: Pick<Candidate, "contract" | "commit">,
): Promise<Examination> {
  const bench = await openBench(ports, order, { contract, commit }, await shelfOf(ports));
  if (bench.kind === "refused") {
    await tellRefusal(ports, order, { contract, during: "examine", findings: bench.problems });
    return { findings: bench.problems, evidence: undefined };
  }
  try {
    const judged = await judge(ports, {
      module: bench.module,
      // Who could see whom is known only when the work is done.
      gates: order.protocol.gates.filter((gate) => gate !== "blindness"),
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
    };
  } finally {
    await bench.remove();
  }
}
