// Writes the tests of one node before there is any code, all of them at once.
import { TestAuthorInput, TestsWrittenOutput } from "../../domain/agent/fractal-roles.ts";
import { defineRole } from "./define-role.ts";

export const testAuthor = defineRole({
  name: "test_author",
  purpose: "writes all tests of a node, one criterion each, and sees every one fail on stubs",
  input: TestAuthorInput,
  output: TestsWrittenOutput,
  tools: ["read", "write", "edit", "ls", "glob", "grep", "build", "run_tests"],
  tier: "standard",
});
