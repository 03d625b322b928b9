// Writes the tests of one node one at a time, each when the one before it passes.
import { TestAuthorInput, ChallengeOutput } from "../../domain/agent/fractal-roles.ts";
import { defineRole } from "./define-role.ts";

export const testChallenge = defineRole({
  name: "test_author",
  prompt: "test_challenge",
  purpose: "writes the next failing test of a node, or says that every criterion has one",
  input: TestAuthorInput,
  output: ChallengeOutput,
  tools: ["read", "write", "edit", "ls", "glob", "grep", "build", "run_tests"],
  tier: "standard",
});
