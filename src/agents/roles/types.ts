// Designs the types and the contract of one module, with examples and properties for each function, before anybody builds.
import { TypesInput, TypesOutput } from "../../domain/agent/blind-roles.ts";
import type { Problem } from "../../domain/parse.ts";
import { defineRole } from "./define-role.ts";

export const types = defineRole({
  name: "types",
  purpose: "designs the contract of a module and says by examples and properties what each function does",
  input: TypesInput,
  output: TypesOutput,
  tools: [],
  tier: "standard",
  check({ contract }, { contract: drafted, functions }): Problem[] {
    const entries = (contract ?? drafted).entry_points.map(({ name }) => name);
    const told = functions.map(({ name }) => name);
    return [
      ...entries
        .filter((name) => !told.includes(name))
        .map((name) => ({ path: "$.functions", expected: `a specification of ${name}`, found: "none" })),
      ...told.flatMap((name, index) =>
        entries.includes(name)
          ? []
          : [
              {
                path: `$.functions[${index}].name`,
                expected: `an entry point: ${entries.join(", ")}`,
                found: name,
              },
            ],
      ),
    ];
  },
});
