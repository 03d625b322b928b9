// What the Challenger may see of a module: results and counts that the harness gathered, never a line of source.
import { z } from "zod";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import { EvidenceReport } from "../../domain/debate/debate-records.ts";
import type { GroundTruth } from "../../domain/evidence/claim.ts";
import { CodeCoverage } from "../../domain/evidence/coverage.ts";
import type { CoveredCount } from "../../domain/evidence/coverage.ts";
import type { GateName } from "../../domain/evidence/gate.ts";
import { criticalSurvivors, isKilled, Mutant } from "../../domain/evidence/mutant.ts";
import { ConstraintProof } from "../../domain/evidence/predicate-proof.ts";
import { LayerCounts } from "../../domain/evidence/test-layer.ts";
import { TestRun } from "../../domain/evidence/test-result.ts";
import { comesFrom } from "../../domain/evidence/test-title.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { publicNames } from "./test-names.ts";

export interface Seen {
  contract: MicroModuleContract;
  truth: GroundTruth;
  evidenceOf: (gate: GateName) => unknown;
}

/** Undefined where not a single test ran. */
export function evidenceReport({ contract, truth, evidenceOf }: Seen): EvidenceReport | undefined {
  const run = readEvidence(TestRun, evidenceOf("green"));
  if (run === undefined || run.results.length === 0) return undefined;
  const names = publicNames(run.results);
  const coverage = readEvidence(CodeCoverage, evidenceOf("coverage"));
  const mutants = readEvidence(z.array(Mutant), evidenceOf("mutation"));
  const layers = readEvidence(z.object({ counts: LayerCounts }), evidenceOf("layers"));
  const proofs = readEvidence(z.array(ConstraintProof), evidenceOf("contract-coverage")) ?? [];
  const testsOf = (entry: string) =>
    run.results.flatMap(({ name }, index) => {
      const calls = truth.tests.filter((test) => comesFrom(name, test.name)).flatMap((test) => test.calls);
      const reaches = calls.some((call) => call === entry || call.startsWith(`${entry}.`));
      return reaches ? [names[index] ?? ""] : [];
    });
  const report = {
    tests: run.results.map(({ outcome }, index) => ({
      name: names[index] ?? "",
      result: outcome === "passed" ? "PASS" : "FAIL",
    })),
    // Only what a run has put to the test counts as tested, whatever calls the entry point.
    constraintTests: proofs.map(({ of, state }) => {
      const entries = contract.predicates.filter((predicate) => predicate.of === of);
      const tests = state === "PROVEN" ? entries.flatMap(({ entry }) => testsOf(entry)) : [];
      return { path: of, tests: [...new Set(tests)] };
    }),
    ...coverageOf(coverage),
    ...mutationOf(mutants),
    ...(layers === undefined ? {} : { layers: layers.counts }),
  };
  return parseOrThrow(EvidenceReport, report, "the evidence for the Challenger");
}

function coverageOf(coverage: CodeCoverage | undefined): Pick<EvidenceReport, "coverage"> {
  if (coverage === undefined || coverage.lines.total === 0) return {};
  const { lines, branches } = coverage;
  const measured = { lines: share(lines), ...(branches.total === 0 ? {} : { branches: share(branches) }) };
  return { coverage: measured };
}

function share({ covered, total }: CoveredCount): { hit: number; of: number } {
  return { hit: covered, of: total };
}

function mutationOf(mutants: readonly Mutant[] | undefined): Pick<EvidenceReport, "mutation"> {
  const counted = (mutants ?? []).filter(({ status }) => status !== "equivalent" && status !== "invalid");
  if (counted.length === 0) return {};
  const killed = { hit: counted.filter((mutant) => isKilled(mutant)).length, of: counted.length };
  return { mutation: { killed, criticalSurvivors: criticalSurvivors(counted).length } };
}

/** What a gate kept, if it kept anything. */
export function readEvidence<S extends z.ZodType>(schema: S, evidence: unknown): z.output<S> | undefined {
  return evidence === undefined ? undefined : parseOrThrow(schema, evidence, "the evidence of a gate");
}
