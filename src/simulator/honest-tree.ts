// What honest agents of the fractal protocol do with a case that says which test shows which criterion: a tree of one node.
import type { SimulatedCall, SimulatedCase } from "./port.ts";

/** The answer of each role; whoever plays it adds the files. */
export const IN_A_TREE = {
  scaffold: (about: SimulatedCase) => ({
    exit: {
      kind: "InitWork",
      contract: about.contract,
      test_plan: about.task.acceptance_criteria.map((text, index) => ({
        criterionId: criterionId(index),
        plannedTestName: text,
        approach: "examples, and what holds for every input",
      })),
      children: [],
    },
  }),
  testAuthor: ({ criteria = {} }: SimulatedCase) => ({
    exit: {
      kind: "TestsReady",
      shows: Object.entries(criteria).map(([test, index]) => ({ test, criterion: criterionId(index) })),
    },
  }),
  impl: { exit: { kind: "TestsPassed", strategy: "the plainest code" } },
  reviewer: { exit: { kind: "Approved", signOff: "Read; it does what its criteria say." } },
};

/** As the protocol numbers them. */
export function criterionId(index: number): string {
  return `AC-${index + 1}`;
}

/** Implementers of two protocols have one name; only this one is told of a node. */
export function isOfATree({ prompt }: Pick<SimulatedCall, "prompt">): boolean {
  return prompt.includes('<untrusted name="spec"');
}
