// Reads the mutants that no test noticed and says which matter and which property would have caught each.
import { MutationAdversaryInput, MutationAdversaryOutput } from "../../domain/agent/blind-roles.ts";
import type { Problem } from "../../domain/parse.ts";
import { defineRole } from "./define-role.ts";

export const mutationAdversary = defineRole({
  name: "mutation_adversary",
  purpose: "reads the mutants that survived and proposes the properties that would have killed them",
  input: MutationAdversaryInput,
  output: MutationAdversaryOutput,
  tools: [],
  tier: "strong",
  check({ survivors, functions }, { equivalent, gaps }): Problem[] {
    const ids = survivors.map(({ id }) => id);
    const answered = [...equivalent, ...gaps].map(({ mutant }) => mutant);
    const names = functions.map(({ name }) => name);
    return [
      ...ids
        .filter((id) => answered.filter((mutant) => mutant === id).length !== 1)
        .map((id) => ({
          path: "$",
          expected: `${id} either in equivalent or in gaps, once`,
          found: "not so",
        })),
      ...answered
        .filter((mutant) => !ids.includes(mutant))
        .map((mutant) => ({ path: "$", expected: `one of ${ids.join(", ")}`, found: mutant })),
      ...gaps.flatMap((gap, index) =>
        names.includes(gap.function)
          ? []
          : [
              {
                path: `$.gaps[${index}].function`,
                expected: `one of ${names.join(", ")}`,
                found: gap.function,
              },
            ],
      ),
    ];
  },
});
