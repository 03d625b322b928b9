// What the Proposer, the Challenger and the Arbiter hand over, and the rules that make each record consistent.
import { z } from "zod";
import { ArtifactId, ArtifactRef, idOfType } from "../artifact/artifact-type.ts";
import { refuse } from "../parse.ts";
import { LayerCounts } from "../evidence/test-layer.ts";
import { PayloadRef, Text } from "../refs.ts";
import { RubricId } from "./rubric.ts";
import { vagueness } from "./vagueness.ts";

type Context = z.core.$RefinementCtx;

const DeliverableRef = z.union([ArtifactRef, PayloadRef]);

export const Proposal = z.strictObject({
  proposal_id: idOfType("PROPOSAL"),
  target_artifact_id: ArtifactId,
  claim: Text,
  deliverable_ref: DeliverableRef,
  /** What anyone could check for themselves. */
  acceptance_checks: z.array(Text).min(1),
});
export type Proposal = z.infer<typeof Proposal>;

export const Verdict = z.enum(["PASS", "FAIL"]);
export type Verdict = z.infer<typeof Verdict>;

export const ChallengeFailure = z.strictObject({ invariant: Text, evidence: Text, required_change: Text });
export type ChallengeFailure = z.infer<typeof ChallengeFailure>;

export const RubricAssessment = z.strictObject({
  criterion: RubricId,
  assessment: z.enum(["MET", "NOT_MET"]),
  evidence: Text,
});
export type RubricAssessment = z.infer<typeof RubricAssessment>;

/** Consistent in itself; whether it is more than a mild review is for `checkCompliance` to say. */
export const Challenge = z
  .strictObject({
    challenge_id: idOfType("CHALLENGE"),
    target_artifact_id: ArtifactId,
    verdict: Verdict,
    failures: z.array(ChallengeFailure),
    rubric_assessments: z.array(RubricAssessment).length(RubricId.options.length),
    optional_alternative_ref: DeliverableRef.optional(),
  })
  .superRefine((challenge, context) => {
    checkAssessments(challenge.rubric_assessments, context);
    const notMet = challenge.rubric_assessments.filter((entry) => entry.assessment === "NOT_MET");
    if (challenge.verdict === "FAIL") {
      if (challenge.failures.length > 0) return;
      refuse(context, ["failures"], "at least one failure, because the verdict is FAIL", "an empty list");
      return;
    }
    if (notMet.length > 0) {
      const criteria = notMet.map((entry) => entry.criterion).join(", ");
      refuse(context, ["verdict"], `FAIL, because ${criteria} is NOT_MET`, "PASS");
    }
    if (challenge.failures.length > 0) {
      const found = `${challenge.failures.length} listed`;
      refuse(context, ["failures"], "no failures, because the verdict is PASS", found);
    }
  });
export type Challenge = z.infer<typeof Challenge>;

function checkAssessments(assessments: RubricAssessment[], context: Context): void {
  const criteria = assessments.map((entry) => entry.criterion);
  for (const id of RubricId.options) {
    if (!criteria.includes(id)) refuse(context, ["rubric_assessments"], `an assessment of ${id}`, "none");
  }
  criteria.forEach((id, index) => {
    const first = criteria.indexOf(id);
    if (first === index) return;
    const expected = `a criterion that rubric_assessments[${first}] does not assess`;
    refuse(context, ["rubric_assessments", index, "criterion"], expected, `${id} again`);
  });
}

export const Amendment = z
  .strictObject({
    action: z.enum(["MODIFY", "ADD", "REMOVE"]),
    /** The name of one function, contract field, test or file. */
    target: Text,
    detail: Text,
  })
  .superRefine((amendment, context) => {
    const vague = vagueness(amendment);
    if (vague !== undefined) refuse(context, [vague.field], vague.expected, JSON.stringify(vague.found));
  });
export type Amendment = z.infer<typeof Amendment>;

export const Decision = z.enum(["APPROVE", "APPROVE_WITH_AMENDMENTS", "REJECT"]);
export type Decision = z.infer<typeof Decision>;

