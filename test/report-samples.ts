// A report with something in every part of it, in which every text can be made hostile.
import { ReleaseManifest } from "../src/domain/people/release.ts";
import type { GateVerdict } from "../src/domain/evidence/gate-verdict.ts";
import type { ProductReport } from "../src/report/report-data.ts";

const AT = "2026-11-16T09:31:02.000Z";
const shared = { evidence: [], durationMs: 812, costUsd: 0 };

/** `mark` stands in every text that agents, specs or people write. */
export function reportSample(mark = ""): ProductReport {
  const say = (text: string) => `${text}${mark}`;
  const gates: GateVerdict[] = [
    {
      verdict: "PASS",
      gate: "green",
      ...shared,
      denominator: 14,
      findings: [],
      liveness: { planted: say("an implementation that throws"), refused: true, how: "this-run" },
    },
    {
      verdict: "PASS",
      gate: "mutation",
      ...shared,
      denominator: 42,
      findings: [],
      liveness: {
        planted: say("a mutant the suite must kill"),
        refused: true,
        how: "cached",
        cacheKey: "0".repeat(64),
      },
    },
    {
      verdict: "NOT_APPLICABLE",
      gate: "integration",
      ...shared,
      denominator: 0,
      findings: [],
      derivedFrom: say("the contract names no dependency"),
    },
    {
      verdict: "FAIL",
      gate: "tidy",
      ...shared,
      denominator: 3,
      findings: [{ rule: "x", message: say("an export without a test") }],
    },
  ];
  const released = [manifest(say, "1.0.0", "FAIL"), manifest(say, "1.0.0", "PASS")];
  return {
    title: say("invoice-kit"),
    specVersion: "1.0.0",
    generatedAt: AT,
    cupelVersion: "0.1.0",
    criteria: [
      {
        id: "T-money-basics-amounts-001.1",
        text: say("amounts add up"),
        shownBy: [say("a sum of two [T-money-basics-amounts-001.1]")],
        why: null,
      },
      {
        id: "T-money-basics-amounts-001.2",
        text: say("adding takes no memory"),
        shownBy: [],
        why: say("nobody sees memory from outside"),
      },
    ],
    tasks: [
      {
        id: "T-money-basics-amounts-001",
        name: say("Amounts"),
        path: [say("Money"), say("Basics"), say("Amounts")],
        status: "SHIPPED",
        modules: ["MM-amount@1.0.0"],
        why: null,
        tree: [
          { node: "amounts", last: [], place: "shipped", merges: 1, rebases: 0, wakes: 0 },
          { node: "cents", last: [true], place: say("asks: which"), merges: 2, rebases: 3, wakes: 1 },
        ],
      },
      {
        id: "T-money-basics-rounding-001",
        name: say("Rounding"),
        path: ["Money", "Basics", "Rounding"],
        status: "HALTED",
        modules: [],
        why: say("2 of 14 tests fail after 3 attempts"),
        tree: null,
      },
      {
        id: "T-money-tax-rates-001",
        name: say("Tax rates"),
        path: ["Money", "Tax", "Rates"],
        status: "BLOCKED",
        modules: [],
        why: null,
        tree: null,
      },
      {
        id: "T-money-tax-exports-001",
        name: say("Exports"),
        path: ["Money", "Tax", "Exports"],
        status: "ABANDONED",
        modules: [],
        why: say("nobody needs it"),
        tree: null,
      },
    ],
    modules: [
      {
        module: "MM-amount@1.0.0",
        name: say("amount"),
        purpose: say("Adds amounts of money without losing a cent."),
        task: "T-money-basics-amounts-001",
        shippedAt: AT,
        status: "SHIPPED",
        undebated: false,
        override: null,
        rigor: "standard",
        sandbox: "bubblewrap",
        gates: gates.slice(0, 3),
        blindness: { result: "held", barrier: "sandbox", doubts: [] },
      },
      {
        module: "MM-round@1.0.0",
        name: say("round"),
        purpose: say("Rounds half to even."),
        task: "T-money-basics-rounding-001",
        shippedAt: AT,
        status: "DEPRECATED",
        undebated: true,
        override: say("only the style was disputed"),
        rigor: "lite",
        sandbox: "none",
        gates,
        blindness: {
          result: "unproven",
          barrier: "repository",
          doubts: [say("a command ran without a sandbox")],
        },
      },
      {
        module: "MM-tax@1.0.0",
        name: say("tax"),
        purpose: say("Knows rates."),
        task: "T-money-tax-rates-001",
        shippedAt: AT,
        status: null,
        undebated: false,
        override: null,
        rigor: "standard",
        sandbox: "bubblewrap",
        gates: [],
        blindness: null,
      },
    ],
    releases: released,
    costs: [
      {
        role: "proposer",
        calls: 4,
        failed: 1,
        spent: { usage: { inputTokens: 1_204_311, outputTokens: 38_902 }, costUsd: 0.4182 },
      },
      {
        role: "challenger",
        calls: 3,
        failed: 0,
        spent: { usage: { inputTokens: 90_000, outputTokens: 4_000 }, costUsd: 0.0031 },
      },
    ],
    decisions: [
      {
        at: AT,
        subject: "T-money-basics-rounding-001",
        what: "AMEND_SPEC",
        why: say("halves were not said"),
      },
    ],
    deprecations: [
      {
        at: AT,
        module: "MM-round@1.0.0",
        reason: say("it is slow"),
        replacement: "MM-round@2.0.0",
        downstream: ["MM-tax@1.0.0"],
      },
    ],
  };
}

