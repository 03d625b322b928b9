// The product that the cases belong to: what a person would write, and the specification that an honest researcher makes of it.
import { ProductSpec } from "../../domain/product/product-spec.ts";
import type { SpecTask } from "../../domain/product/product-spec.ts";
import { taskFileFrom } from "../../domain/task/task-file-from-spec.ts";
import type { TaskFile } from "../../domain/task/task-file.ts";
import { planTaskIds } from "../../domain/task/task-id.ts";

export const KITCHEN_SPEC_TEXT = `# Kitchen

I cook by weight and I forget what is in the oven. I want a small library in TypeScript:

- Quantities are written like \`250 g\` or \`2 kg\`. Anything else is refused.
- The quantities of a recipe give its weight in grams.
- Dough is shared out among loaves as evenly as grams allow; the first get what is left over.
- When I have put something into the oven, I want to know how many whole minutes it has been there.
`;

const TASKS: readonly SpecTask[] = [
  {
    task_id: "TSK-001",
    name: "Read quantities",
    description: "Read a quantity written like 250 g or 2 kg as a number of grams.",
    subtasks: ["Recognise grams and kilograms", "Refuse whatever is no quantity"],
    acceptance_criteria: [
      "2 kg is read as 2000 grams",
      "a text that is no quantity is refused with BadQuantity",
    ],
    depends_on: [],
    io_contract_sketch: {
      inputs: "text: string, such as 250 g",
      outputs: "grams: number",
      error_surfaces: "BadQuantity when the text is no quantity",
      effects: "none",
      modes: "sync",
    },
  },
  {
    task_id: "TSK-002",
    name: "Weigh recipes",
    description: "Add the quantities of a recipe up and give its weight in grams.",
    subtasks: ["Add quantities up", "Refuse a recipe of nothing"],
    acceptance_criteria: [
      "250 g and 2 kg weigh 2250 grams together",
      "a recipe without quantities is refused with NoQuantities",
    ],
    depends_on: ["TSK-001"],
    io_contract_sketch: {
      inputs: "quantities: list of texts such as 250 g",
      outputs: "weight: number of grams",
      error_surfaces: "NoQuantities when there is nothing to weigh",
      effects: "none",
      modes: "sync",
    },
  },
  {
    task_id: "TSK-003",
    name: "Watch the oven",
    description: "Say how many whole minutes have gone by since something was put into the oven.",
    subtasks: ["Read the clock", "Refuse a start that is no time"],
    acceptance_criteria: [
      "two and a half minutes after the start it is 2 minutes",
      "a start that lies ahead gives 0 minutes",
      "a start that is no time is refused with BadStart",
    ],
    depends_on: [],
    io_contract_sketch: {
      inputs: "start: number of milliseconds since 1970",
      outputs: "minutes: number",
      error_surfaces: "BadStart when the start is no time",
      effects: "CLOCK the time of day is read",
      modes: "sync",
    },
  },
  {
    task_id: "TSK-004",
    name: "Share dough out",
    description: "Share a weight out among a number of parts as evenly as grams allow.",
    subtasks: ["Give everybody the same", "Give what is left over to the first", "Refuse what is no weight"],
    acceptance_criteria: [
      "100 grams among 3 are 34, 33 and 33",
      "a weight or a number of parts that is none is refused with BadSplit",
    ],
    depends_on: [],
    io_contract_sketch: {
      inputs: "total: number of grams, parts: number",
      outputs: "shares: list of numbers",
      error_surfaces: "BadSplit when the total or the number of parts is none",
      effects: "none",
      modes: "sync",
    },
  },
];

export const KITCHEN: ProductSpec = ProductSpec.parse({
  spec_id: "SPEC-001",
  spec_version: "1.0.0",
  title: "Kitchen",
  description: "A library for people who cook by weight and forget what is in the oven.",
  created_at: "2026-01-02T09:00:00Z",
  updated_at: "2026-01-02T09:00:00Z",
  pillars: [
    {
      pillar_id: "PIL-001",
      name: "Kitchen",
      description: "From what a recipe says to what stands on the table.",
      rationale: "Cooks count in their head and get it wrong.",
      epics: [
        {
          epic_id: "EPC-001",
          name: "Cooking",
          description: "Weights and times while something is cooked.",
          success_criteria: ["A recipe gives its weight, and the oven tells how long it has been on."],
          stories: [
            {
              story_id: "STR-001",
              name: "Weights and times",
              description: "Quantities are read and added up, and minutes are counted.",
              user_facing_behavior: "250 g is understood, and the minutes in the oven are shown.",
              tasks: TASKS,
            },
          ],
        },
      ],
    },
  ],
});

/** The task file of a task of the specification, as it is before anything has shipped. */
export function kitchenTask(specTaskId: string): TaskFile {
  const planned = planTaskIds(KITCHEN).find((each) => each.specTaskId === specTaskId);
  if (planned === undefined) throw new Error(`the kitchen has no task ${specTaskId}`);
  return taskFileFrom(KITCHEN, planned, []);
}
