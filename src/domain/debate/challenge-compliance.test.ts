import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  autoFail,
  checkCompliance,
  type ComplianceViolation,
  MIN_EVIDENCE_WORDS,
} from "./challenge-compliance.ts";
import type { Citable } from "./citation.ts";
import { Challenge } from "./debate-records.ts";
import { RubricId } from "./rubric.ts";

const CITABLE: Citable = {
  tests: ["rejects a blank title", "keeps digits", "adds"],
  contractFields: ["inputs.0.constraints.0", "BlankTitle", "title", "dependencies", "purpose"],
  acceptanceCriteria: ["A slug has at most 64 characters"],
};

const EVIDENCE: Record<RubricId, string> = {
  R1: "inputs.0.constraints.0 is shown for inputs and outputs; the errors are BlankTitle only, effects none, modes sync.",
  R2: 'The test "rejects a blank title" covers the only constraint and the error.',
  R3: "BlankTitle is the only failure I could reach with empty, huge and odd titles.",
  R4: "The list `dependencies` is empty and nothing else is imported by the candidate.",
  R5: "A slug has at most 64 characters: shown by the boundary test of 64 and 65.",
  R6: "The `purpose` is one sentence with one behaviour, and one entry point exists.",
};

type Draft = {
  challenge_id: string;
  target_artifact_id: string;
  verdict: string;
  failures: unknown[];
  rubric_assessments: { criterion: string; assessment: string; evidence: string }[];
};

function challenge(evidence: Partial<Record<RubricId, string>> = {}, change: Partial<Draft> = {}): Draft {
  return {
    challenge_id: "CHAL-0a1b2c3d",
    target_artifact_id: "IMPL-0a1b2c3d",
    verdict: "PASS",
    failures: [],
    rubric_assessments: RubricId.options.map((criterion) => ({
      criterion,
      assessment: "MET",
      evidence: { ...EVIDENCE, ...evidence }[criterion],
    })),
    ...change,
  };
}

function violationsOf(input: unknown): ComplianceViolation[] {
  const compliance = checkCompliance(input, CITABLE);
  return compliance.kind === "compliant" ? [] : compliance.violations;
}

/** `rule criterion: message`, one line per violation. */
function report(input: unknown): string[] {
  return violationsOf(input).map((v) => `${v.rule} ${v.criterion ?? "-"}: ${v.message}`);
}

const CITE =
  "cite a test, contract field or acceptance criterion by its exact name; one plain word goes in backticks";

