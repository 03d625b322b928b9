// Writes the tests of one module from its specification, without ever seeing the implementation.
import { TestsInput, TestsOutput } from "../../domain/agent/blind-roles.ts";
import { sketchesOf } from "../../domain/blind/function-spec.ts";
import { defineRole } from "./define-role.ts";

export const tests = defineRole({
  name: "tests",
  purpose: "writes tests from the specification alone and sees every one of them fail on stubs",
  input: TestsInput,
  output: TestsOutput,
  tools: ["read", "write", "edit", "ls", "glob", "grep", "build", "run_tests"],
  tier: "standard",
  check({ functions }, { properties }) {
    const sketches = sketchesOf(functions).map(({ name }) => name);
    return properties.flatMap(({ coversSketch }, index) =>
      coversSketch === null || sketches.includes(coversSketch)
        ? []
        : [
            {
              path: `$.properties[${index}].coversSketch`,
              expected: `null or a sketch: ${sketches.join(", ")}`,
              found: coversSketch,
            },
          ],
    );
  },
});
