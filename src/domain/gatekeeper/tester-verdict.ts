// What the tests and gates come to, by rule: who has to do something about each finding, and the verdict that follows.
import { z } from "zod";
import { GateName } from "../evidence/gate.ts";

/** FAIL is critical and ends the work; NEEDS_REVISION is code that its builder can mend. */
export const TesterVerdict = z.enum(["PASS", "FAIL", "NEEDS_REVISION"]);
export type TesterVerdict = z.infer<typeof TesterVerdict>;

/** `critical`: not to be mended but to be looked at. `tests`: the suite is at fault, whatever the code is like. */
export type Fault = "critical" | "code" | "tests";

/** Whom a gate speaks to where neither place nor rule say otherwise. */
export const FAULT_OF_GATE: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ["build", "code"],
  ["red-on-skeleton", "tests"],
  ["green", "code"],
  ["claims", "tests"],
  ["coverage", "tests"],
  ["contract-coverage", "tests"],
  ["layers", "tests"],
  ["examples", "code"],
  ["mutation", "tests"],
  ["static", "critical"],
  ["surface", "code"],
  ["tests-untouched", "critical"],
  ["effects", "code"],
  ["tidy", "code"],
  ["budget", "code"],
  ["blindness", "critical"],
  ["integration", "tests"],
  ["regression", "code"],
  ["e2e", "code"],
]);

/** Rules that change whom a gate speaks to. */
const FAULT_OF_RULE: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ["static complexity", "code"],
  ["static unparsed", "code"],
  ["static suppression", "code"],
  ["contract-coverage refuted", "code"],
  ["tidy untested-export", "tests"],
  ["green skipped", "tests"],
  ["green todo", "tests"],
  ["green focused", "tests"],
  ["green retried", "tests"],
  ["green lazy-property", "tests"],
  ["green lost-assertion", "tests"],
  ["green never-asserted", "tests"],
]);

/** As a finding is worded: the gate, the place where there is one, and the rule in brackets at the end. */
export function faultOf(finding: string): Fault {
  const gate = /^([a-z0-9-]+): /.exec(finding)?.[1] ?? "";
  const rule = /\(([a-z0-9-]+)\)$/.exec(finding)?.[1] ?? "";
  if (gate === "effects" && rule.startsWith("undeclared-")) return placed(finding, "critical");
  const byRule = FAULT_OF_RULE.get(`${gate} ${rule}`);
  return byRule ?? placed(finding, FAULT_OF_GATE.get(gate) ?? "code", gate);
}

/** Tests were seen to build and to fail on stubs before: where these gates point at one, the code made it so. */
const NOT_BY_PLACE = ["build", "green", "tests-untouched"];

/** Where a test file itself is wrong, its author hears of it. */
function placed(finding: string, otherwise: Fault, gate = ""): Fault {
  const inTests = /^[a-z0-9-]+: modules\/[^/]+\/test\//.test(finding);
  return inTests && !NOT_BY_PLACE.includes(gate) ? "tests" : otherwise;
}

export type Sorted = Readonly<Record<Fault, string[]>>;

export function sortedByFault(findings: readonly string[]): Sorted {
  const sorted: Record<Fault, string[]> = { critical: [], code: [], tests: [] };
  for (const finding of findings) sorted[faultOf(finding)].push(finding);
  return sorted;
}

/** What follows from everything that was found: weak tests are no verdict on the code, and never a PASS. */
export function verdictOf({ critical, code, tests }: Sorted): TesterVerdict | "weak" {
  if (critical.length > 0) return "FAIL";
  if (code.length > 0) return "NEEDS_REVISION";
  return tests.length > 0 ? "weak" : "PASS";
}

/** Gates without a word on whom they speak to. */
export function unassignedGates(): GateName[] {
  return GateName.options.filter((gate) => !FAULT_OF_GATE.has(gate));
}