describe("checkCompliance", () => {
  it("accepts a challenge that judged everything on evidence that exists", () => {
    const input = challenge();
    expect(checkCompliance(input, CITABLE)).toEqual({ kind: "compliant", challenge: input });
  });

  it("accepts a FAIL that says what must change", () => {
    const failures = [{ invariant: "R2", evidence: "none for 65", required_change: "Test 65 characters." }];
    const assessments = challenge().rubric_assessments.map((entry) =>
      entry.criterion === "R2" ? { ...entry, assessment: "NOT_MET" } : entry,
    );
    expect(report(challenge({}, { verdict: "FAIL", failures, rubric_assessments: assessments }))).toEqual([]);
  });

  it.each([
    "looks good, minor suggestions",
    "Seems correct.",
    "no issues found",
    "LGTM",
    "It looks to be fine as expected",
  ])("takes %j for no evidence", (evidence) => {
    expect(violationsOf(challenge({ R3: evidence })).map((v) => [v.rule, v.criterion])).toEqual([
      ["vague_evidence", "R3"],
      ["uncited_evidence", "R3"],
    ]);
  });

  it("quotes the pleasantry and asks for more", () => {
    expect(report(challenge({ R3: "BlankTitle looks good to me" }))).toEqual([
      'vague_evidence R3: R3: "looks good" is no evidence; say what shows it',
    ]);
  });

  it("does not mind a pleasantry beside real evidence", () => {
    expect(report(challenge({ R3: `All good. ${EVIDENCE.R3}` }))).toEqual([]);
  });

  it("counts different words only", () => {
    const words = ["one", "two", "three", "four", "five", "six", "BlankTitle"];
    expect(words).toHaveLength(MIN_EVIDENCE_WORDS - 1);
    const short = [...words, ...words, "ONE"].join(" ");
    expect(report(challenge({ R3: short }))).toEqual([
      "short_evidence R3: R3: 7 different words; at least 8 are needed",
    ]);
    expect(report(challenge({ R3: `${short} eight` }))).toEqual([]);
    expect(report(challenge({ R3: `${short} eight looks good` }))).toEqual([]);
  });

  it.each([
    ["nothing that exists", "The tests show that every declared failure really happens as it should here."],
    [
      "a part of a longer name",
      "The name BlankTitleError is used for every failure that I could reach here.",
    ],
    ["another index", "I checked inputs.0.constraints.01 and found that it holds for every case."],
    ["a plain word in prose", "Each title adds one case, and every one of them ends as declared here."],
  ])("refuses evidence that cites %s", (_, evidence) => {
    expect(report(challenge({ R3: evidence }))).toEqual([`uncited_evidence R3: R3: ${CITE}`]);
  });

  it.each([
    ["a test in quotes", 'The run of "Rejects a  blank title" shows that the failure really happens.'],
    ["a path", "The rule at inputs.0.constraints.0, tried with spaces only, fails as declared."],
    ["a plain word in backticks", "Every `title` of spaces only ends in the declared failure, none passes."],
    ["a plain word in quotes", "Every “title” of spaces only ends in the declared failure, none passes."],
    [
      "a name after a part of another",
      "BlankTitles is not declared, yet BlankTitle is, and only that happens.",
    ],
  ])("accepts evidence that cites %s", (_, evidence) => {
    expect(report(challenge({ R3: evidence }))).toEqual([]);
  });

  it("wants all five dimensions in R1, and only there", () => {
    const partial =
      "inputs.0.constraints.0 holds for inputs, and every output is lowercase in all of the tests.";
    expect(report(challenge({ R1: partial }))).toEqual([
      "skipped_dimension R1: R1: nothing is said about error_surfaces, effects, modes",
    ]);
    expect(report(challenge({ R3: partial }))).toEqual([]);
  });

  it.each([
    ["inputs", /inputs\.0\.constraints\.0 is shown for inputs/, "BlankTitle"],
    ["outputs", /outputs/, "results"],
    ["error_surfaces", /errors/, "failures"],
    ["effects", /effects none/, "no writes"],
    ["modes", /modes sync/, "it answers at once"],
  ])("notices when R1 leaves out %s alone", (dimension, words, instead) => {
    expect(report(challenge({ R1: EVIDENCE.R1.replace(words, instead) }))).toEqual([
      `skipped_dimension R1: R1: nothing is said about ${dimension}`,
    ]);
  });

  it("does not take one text for six", () => {
    const everywhere = (text: (id: string) => string): Draft =>
      challenge(Object.fromEntries(RubricId.options.map((id) => [id, text(id)])));
    const copied =
      "copied_evidence -: R1, R2, R3, R4, R5, R6: the same evidence; each criterion needs its own";
    expect(report(everywhere(() => EVIDENCE.R1))).toEqual([copied]);
    expect(report(everywhere((id) => `${id}: ${EVIDENCE.R1.toUpperCase()} (${id.slice(1)})`))).toContain(
      copied,
    );
    expect(
      report(challenge({ R2: `Test coverage: ${EVIDENCE.R4}`, R4: `Dependency usage: ${EVIDENCE.R4}` })),
    ).toEqual(["copied_evidence -: R2, R4: the same evidence; each criterion needs its own"]);
  });

  it("does not call silence a copy of silence", () => {
    const rules = violationsOf(challenge({ R2: "", R3: "…" })).map((v) => v.rule);
    expect(rules).toEqual(["short_evidence", "uncited_evidence", "short_evidence", "uncited_evidence"]);
  });

  it("does not care about the spaces around a citable name", () => {
    const padded = { tests: [" adds "], contractFields: [" BlankTitle\n"], acceptanceCriteria: [] };
    const cited = (R3: string): boolean => {
      const compliance = checkCompliance(challenge({ R3 }), padded);
      return compliance.kind === "compliant" || !compliance.violations.some((v) => v.criterion === "R3");
    };
    expect(cited(EVIDENCE.R3)).toBe(true);
    expect(cited("In prose it adds nothing to say so, however many words are used.")).toBe(false);
    expect(cited("The test `adds` says so, and it needs many more words to do it.")).toBe(true);
  });

  it("names every criterion that is missing or there twice", () => {
    const [first, , ...rest] = challenge().rubric_assessments;
    const again = { criterion: "R1", assessment: "MET", evidence: `Once more: ${EVIDENCE.R1}` };
    const input = challenge({}, { rubric_assessments: [first ?? again, again, ...rest] });
    expect(report(input)).toEqual([
      "repeated_criterion R1: R1 is assessed 2 times",
      "missing_criterion R2: R2 is not assessed",
    ]);
  });

  it("refuses a PASS despite what it found", () => {
    const assessments = challenge().rubric_assessments.map((entry) =>
      ["R2", "R5"].includes(entry.criterion) ? { ...entry, assessment: "NOT_MET" } : entry,
    );
    const failures = [{ invariant: "R2", evidence: "none for 65", required_change: "Test 65 characters." }];
    expect(report(challenge({}, { failures, rubric_assessments: assessments }))).toEqual([
      "pass_despite_not_met R2: R2 is NOT_MET, so the verdict must be FAIL",
      "pass_despite_not_met R5: R5 is NOT_MET, so the verdict must be FAIL",
      "pass_with_failures -: the verdict is PASS, but failures are listed (1); a known defect means FAIL",
    ]);
    expect(report(challenge({}, { failures }))).toEqual([
      "pass_with_failures -: the verdict is PASS, but failures are listed (1); a known defect means FAIL",
    ]);
  });

  it("refuses a FAIL that does not say why or what to do", () => {
    expect(report(challenge({}, { verdict: "FAIL" }))).toEqual([
      "fail_without_failures -: the verdict is FAIL, but no failure says why",
    ]);
    const failures = ["", "TBD", "Test 65 characters."].map((required_change) => ({
      invariant: "R2",
      evidence: "none for 65",
      required_change,
    }));
    expect(report(challenge({}, { verdict: "FAIL", failures }))).toEqual([
      "failure_without_change -: failures[0] does not say what must change",
      "failure_without_change -: failures[1] does not say what must change",
    ]);
  });

  it("finds nothing to say about a verdict that is none but that it is none", () => {
    const failures = [{ invariant: "R2", evidence: "none for 65", required_change: "Test 65 characters." }];
    expect(report(challenge({}, { verdict: "MAYBE", failures }))).toEqual([
      'malformed -: $.verdict: expected one of "PASS", "FAIL", found "MAYBE"',
    ]);
  });

  it("reports a broken shape together with the rest, each place once", () => {
    const input = { ...challenge({ R3: "" }), challenge_id: "1", remark: "hm" };
    expect(report(input)).toEqual([
      "short_evidence R3: R3: 0 different words; at least 8 are needed",
      `uncited_evidence R3: R3: ${CITE}`,
      'malformed -: $.challenge_id: expected an id such as CHAL-0a1b2c3d, found "1"',
      expect.stringMatching(/^malformed -: \$\.remark: /),
    ]);
  });

  it.each([
    undefined,
    null,
    7,
    "PASS",
    [],
    { rubric_assessments: [null, 3] },
    JSON.parse('{"__proto__": {"verdict": "PASS"}}'),
  ])("finds all six criteria missing in %j", (input) => {
    const missing = violationsOf(input).filter((v) => v.rule === "missing_criterion");
    expect(missing.map((v) => v.criterion)).toEqual(RubricId.options);
  });

  it("never throws on what a Challenger may say, and what complies is a Challenge", () => {
    const word = fc.constantFrom("R1", "R2", "MET", "NOT_MET", "PASS", "FAIL", EVIDENCE.R1, "looks good", "");
    const entry = fc.record({ criterion: word, assessment: word, evidence: word });
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(entry), word, (failures, rubric_assessments, verdict) => {
        const compliance = checkCompliance(
          { ...challenge(), failures, rubric_assessments, verdict },
          CITABLE,
        );
        expect(compliance.kind).toBe("non_compliant");
      }),
    );
  });

  it.each([[], ["", " ", "→"]])("throws when nothing can be cited: %j", (...tests) => {
    expect(() => checkCompliance(challenge(), { tests, contractFields: [], acceptanceCriteria: [] })).toThrow(
      expect.objectContaining({ code: "usage" }),
    );
  });

  it("answers quickly on huge evidence", () => {
    const started = performance.now();
    checkCompliance(challenge({ R3: "inputs.0.constraints.01 looks ".repeat(20_000) }), CITABLE);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("autoFail", () => {
  const ids = { challenge_id: "CHAL-0a1b2c3d", target_artifact_id: "IMPL-0a1b2c3d" };

  it("is a FAIL in which nothing is met, for the reasons of the last attempt", () => {
    const failed = autoFail(ids, violationsOf(challenge({ R3: "looks good", R4: "BlankTitle" })));
    expect(Challenge.parse(failed)).toEqual(failed);
    expect(failed).toMatchObject({ ...ids, verdict: "FAIL" });
    expect(failed.failures).toEqual([
      {
        invariant: "mild_review_violation",
        evidence: `R3: "looks good" is no evidence; say what shows it; R3: ${CITE}; R4: 1 different words; at least 8 are needed`,
        required_change: expect.stringContaining("named test"),
      },
    ]);
    expect(failed.rubric_assessments.map((entry) => entry.assessment)).toEqual(Array(6).fill("NOT_MET"));
  });

  it("throws when there is nothing to fail for", () => {
    expect(() => autoFail(ids, [])).toThrow("a compliant challenge must not be failed");
  });
});
