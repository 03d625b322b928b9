// Researches and refines a person's SPEC.md into a complete product specification.
import {
  answerProblems,
  ProductResearcherInput,
  ProductResearcherOutput,
} from "../../domain/agent/product-roles.ts";
import { SPEC_CRITERIA } from "../../domain/product/validation-report.ts";
import { defineRole } from "./define-role.ts";

export const productResearcher = defineRole({
  name: "product_researcher",
  purpose: "researches what a person wrote and refines it into pillars, epics, stories and tasks",
  input: ProductResearcherInput,
  output: ProductResearcherOutput,
  tools: [
    "read",
    "write",
    "edit",
    "ls",
    "glob",
    "grep",
    "web_search",
    "search_code_index",
    "validate_spec",
    "emit_structured_spec",
  ],
  tier: "strong",
  facts: { spec_criteria: Object.values(SPEC_CRITERIA) },
  check: ({ person_feedback }, { answers }) => answerProblems(person_feedback, answers),
});
