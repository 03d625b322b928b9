// Tells a real challenge from a mild review: every criterion judged, on evidence that exists and was looked at.
import { z } from "zod";
import { DIMENSIONS, type Dimension } from "../contract/contract.ts";
import { CupelError } from "../error.ts";
import { parse, renderProblem } from "../parse.ts";
import { isPlaceholder } from "../product/placeholder.ts";
import { citableNames, cites, normalized, wordsOf } from "./citation.ts";
import type { Citable } from "./citation.ts";
import { Challenge } from "./debate-records.ts";
import { MAX_COMPLIANCE_RETRIES } from "./retry-policy.ts";
import { RUBRIC, RubricId } from "./rubric.ts";

/** Different words that evidence must have besides pleasantries such as "looks good". */
export const MIN_EVIDENCE_WORDS = 8;

export type ComplianceRule =
  | "malformed"
  | "missing_criterion"
  | "repeated_criterion"
  | "short_evidence"
  | "vague_evidence"
  | "uncited_evidence"
  | "copied_evidence"
  | "skipped_dimension"
  | "pass_despite_not_met"
  | "pass_with_failures"
  | "fail_without_failures"
  | "failure_without_change";

export interface ComplianceViolation {
  rule: ComplianceRule;
  criterion?: RubricId;
  /** JSON path from the root `$`. */
  path: string;
  /** The Challenger is prompted again with it. */
  message: string;
}

export type Compliance =
  | { kind: "compliant"; challenge: Challenge }
  | { kind: "non_compliant"; violations: ComplianceViolation[] };

export function checkCompliance(challenge: unknown, citable: Citable): Compliance {
  const names = citableNames(citable);
  const draft = Draft.parse(challenge);
  const mild = [
    ...checkCriteria(draft),
    ...checkVerdict(draft),
    ...draft.rubric_assessments.flatMap((entry, index) => checkEvidence(entry, index, names)),
    ...checkCopies(draft),
  ];
  const places = new Set(mild.map((violation) => violation.path));
  const parsed = parse(Challenge, challenge);
  if (parsed.kind === "ok" && mild.length === 0) return { kind: "compliant", challenge: parsed.value };
  const malformed = (parsed.kind === "ok" ? [] : parsed.problems)
    .filter((problem) => !places.has(problem.path))
    .map((problem) => violation("malformed", problem.path, renderProblem(problem)));
  return { kind: "non_compliant", violations: [...mild, ...malformed] };
}

/** What stands in for a Challenge that stayed a mild review to the end: nothing was shown, so nothing is MET. */
export function autoFail(
  ids: Pick<Challenge, "challenge_id" | "target_artifact_id">,
  violations: readonly ComplianceViolation[],
): Challenge {
  if (violations.length === 0) {
    throw new CupelError("usage", "a compliant challenge must not be failed", {
      expected: "the violations of the last attempt",
    });
  }
  return {
    ...ids,
    verdict: "FAIL",
    failures: [
      {
        invariant: "mild_review_violation",
        evidence: violations.map((found) => found.message).join("; "),
        required_change:
          "No review stands, so nothing in the work is faulted; tie each acceptance check to a named test to make it easier to judge.",
      },
    ],
    rubric_assessments: RubricId.options.map((criterion) => ({
      criterion,
      assessment: "NOT_MET",
      evidence: `Not shown: the review was still non-compliant after ${MAX_COMPLIANCE_RETRIES} retries.`,
    })),
  };
}

const Said = z.string().catch("");
const SILENT = { criterion: "", assessment: "", evidence: "" };

/** Whatever can be read of a challenge, however broken the rest of it is. */
const Draft = z
  .object({
    verdict: Said,
    failures: z.array(z.object({ required_change: Said }).catch({ required_change: "" })).catch([]),
    rubric_assessments: z
      .array(z.object({ criterion: Said, assessment: Said, evidence: Said }).catch(SILENT))
      .catch([]),
  })
  .catch({ verdict: "", failures: [], rubric_assessments: [] });
type Draft = z.infer<typeof Draft>;
type DraftAssessment = Draft["rubric_assessments"][number];

function violation(
  rule: ComplianceRule,
  path: string,
  message: string,
  criterion?: string,
): ComplianceViolation {
  const known = RubricId.options.find((id) => id === criterion);
  return { rule, ...(known === undefined ? {} : { criterion: known }), path, message };
}

function checkCriteria(draft: Draft): ComplianceViolation[] {
  return RubricId.options.flatMap((id) => {
    const times = draft.rubric_assessments.filter((entry) => entry.criterion === id).length;
    if (times === 1) return [];
    if (times === 0) {
      return [violation("missing_criterion", "$.rubric_assessments", `${id} is not assessed`, id)];
    }
    const last = draft.rubric_assessments.findLastIndex((entry) => entry.criterion === id);
    const path = `$.rubric_assessments[${last}].criterion`;
    return [violation("repeated_criterion", path, `${id} is assessed ${times} times`, id)];
  });
}

