// The parent as judge of what a child has brought.
import { JudgeChildInput, JudgeChildOutput } from "../../domain/agent/fractal-roles.ts";
import { defineRole } from "./define-role.ts";

export const judgeChild = defineRole({
  name: "reviewer",
  prompt: "judge_child",
  purpose: "judges for a parent whether a merged child satisfies the criteria it was given",
  input: JudgeChildInput,
  output: JudgeChildOutput,
  tools: [],
  tier: "standard",
});