function manifest(say: (text: string) => string, version: string, result: "PASS" | "FAIL"): ReleaseManifest {
  const gates = [
    "dependency_check",
    "fingerprint_check",
    "deprecation_check",
    "code_index_check",
    "e2e_check",
  ] as const;
  const failing = (gate: string) => result === "FAIL" && gate === "e2e_check";
  const violation = {
    module_ref: "MM-tax@1.0.0",
    references: [],
    explanation: say("npm test passes although the functions of MM-tax@1.0.0 throw"),
    next: say("look at the script test of package.json"),
  };
  return ReleaseManifest.parse({
    release_id: result === "PASS" ? "REL-0a1b2c3d" : "REL-ffffffff",
    version,
    created_at: AT,
    spec_version: "1.0.0",
    scope: "full",
    commit: "0123456789abcdef0123456789abcdef01234567",
    tasks: ["T-money-basics-amounts-001"],
    modules: [{ module_ref: "MM-amount@1.0.0", ship_ref: "SHIP-0a1b2c3d" }],
    integration_gates: Object.fromEntries(gates.map((gate) => [gate, failing(gate) ? "FAIL" : "PASS"])),
    evidence: gates.map((gate) => ({
      gate,
      summary: say("3 dependencies of 2 modules"),
      durationMs: 3,
      denominator: 5,
      ...(failing(gate)
        ? { result: "FAIL", violations: [violation] }
        : {
            result: "PASS",
            planted: say("a dependency on MM-planted@1.0.0, which is not in the release"),
            violations: [],
          }),
    })),
    overall_result: result,
    abandoned_tasks: [
      { task_id: "T-money-tax-exports-001", reason: say("nobody needs it"), superseded_by: [] },
    ],
    overrides: [],
    attestations: [],
    notes: result === "FAIL" ? say("it failed") : "",
  });
}

/** Names of elements and attributes, in order. */
export function tags(page: string): string[] {
  return [...page.matchAll(/<(\/?[a-z0-9]+)([^>]*)>/gi)].map(
    ([, name = "", attributes = ""]) => `${name} ${attributes.replaceAll(/"[^"]*"/g, "").trim()}`,
  );
}
