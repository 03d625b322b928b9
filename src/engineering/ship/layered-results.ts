// What each layer of a module's tests showed, from what the gates rest on: results, proofs, and code that was read.
import { z } from "zod";
import { CodeCoverage } from "../../domain/evidence/coverage.ts";
import type { GateName } from "../../domain/evidence/gate.ts";
import { ConstraintProof } from "../../domain/evidence/predicate-proof.ts";
import { StaticFinding } from "../../domain/evidence/static-finding.ts";
import { TestLayer } from "../../domain/evidence/test-layer.ts";
import { TestRun } from "../../domain/evidence/test-result.ts";
import type { LayeredResults } from "../../domain/gatekeeper/test-suite-record.ts";
import type { Examination } from "../../protocols/seen.ts";
import { readEvidence } from "./evidence-report.ts";

type Layer = LayeredResults["layers"][number];

/** Nothing where no test ran. */
export function layeredResults(evidenceOf: (gate: GateName) => unknown): Pick<Examination, "layered"> {
  const run = readEvidence(TestRun, evidenceOf("green"));
  if (run === undefined || run.results.length === 0) return {};
  const proofs = readEvidence(z.array(ConstraintProof), evidenceOf("contract-coverage"));
  const found = readEvidence(z.array(StaticFinding), evidenceOf("static"));
  const counts = [
    ...TestLayer.options.map((layer) => ranIn(layer, run)),
    provenIn(proofs ?? []),
    ...(found === undefined ? [] : [readIn(found)]),
  ];
  const layers = TestLayer.options
    .map((layer) => counts.filter((each) => each.layer === layer).reduce(added, nothing(layer)))
    .filter(({ passed, failed }) => passed + failed > 0);
  return { layered: { layers, coverage: coverageOf(readEvidence(CodeCoverage, evidenceOf("coverage"))) } };
}

function ranIn(layer: TestLayer, { results }: TestRun): Layer {
  const mine = results.filter((result) => result.layer === layer);
  const passed = mine.filter(({ outcome }) => outcome === "passed").length;
  return { layer, passed, failed: mine.length - passed };
}

/** Constraints, invariants and errors that were judged at the boundary. */
function provenIn(proofs: readonly ConstraintProof[]): Layer {
  const passed = proofs.filter(({ state }) => state === "PROVEN").length;
  return { layer: "contract", passed, failed: proofs.length - passed };
}

/** Reading the code is one check. */
function readIn(found: readonly StaticFinding[]): Layer {
  const failed = found.filter(({ severity }) => severity === "error").length;
  return { layer: "static", passed: failed === 0 ? 1 : 0, failed };
}

function nothing(layer: TestLayer): Layer {
  return { layer, passed: 0, failed: 0 };
}

function added(one: Layer, other: Layer): Layer {
  return { ...one, passed: one.passed + other.passed, failed: one.failed + other.failed };
}

function coverageOf(coverage: CodeCoverage | undefined): LayeredResults["coverage"] {
  if (coverage === undefined) return null;
  const { lines, branches, files } = coverage;
  return {
    lines,
    branches,
    uncovered: files.flatMap(({ file, uncoveredLines = [] }) =>
      uncoveredLines.length === 0 ? [] : [{ file, lines: uncoveredLines }],
    ),
  };
}
