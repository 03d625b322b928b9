// Inputs of roles as a protocol would hand them over, for tests of prompts and calls.
import type { ArbiterInput, ChallengerInput, ProposerInput } from "../src/domain/agent/debate-roles.ts";
import type { ProductResearcherInput } from "../src/domain/agent/product-roles.ts";
import type { Challenge, Proposal } from "../src/domain/debate/debate-records.ts";
import { RubricId } from "../src/domain/debate/rubric.ts";
import { slugifyContract } from "./arbitraries/contract.ts";

export const proposal: Proposal = {
  proposal_id: "PROP-0a1b2c3d",
  target_artifact_id: "IMPL-0a1b2c3d",
  claim: "Slugs are made as the contract says.",
  deliverable_ref: "IMPL-0a1b2c3d@1.0.0",
  acceptance_checks: ["`rejects a blank title`: shows the error"],
};

export const challenge: Challenge = {
  challenge_id: "CHAL-0a1b2c3d",
  target_artifact_id: "IMPL-0a1b2c3d",
  verdict: "FAIL",
  failures: [{ invariant: "R2", evidence: "no test of a blank title", required_change: "add that test" }],
  rubric_assessments: RubricId.options.map((criterion) => ({
    criterion,
    assessment: criterion === "R2" ? "NOT_MET" : "MET",
    evidence: "seen",
  })),
};

export function proposerInput(change: Partial<ProposerInput> = {}): ProposerInput {
  return {
    phase: "propose",
    task_file: "# Task: Slugs\n\nTurn titles into slugs.",
    contract: slugifyContract(),
    dependencies: [],
    code_index_results: [],
    harness_schemas: {},
    failures: [],
    findings: [],
    amendments: [],
    ...change,
  };
}

export function challengerInput(change: Partial<ChallengerInput> = {}): ChallengerInput {
  return {
    contract: slugifyContract(),
    dependencies: [],
    proposal,
    evidence: { tests: [{ name: "makes a slug", result: "PASS" }], constraintTests: [] },
    acceptance_criteria: ["returns a slug for every title"],
    debate_trail: [],
    violations: [],
    ...change,
  };
}

export function arbiterInput(change: Partial<ArbiterInput> = {}): ArbiterInput {
  return {
    task_file: "# Task: Slugs",
    contract: slugifyContract(),
    proposal,
    challenge,
    debate_trail: [],
    decisions_open: ["APPROVE_WITH_AMENDMENTS", "REJECT"],
    ...change,
  };
}

export function researcherInput(change: Partial<ProductResearcherInput> = {}): ProductResearcherInput {
  return {
    spec_md: "# Slugs\n\nA tool that turns titles into file names.",
    spec_errors: [],
    person_feedback: [],
    has_draft: false,
    documents: 0,
    harness_schemas: { ProductSpec: { type: "object" } },
    ...change,
  };
}
