import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import {
  Adjudication,
  Amendment,
  AppliedAmendment,
  Challenge,
  EvidenceReport,
  Proposal,
} from "./debate-records.ts";
import { RubricId } from "./rubric.ts";

function problemsOf(schema: z.ZodType, input: unknown): string[] {
  const parsed = parse(schema, input);
  return parsed.kind === "ok" ? [] : parsed.problems.map((p) => `${p.path}: ${p.expected} / ${p.found}`);
}

describe("Proposal", () => {
  const proposal = {
    proposal_id: "PROP-0a1b2c3d",
    target_artifact_id: "IMPL-0a1b2c3d",
    claim: "Slugs are made as the contract says.",
    deliverable_ref: "IMPL-0a1b2c3d@1.0.0",
    acceptance_checks: ["rejects a blank title"],
  };

  it.each([{}, { deliverable_ref: `sha256:${"a".repeat(64)}` }])("accepts %j", (change) => {
    expect(problemsOf(Proposal, { ...proposal, ...change })).toEqual([]);
  });

  it.each([
    [{ proposal_id: "CHAL-0a1b2c3d" }, "$.proposal_id"],
    [{ target_artifact_id: "the module" }, "$.target_artifact_id"],
    [{ claim: "  " }, "$.claim"],
    [{ deliverable_ref: "src/index.ts" }, "$.deliverable_ref"],
    [{ acceptance_checks: [] }, "$.acceptance_checks"],
    [{ source: "export const x = 1" }, "$.source"],
  ])("refuses %j", (change, path) => {
    expect(parse(Proposal, { ...proposal, ...change })).toMatchObject({ problems: [{ path }] });
  });
});

describe("Challenge", () => {
  const met = RubricId.options.map((criterion) => ({ criterion, assessment: "MET", evidence: "seen" }));
  const notMet = (...ids: string[]): unknown[] =>
    met.map((entry) => (ids.includes(entry.criterion) ? { ...entry, assessment: "NOT_MET" } : entry));
  const failure = { invariant: "R2", evidence: "no test", required_change: "add the test" };
  const pass = {
    challenge_id: "CHAL-0a1b2c3d",
    target_artifact_id: "IMPL-0a1b2c3d",
    verdict: "PASS",
    failures: [],
    rubric_assessments: met,
  };

  it.each([
    ["a PASS", {}],
    ["its assessments in another order", { rubric_assessments: met.toReversed() }],
    ["an alternative", { optional_alternative_ref: "IMPL-0a1b2c3e@1.0.0" }],
    ["a FAIL", { verdict: "FAIL", failures: [failure], rubric_assessments: notMet("R2") }],
    ["a FAIL for a reason outside the rubric", { verdict: "FAIL", failures: [failure] }],
  ])("accepts %s", (_, change) => {
    expect(problemsOf(Challenge, { ...pass, ...change })).toEqual([]);
  });

  it.each([
    [
      "a PASS with something not met",
      { rubric_assessments: notMet("R2", "R5") },
      ["$.verdict: FAIL, because R2, R5 is NOT_MET / PASS"],
    ],
    [
      "a PASS with failures",
      { failures: [failure, failure] },
      ["$.failures: no failures, because the verdict is PASS / 2 listed"],
    ],
    [
      "a FAIL without failures",
      { verdict: "FAIL", rubric_assessments: notMet("R1") },
      ["$.failures: at least one failure, because the verdict is FAIL / an empty list"],
    ],
    [
      "five criteria",
      { rubric_assessments: met.slice(1) },
      [
        `$.rubric_assessments: exactly 6 entries / ${JSON.stringify(met.slice(1)).slice(0, 77)}…`,
        "$.rubric_assessments: an assessment of R1 / none",
      ],
    ],
    [
      "one criterion twice instead of another",
      { rubric_assessments: [...met.slice(0, 5), met[0]] },
      [
        "$.rubric_assessments: an assessment of R6 / none",
        "$.rubric_assessments[5].criterion: a criterion that rubric_assessments[0] does not assess / R1 again",
      ],
    ],
    [
      "a verdict in between",
      { verdict: "PASS with remarks" },
      ['$.verdict: one of "PASS", "FAIL" / "PASS with remarks"'],
    ],
    [
      "a failure that asks for nothing",
      { verdict: "FAIL", failures: [{ ...failure, required_change: " " }] },
      ['$.failures[0].required_change: at least 1 character / " "'],
    ],
  ])("refuses %s", (_, change, problems) => {
    expect(problemsOf(Challenge, { ...pass, ...change })).toEqual(problems);
  });

  it.each(["R1", "R7"])("refuses a seventh assessment, of %s", (criterion) => {
    const seven = [...met, { criterion, assessment: "MET", evidence: "seen" }];
    expect(problemsOf(Challenge, { ...pass, rubric_assessments: seven })).toContainEqual(
      expect.stringMatching(/^\$\.rubric_assessments: exactly 6 entries/),
    );
  });

  it("refuses a criterion that does not exist", () => {
    const [first, ...rest] = met;
    const rubric_assessments = [...rest, { ...first, criterion: "R7" }];
    expect(problemsOf(Challenge, { ...pass, rubric_assessments })).toEqual([
      '$.rubric_assessments[5].criterion: one of "R1", "R2", "R3", "R4", "R5", "R6" / "R7"',
    ]);
  });
});

