// Reviews a node whose tests were all written first: good, more tests, or wrong from the ground up.
import { ReviewInput, TddReviewOutput } from "../../domain/agent/fractal-roles.ts";
import { defineRole } from "./define-role.ts";

export const tddReview = defineRole({
  name: "reviewer",
  prompt: "tdd_review",
  purpose: "reviews the code that passes its tests: good, more tests needed, or fundamentally wrong",
  input: ReviewInput,
  output: TddReviewOutput,
  tools: [],
  tier: "standard",
});
