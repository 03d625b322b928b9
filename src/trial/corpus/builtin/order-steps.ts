// Builtin task: an order in which steps can be taken.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/order-steps.ts";

export const ORDER_STEPS = builtinTask({
  id: "order-steps",
  area: "small algorithms",
  title: "An order for steps",
  purpose: "Puts steps into an order in which each comes after those that it waits for.",
  tags: ["order", "dependencies"],
  entries: [
    {
      entry: "orderSteps",
      signature: "(steps: readonly { name: string; after: readonly string[] }[]) => string[]",
      inputs: [
        {
          name: "steps",
          type: "readonly { name: string; after: readonly string[] }[]",
          constraint: "waits only for steps that there are",
          requires:
            "args[0].every((step) => step.after.every((each) => args[0].some((other) => other.name === each)))",
        },
      ],
      output: {
        name: "order",
        type: "string[]",
        invariants: [
          {
            invariant: "has every step, after all that it waits for",
            ensures:
              "result.length === args[0].length && args[0].every((step) => step.after.every((each) => result.indexOf(each) < result.indexOf(step.name)))",
          },
        ],
      },
      errors: [
        {
          name: "StepTwice",
          when: "two steps have the same name",
          says: "two steps are called ",
        },
        {
          name: "UnknownStep",
          when: "a step waits for one that there is not",
          says: " waits for ",
        },
        {
          name: "Circle",
          when: "steps wait for each other",
          says: "a circle of ",
        },
      ],
      examples: [
        {
          title: "dough before bread",
          args: ['[{ name: "bread", after: ["dough"] }, { name: "dough", after: [] }]'],
          gives: '["dough", "bread"]',
        },
        { title: "no steps", args: ["[]"], gives: "[]" },
        {
          title: "the same twice",
          args: ['[{ name: "a", after: [] }, { name: "a", after: [] }]'],
          throws: "StepTwice: two steps are called a",
        },
        {
          title: "a step that is not there",
          args: ['[{ name: "a", after: ["b"] }]'],
          throws: "UnknownStep: a waits for b, which is no step",
        },
        { title: "a circle", args: ['[{ name: "a", after: ["a"] }]'], throws: "Circle: a circle of a" },
      ],
    },
  ],
  constraints: {
    C1: "Each step comes after all that it waits for.",
    C2: "Whenever several could come next, the one whose name is first, as `<` compares it, does.",
    C3: "Two steps of one name throw StepTwice: `two steps are called ` and the name.",
    C4: "A step that waits for one that there is not throws UnknownStep: its name, ` waits for `, the other, and `, which is no step`.",
    C5: "Where no step can come next though some are left, it throws Circle: `a circle of ` and the names of all that are left, in order, parted by a comma and a blank.",
  },
  source: `/** Thrown when two steps have the same name. */
export class StepTwice extends Error {}

/** Thrown when a step waits for one that there is not. */
export class UnknownStep extends Error {}

/** Thrown when steps wait for each other. */
export class Circle extends Error {}

type Step = { name: string; after: readonly string[] };

/** The names of the steps, each after those that it waits for. */
export function orderSteps(steps: readonly Step[]): string[] {
  let left = checked(steps).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const order: string[] = [];
  while (left.length > 0) {
    const next = left.find(({ after }) => after.every((name) => order.includes(name)));
    if (next === undefined) throw new Circle("a circle of " + left.map(({ name }) => name).join(", "));
    order.push(next.name);
    left = left.filter((step) => step !== next);
  }
  return order;
}

function checked(steps: readonly Step[]): readonly Step[] {
  const names = steps.map(({ name }) => name);
  for (const [index, { name, after }] of steps.entries()) {
    if (names.indexOf(name) < index) throw new StepTwice("two steps are called " + name);
    const unknown = after.find((each) => !names.includes(each));
    if (unknown !== undefined) throw new UnknownStep(name + " waits for " + unknown + ", which is no step");
  }
  return steps;
}
`,
  tests: `
// C1: steps come after what they wait for
const steps = [{ name: "eat", after: ["bake", "lay"] }, { name: "bake", after: ["mix"] }, { name: "mix", after: [] }, { name: "lay", after: [] }];
expect(orderSteps(steps)).toEqual(["lay", "mix", "bake", "eat"]);
expect(orderSteps([])).toEqual([]);

// C1: whatever waits for earlier letters can be ordered
const waits = fc.array(fc.array(fc.nat(9)), { minLength: 1, maxLength: 10 });
fc.assert(
  fc.property(waits, (lists) => {
    const name = (index: number) => "n" + (9 - index);
    const steps = lists.map((list, index) => ({ name: name(index), after: list.filter((each) => each < index).map(name) }));
    const order = orderSteps(steps);
    expect(order.toSorted()).toEqual(steps.map((step) => step.name).toSorted());
    for (const step of steps) {
      for (const each of step.after) expect(order.indexOf(each)).toBeLessThan(order.indexOf(step.name));
    }
  }),
);

// C2: of several the first by name comes next
const free = ["c", "a", "b"].map((name) => ({ name, after: [] }));
expect(orderSteps(free)).toEqual(["a", "b", "c"]);
expect(orderSteps([{ name: "a", after: ["z"] }, { name: "z", after: [] }, { name: "b", after: [] }])).toEqual(["b", "z", "a"]);
expect(orderSteps([{ name: "b", after: [] }, { name: "a", after: ["b"] }, { name: "c", after: [] }])).toEqual(["b", "a", "c"]);

// C3: a name comes once
const twice = [{ name: "x", after: [] }, { name: "y", after: [] }, { name: "x", after: [] }];
expect(() => orderSteps(twice)).toThrow(StepTwice);
expect(() => orderSteps(twice)).toThrow("two steps are called x");

// C4: steps wait only for steps
const steps = [{ name: "x", after: [] }, { name: "y", after: ["x", "w"] }];
expect(() => orderSteps(steps)).toThrow(UnknownStep);
expect(() => orderSteps(steps)).toThrow("y waits for w, which is no step");

// C5: a circle is told
const steps = [{ name: "c", after: ["b"] }, { name: "b", after: ["c", "a"] }, { name: "a", after: [] }, { name: "d", after: ["c"] }];
expect(() => orderSteps(steps)).toThrow(Circle);
expect(() => orderSteps(steps)).toThrow(/^a circle of b, c, d$/);
expect(() => orderSteps([{ name: "s", after: ["s"] }])).toThrow("a circle of s");
`,
  wrongTests: `
// C2: steps keep their order where they can
expect(orderSteps([{ name: "b", after: [] }, { name: "a", after: [] }])).toEqual(["b", "a"]);

// C4: a step that is not there is added
expect(orderSteps([{ name: "a", after: ["b"] }])).toEqual(["b", "a"]);
`,
  omissions: `
// C2: ignored-constraint
-   let left = checked(steps).toSorted((one, other) => (one.name < other.name ? -1 : 1));
+   let left = checked(steps);
// C3: missing-error-surface
-     if (names.indexOf(name) < index) throw new StepTwice("two steps are called " + name);
// C4: missing-error-surface
-     if (unknown !== undefined) throw new UnknownStep(name + " waits for " + unknown + ", which is no step");
+     if (unknown === name) throw new UnknownStep(name + " waits for " + unknown + ", which is no step");
// C1: missing-edge-case
-     const next = left.find(({ after }) => after.every((name) => order.includes(name)));
+     const next = left.find(({ after }) => after.slice(0, 1).every((name) => order.includes(name)));
// C2: swapped-arguments
-   let left = checked(steps).toSorted((one, other) => (one.name < other.name ? -1 : 1));
+   let left = checked(steps).toSorted((one, other) => (other.name < one.name ? -1 : 1));
// C5: wrong-boundary
-   while (left.length > 0) {
+   while (left.length > 1) {
// C5: ignored-constraint
-     if (next === undefined) throw new Circle("a circle of " + left.map(({ name }) => name).join(", "));
+     if (next === undefined) throw new Circle("a circle of " + steps.map(({ name }) => name).join(", "));
`,
  oracle: ORACLE,
});
