// The module works together with what it depends on, and notices when that is broken.
import { tally } from "../../domain/evidence/test-result.ts";
import type { TestRun } from "../../domain/evidence/test-result.ts";
import type { TestLayer } from "../../domain/evidence/test-layer.ts";
import type { GateDefinition, Look } from "../port.ts";
import { findingsOf } from "./green.ts";

export const integration = withOthers("integration");
/** The same, once everything is there. */
export const e2e = withOthers("e2e");

function withOthers(layer: TestLayer & ("integration" | "e2e")): GateDefinition {
  return {
    name: layer,
    look: async (facts) => {
      const { contract } = facts.module;
      if (contract?.dependencies.length === 0)
        return { kind: "not-applicable", derivedFrom: "the contract names no dependency" };
      const report = await facts.run();
      return report.kind === "no-report" ? { kind: "error", message: report.why } : lookAt(report.run, layer);
    },
    plant: async (facts) => {
      const { broken } = facts.module;
      if (broken === undefined) return { kind: "impossible", why: "no broken dependency was handed in" };
      return { kind: "planted", what: "a broken dependency", facts: facts.at(broken) };
    },
  };
}

function lookAt(run: TestRun, layer: TestLayer): Look {
  const own = { ...run, results: run.results.filter((result) => result.layer === layer) };
  const { total, passed } = tally(own);
  const files = run.files.filter((file) => own.results.some((result) => result.file === file));
  return {
    kind: "looked",
    looked: total,
    summary: `${passed} of ${total} ${layer} tests pass`,
    findings: findingsOf({ ...own, files }),
    evidence: own,
  };
}
