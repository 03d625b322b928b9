// Specifications of any size, whose tasks wait for each other as one says.
import type { ProductSpec, SpecTask } from "../src/domain/product/product-spec.ts";

/** Task n waits for the tasks with these numbers; 1 is the first. */
export function specOf(waits: readonly (readonly number[])[], perStory = 900): ProductSpec {
  const tasks = waits.map((list, index) => specTask(index + 1, list));
  const stories = Array.from({ length: Math.ceil(tasks.length / perStory) }, (_, n) => ({
    story_id: `STR-${three(n + 1)}`,
    name: `Story ${n + 1}`,
    description: "People get what they asked for.",
    user_facing_behavior: `Opening page ${n + 1} shows the answer.`,
    tasks: tasks.slice(n * perStory, (n + 1) * perStory),
  }));
  return {
    spec_id: "SPEC-001",
    spec_version: "1.0.0",
    title: "Sample",
    description: "A product made of samples.",
    created_at: "2026-01-02T03:04:05Z",
    updated_at: "2026-01-02T03:04:05Z",
    pillars: [
      {
        pillar_id: "PIL-001",
        name: "Core",
        description: "Everything that it does.",
        rationale: "Without it there is nothing.",
        epics: [
          {
            epic_id: "EPC-001",
            name: "Work",
            description: "What is done.",
            success_criteria: ["Every page answers"],
            stories,
          },
        ],
      },
    ],
  };
}

export const SKETCH: SpecTask["io_contract_sketch"] = {
  inputs: "title: string",
  outputs: "slug: string",
  error_surfaces: "BlankTitle",
  effects: "none",
  modes: "sync",
};

function specTask(n: number, waits: readonly number[]): SpecTask {
  return {
    task_id: `TSK-${three(n)}`,
    name: `Task ${n}`,
    description: `Makes part ${n}.`,
    subtasks: [`cut part ${n}`, `join part ${n}`],
    acceptance_criteria: [`part ${n} answers`, `a blank part ${n} is refused`],
    depends_on: waits.map((other) => `TSK-${three(other)}`),
    io_contract_sketch: SKETCH,
  };
}

function three(n: number): string {
  return String(n).padStart(3, "0");
}

/** The id of task n of the first story. */
export function id(n: number): string {
  return `T-core-work-story-1-${three(n)}`;
}
