// Judges a candidate on its bench by every gate of its protocol; what passes is built for those who will import it.
import type { GateName } from "../../domain/evidence/gate.ts";
import { gatesOfLayers } from "../../domain/evidence/seen-layers.ts";
import { TestRun } from "../../domain/evidence/test-result.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { isPassed } from "../../evidence/module-report.ts";
import { makeProof } from "../../evidence/proof.ts";
import type { Candidate } from "../../protocols/outcome.ts";
import type { ShipAnswer } from "../../protocols/port.ts";
import type { Approval } from "./approval.ts";
import type { Bench } from "./bench.ts";
import { buildPackages } from "./build-packages.ts";
import { findingsOf } from "./findings.ts";
import { judge } from "./judge.ts";
import type { Judged } from "./judge.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";
import type { Judgement } from "./prepare.ts";
import { executionLog } from "./records.ts";
import { tellVerdicts } from "./verdict-events.ts";
import { mismatchText, surfaceMismatch } from "./surface-mismatch.ts";

/**
 * Whatever a protocol looks at, nothing ships that does not build, pass its tests and those of its past, look as it promised,
 * and have the layers that its rigor asks for. The door sees that itself, whatever was seen while the module was made.
 */
const ALWAYS: readonly GateName[] = ["build", "green", "surface", "regression"];

export interface ToJudge {
  candidate: Candidate;
  approval: Approval;
  bench: Bench & { kind: "open" };
  before: Judgement["before"];
}

export type Refusal = Omit<ShipAnswer & { kind: "refused" }, "kind">;

/** What passed comes with everything that is to be kept of it. */
export async function judgeCandidate(
  ports: ShipPorts,
  order: ShipOrder,
  { candidate, approval, bench, before }: ToJudge,
): Promise<(Judgement & { kind: "passed" }) | (Refusal & { kind: "refused" })> {
  const { contract } = candidate;
  const certificate = order.protocol.gates.includes("blindness") ? await order.certify?.() : undefined;
  const module = { ...bench.module, ...(certificate === undefined ? {} : { certificate }) };
  const gates = [...new Set([...ALWAYS, ...gatesOfLayers(module.rigor), ...order.protocol.gates])];
  // Before anything runs there, which could leave whatever it likes.
  const { differences } = await ports.toolchain.compareSurface(bench.site, contract.entry_points);
  const executedAt = ports.now();
  const answer = await judge(ports, {
    module,
    gates,
    place: "ship",
    all: false,
    afresh: ALWAYS,
    signal: order.signal,
  });
  order.signal.throwIfAborted();
  ports.onStep?.("judged");
  const log = logOf(answer, candidate, executedAt);
  const mismatch = surfaceMismatch(contract, differences);
  if (!isPassed(answer.reported) || mismatch !== undefined || log === undefined) {
    await tellVerdicts(ports, order, { contract, during: "ship", reported: answer.reported });
    const findings = findingsOf(answer.reported, order.assignment.folder);
    const logRef =
      log === undefined
        ? {}
        : { executionLogRef: await ports.store.payloads.put(`${JSON.stringify(log, null, 2)}\n`) };
    if (mismatch === undefined) return { kind: "refused", findings: orNothingRan(findings), ...logRef };
    return { kind: "refused", findings: [mismatchText(mismatch), ...findings], mismatch, ...logRef };
  }
  const built = await buildPackages(ports.toolchain, bench.site);
  if (built.kind === "broken") return { kind: "refused", findings: built.problems };
  ports.onStep?.("built");
  const { reported } = answer;
  const proof = await makeProof(
    { ...module, place: "ship", only: gates, texts: bench.files, neighbours: bench.neighbours },
    reported,
    ports.versions,
  );
  return {
    kind: "passed",
    candidate,
    approval,
    before,
    files: bench.files,
    packages: built.files,
    proof,
    log,
    reported,
  };
}

function logOf({ evidenceOf }: Judged, { contract }: Candidate, executedAt: Date) {
  const run = evidenceOf("green");
  return run === undefined
    ? undefined
    : executionLog(contract, parseOrThrow(TestRun, run, "the test run"), executedAt);
}

function orNothingRan(findings: string[]): string[] {
  return findings.length > 0 ? findings : ["green: not a single test ran"];
}