const DIRECTIVE_OF = { APPROVE: "SHIP", APPROVE_WITH_AMENDMENTS: "SHIP", REJECT: "NO_SHIP" } as const;

export const Adjudication = z
  .strictObject({
    adjudication_id: idOfType("ADJUDICATION"),
    target_artifact_id: ArtifactId,
    decision: Decision,
    amendments: z.array(Amendment),
    rationale: Text,
    ship_directive: z.enum(["SHIP", "NO_SHIP"]),
  })
  .superRefine((adjudication, context) => {
    const { decision, amendments, ship_directive } = adjudication;
    const directive = DIRECTIVE_OF[decision];
    if (ship_directive !== directive) {
      refuse(
        context,
        ["ship_directive"],
        `${directive}, because the decision is ${decision}`,
        ship_directive,
      );
    }
    if (decision === "APPROVE_WITH_AMENDMENTS" && amendments.length === 0) {
      refuse(context, ["amendments"], `at least one amendment with ${decision}`, "an empty list");
    }
    if (decision !== "APPROVE_WITH_AMENDMENTS" && amendments.length > 0) {
      refuse(context, ["amendments"], `no amendments with ${decision}`, `${amendments.length} listed`);
    }
  });
export type Adjudication = z.infer<typeof Adjudication>;

/** The Proposer's word about one amendment; it counts only together with what the harness sees. */
export const AppliedAmendment = z.strictObject({
  amendment_index: z.int().min(0),
  applied: z.boolean(),
  /** Why it could not be applied, or what was done. */
  note: z.string(),
});
export type AppliedAmendment = z.infer<typeof AppliedAmendment>;

/** One short line, so that no one can pass source to the Challenger as the name of a test. */
const TestName = Text.max(300).regex(/^[^\r\n]*$/, { error: "one line" });

const Share = z.strictObject({ hit: z.int().min(0), of: z.int().min(1) }).superRefine((share, context) => {
  if (share.hit > share.of) refuse(context, ["hit"], `at most ${share.of}`, String(share.hit));
});

/** What the Challenger gets to see of the work: facts the harness gathered, never source. */
export const EvidenceReport = z
  .strictObject({
    tests: z.array(z.strictObject({ name: TestName, result: Verdict })).min(1),
    /** For each constraint, invariant and error surface of the contract, by path: the tests that exercise it. */
    constraintTests: z.array(z.strictObject({ path: Text, tests: z.array(TestName) })),
    /** Left out where it was not measured; `branches` also where the module has none. */
    coverage: z.strictObject({ lines: Share, branches: Share.optional() }).optional(),
    /** Killed mutants among those that are not equivalent; left out where no mutants were run. */
    mutation: z.strictObject({ killed: Share, criticalSurvivors: z.int().min(0) }).optional(),
    /** How many tests of each layer were seen at work; left out where nobody looked. */
    layers: LayerCounts.optional(),
  })
  .superRefine((report, context) => {
    const names = report.tests.map((test) => test.name);
    const known = new Set(names);
    names.forEach((name, index) => {
      if (known.delete(name)) return;
      refuse(
        context,
        ["tests", index, "name"],
        "a name no earlier test has",
        `${JSON.stringify(name)} again`,
      );
    });
    report.constraintTests.forEach((constraint, index) => {
      constraint.tests.forEach((name, position) => {
        if (names.includes(name)) return;
        const path = ["constraintTests", index, "tests", position];
        refuse(context, path, "the name of a test that ran", JSON.stringify(name));
      });
    });
    const { killed, criticalSurvivors } = report.mutation ?? {
      killed: { hit: 0, of: 0 },
      criticalSurvivors: 0,
    };
    if (criticalSurvivors > killed.of - killed.hit) {
      const expected = `at most ${killed.of - killed.hit}, the number of survivors`;
      refuse(context, ["mutation", "criticalSurvivors"], expected, String(criticalSurvivors));
    }
  });
export type EvidenceReport = z.infer<typeof EvidenceReport>;
