// Answers what a child of the tree cannot decide, from what it was given itself.
import { AnswerChildInput, AnswerChildOutput } from "../../domain/agent/fractal-roles.ts";
import { defineRole } from "./define-role.ts";

export const scaffoldAnswer = defineRole({
  name: "scaffold",
  prompt: "scaffold_answer",
  purpose: "answers a question of a child from the specification it wrote, or passes it on",
  input: AnswerChildInput,
  output: AnswerChildOutput,
  tools: [],
  tier: "strong",
});
