// Makes the committed tests of one node pass.
import { FractalImplInput, FractalImplOutput } from "../../domain/agent/fractal-roles.ts";
import { defineRole } from "./define-role.ts";

export const implFractal = defineRole({
  name: "impl",
  prompt: "impl_fractal",
  purpose: "makes the tests of a node pass with what its children offer",
  input: FractalImplInput,
  output: FractalImplOutput,
  tools: ["read", "write", "edit", "ls", "glob", "grep", "build", "run_tests"],
  tier: "standard",
  retries: true,
});