function checkVerdict({ verdict, failures, rubric_assessments }: Draft): ComplianceViolation[] {
  if (verdict === "FAIL" && failures.length === 0) {
    return [violation("fail_without_failures", "$.failures", "the verdict is FAIL, but no failure says why")];
  }
  if (verdict === "FAIL") {
    return failures.flatMap(({ required_change }, index) => {
      if (!isPlaceholder(required_change)) return [];
      const message = `failures[${index}] does not say what must change`;
      return [violation("failure_without_change", `$.failures[${index}].required_change`, message)];
    });
  }
  if (verdict !== "PASS") return [];
  const notMet = rubric_assessments.filter((entry) => entry.assessment === "NOT_MET");
  const despite = notMet.map(({ criterion }) => {
    const message = `${criterion} is NOT_MET, so the verdict must be FAIL`;
    return violation("pass_despite_not_met", "$.verdict", message, criterion);
  });
  if (failures.length === 0) return despite;
  const message = `the verdict is PASS, but failures are listed (${failures.length}); a known defect means FAIL`;
  return [...despite, violation("pass_with_failures", "$.failures", message)];
}

const PLEASANTRIES = new RegExp(
  String.raw`\b(?:(?:looks?|seems?|appears?) (?:to be |all |quite |very |pretty )?` +
    "(?:good|correct|fine|ok|okay|great|right|solid|reasonable|complete)|lgtm|all good|minor suggestions?|" +
    String.raw`no (?:issues?|problems?|concerns?|defects?)(?: found)?|(?:works )?as expected|well done|nice work)\b`,
  "giu",
);

const SPEAKS_OF: Record<Dimension, RegExp> = {
  inputs: /\binputs?\b/i,
  outputs: /\boutputs?\b/i,
  error_surfaces: /\berrors?(?:\b|_)/i,
  effects: /\beffects?\b/i,
  modes: /\b(?:modes?|sync|async|synchronous|asynchronous)\b/i,
};

function checkEvidence(
  { criterion, evidence }: DraftAssessment,
  index: number,
  names: readonly string[],
): ComplianceViolation[] {
  const path = `$.rubric_assessments[${index}].evidence`;
  const who = criterion === "" ? `rubric_assessments[${index}]` : criterion;
  const found: ComplianceViolation[] = [];
  const refused = (rule: ComplianceRule, message: string): void => {
    found.push(violation(rule, path, `${who}: ${message}`, criterion));
  };
  const [pleasantry] = evidence.match(PLEASANTRIES) ?? [];
  const words = new Set(wordsOf(evidence.replaceAll(PLEASANTRIES, " "))).size;
  if (words < MIN_EVIDENCE_WORDS && pleasantry !== undefined) {
    refused("vague_evidence", `"${pleasantry}" is no evidence; say what shows it`);
  } else if (words < MIN_EVIDENCE_WORDS) {
    refused("short_evidence", `${words} different words; at least ${MIN_EVIDENCE_WORDS} are needed`);
  }
  const text = normalized(evidence);
  if (!names.some((name) => cites(text, name))) {
    refused(
      "uncited_evidence",
      "cite a test, contract field or acceptance criterion by its exact name; one plain word goes in backticks",
    );
  }
  const skipped = DIMENSIONS.filter((dimension) => !SPEAKS_OF[dimension].test(evidence));
  if (criterion === "R1" && skipped.length > 0) {
    refused("skipped_dimension", `nothing is said about ${skipped.join(", ")}`);
  }
  return found;
}

const TITLE_WORDS = new Set(RUBRIC.flatMap((criterion) => wordsOf(criterion.title)));

/** The same evidence for several criteria was written without looking; numbers and titles do not make it another. */
function checkCopies(draft: Draft): ComplianceViolation[] {
  const groups = new Map<string, string[]>();
  for (const { criterion, evidence } of draft.rubric_assessments) {
    const words = wordsOf(evidence).filter((word) => !TITLE_WORDS.has(word) && !/^r?\d+$/.test(word));
    if (words.length > 0) groups.set(words.join(" "), [...(groups.get(words.join(" ")) ?? []), criterion]);
  }
  return [...groups.values()]
    .filter((criteria) => criteria.length > 1)
    .map((criteria) => {
      const message = `${criteria.join(", ")}: the same evidence; each criterion needs its own`;
      return violation("copied_evidence", "$.rubric_assessments", message);
    });
}