describe("Adjudication", () => {
  const amendment = { action: "MODIFY", target: "slugify", detail: "Return EmptyTitle for a blank title" };
  const approval = {
    adjudication_id: "ADJ-0a1b2c3d",
    target_artifact_id: "IMPL-0a1b2c3d",
    decision: "APPROVE",
    amendments: [],
    rationale: "Every criterion is shown by a test.",
    ship_directive: "SHIP",
  };
  const amended = { decision: "APPROVE_WITH_AMENDMENTS", amendments: [amendment] };

  it.each([{}, amended, { decision: "REJECT", ship_directive: "NO_SHIP" }])("accepts %j", (change) => {
    expect(problemsOf(Adjudication, { ...approval, ...change })).toEqual([]);
  });

  it.each([
    [{ ship_directive: "NO_SHIP" }, "$.ship_directive: SHIP, because the decision is APPROVE / NO_SHIP"],
    [{ decision: "REJECT" }, "$.ship_directive: NO_SHIP, because the decision is REJECT / SHIP"],
    [
      { ...amended, ship_directive: "NO_SHIP" },
      "$.ship_directive: SHIP, because the decision is APPROVE_WITH_AMENDMENTS / NO_SHIP",
    ],
    [{ amendments: [amendment] }, "$.amendments: no amendments with APPROVE / 1 listed"],
    [
      { decision: "REJECT", ship_directive: "NO_SHIP", amendments: [amendment] },
      "$.amendments: no amendments with REJECT / 1 listed",
    ],
    [
      { ...amended, amendments: [] },
      "$.amendments: at least one amendment with APPROVE_WITH_AMENDMENTS / an empty list",
    ],
    [
      { ...amended, amendments: [amendment, { ...amendment, detail: "improve error handling" }] },
      '$.amendments[1].detail: the exact change, in words that would not fit any other code / "improve error handling"',
    ],
    [
      { ...amended, amendments: [{ ...amendment, target: "the code" }] },
      '$.amendments[0].target: the name of one function, contract field, test or file / "the code"',
    ],
    [{ decision: "MAYBE" }, '$.decision: one of "APPROVE", "APPROVE_WITH_AMENDMENTS", "REJECT" / "MAYBE"'],
    [{ rationale: "" }, '$.rationale: at least 1 character / ""'],
  ])("refuses %j", (change, problem) => {
    expect(problemsOf(Adjudication, { ...approval, ...change })).toEqual([problem]);
  });
});

describe("AppliedAmendment", () => {
  it.each([-1, 0.5, "0", Number.NaN])("refuses the index %s", (amendment_index) => {
    const record = { amendment_index, applied: true, note: "" };
    expect(parse(AppliedAmendment, record)).toMatchObject({ problems: [{ path: "$.amendment_index" }] });
  });
});

describe("EvidenceReport", () => {
  const report = {
    tests: [
      { name: "rejects a blank title", result: "PASS" },
      { name: "keeps digits", result: "FAIL" },
    ],
    constraintTests: [
      { path: "inputs.0.constraints.0", tests: ["rejects a blank title"] },
      { path: "outputs.0.invariants.0", tests: [] },
    ],
    coverage: { lines: { hit: 9, of: 10 }, branches: { hit: 0, of: 2 } },
    mutation: { killed: { hit: 8, of: 10 }, criticalSurvivors: 2 },
  };

  it.each([{}, { coverage: undefined, mutation: undefined }, { coverage: { lines: { hit: 1, of: 1 } } }])(
    "accepts %j",
    (change) => expect(problemsOf(EvidenceReport, { ...report, ...change })).toEqual([]),
  );

  it.each([
    [{ tests: [], constraintTests: [] }, "$.tests: at least 1 entry / []"],
    [
      { tests: [...report.tests, report.tests[0]] },
      '$.tests[2].name: a name no earlier test has / "rejects a blank title" again',
    ],
    [
      { constraintTests: [{ path: "inputs.0.constraints.0", tests: ["imagined"] }] },
      '$.constraintTests[0].tests[0]: the name of a test that ran / "imagined"',
    ],
    [{ coverage: { lines: { hit: 0, of: 0 } } }, "$.coverage.lines.of: at least 1 / 0"],
    [{ coverage: { lines: { hit: 2, of: 1 } } }, "$.coverage.lines.hit: at most 1 / 2"],
    [
      { mutation: { killed: { hit: 8, of: 10 }, criticalSurvivors: 3 } },
      "$.mutation.criticalSurvivors: at most 2, the number of survivors / 3",
    ],
    [
      { source: "…" },
      '$.source: one of the keys constraintTests, coverage, layers, mutation, tests / the unknown key "source"',
    ],
  ])("refuses %j", (change, problem) => {
    expect(problemsOf(EvidenceReport, { ...report, ...change })).toEqual([problem]);
  });

  it.each(["export function f() {\n  return 1;\n}", "x".repeat(301)])(
    "lets nobody pass source as the name of a test",
    (name) => {
      const smuggled = { tests: [{ name, result: "PASS" }], constraintTests: [] };
      expect(parse(EvidenceReport, smuggled)).toMatchObject({ problems: [{ path: "$.tests[0].name" }] });
    },
  );
});

it.each([Proposal, Challenge, Amendment, Adjudication, AppliedAmendment, EvidenceReport])(
  "converts to JSON Schema",
  (schema) => {
    expect(z.toJSONSchema(schema)).toMatchObject({ type: "object", additionalProperties: false });
  },
);
