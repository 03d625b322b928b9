// Reviews a node whose tests came one at a time; wrote none of them.
import { ReviewInput, ReviewerOutput } from "../../domain/agent/fractal-roles.ts";
import { defineRole } from "./define-role.ts";

export const reviewer = defineRole({
  name: "reviewer",
  purpose: "reviews a node that passes its tests, apart from whoever wrote them",
  input: ReviewInput,
  output: ReviewerOutput,
  tools: [],
  tier: "standard",
});
