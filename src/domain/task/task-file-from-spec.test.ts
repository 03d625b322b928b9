import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleSpec, exampleTask, productSpec } from "../../../test/arbitraries/product-spec.ts";
import { CupelError } from "../error.ts";
import type { ProductSpec } from "../product/product-spec.ts";
import { placedTasks } from "../product/spec-walk.ts";
import { errorCasesOf, taskFileFrom, taskFileOf } from "./task-file-from-spec.ts";
import { parseTaskFile } from "./task-file-parse.ts";
import { type TaskFile, renderTaskFile } from "./task-file.ts";
import { type PlannedTask, planTaskIds } from "./task-id.ts";

function lastPlanned(spec: ProductSpec): PlannedTask {
  const planned = planTaskIds(spec).at(-1);
  if (planned === undefined) throw new Error("the spec has tasks");
  return planned;
}

describe("taskFileFrom", () => {
  it("gathers what the spec says about a task", () => {
    const contracts = [{ module_ref: "MM-slug@1.0.0", summary: "Makes slugs.", examples: [] }];
    const spec = exampleSpec();
    expect(taskFileFrom(spec, lastPlanned(spec), contracts)).toEqual({
      task_name: "Index words",
      task_id: "T-search-index-find-by-word-001",
      context: {
        pillar: { name: "Search", description: "Everything that finds notes again." },
        epic: { name: "Index", description: "Words lead to the notes that hold them." },
        story: { name: "Find by word", description: "People type a word and see their notes." },
      },
      description: "Index words, so that nobody has to do it by hand.",
      subtasks: ["Write the function", "Cover its edge cases"],
      acceptance_criteria: ["Returns the same result for the same input", "Rejects an empty title"],
      micro_module_contract: {
        inputs: "title: string of 1 to 200 characters",
        outputs: "string that is never empty",
        error_surfaces: "EmptyTitle when nothing is left of the title",
        effects: "none",
        modes: "sync, because nothing waits",
      },
      dependency_contracts: contracts,
      error_cases: ["EmptyTitle when nothing is left of the title"],
    });
  });

  it.each<[string, (spec: ProductSpec) => void]>([
    [
      "$.context.pillar.description: expected at least 1 character",
      (spec) => (placeIn(spec).pillar.description = ""),
    ],
    ["$.context.story.name: expected text that says something", (spec) => (placeIn(spec).story.name = " ")],
    ["$.description: expected at least 1 character", (spec) => (placeIn(spec).task.description = "")],
    ["$.subtasks: expected at least 1 entry", (spec) => placeIn(spec).task.subtasks.splice(0)],
    [
      "$.acceptance_criteria: expected at least 1 entry",
      (spec) => placeIn(spec).task.acceptance_criteria.splice(0),
    ],
    [
      "$.micro_module_contract.effects: expected at least 1",
      (spec) => (placeIn(spec).task.io_contract_sketch.effects = ""),
    ],
    [
      "$.error_cases: expected at least 1 entry",
      (spec) => (placeIn(spec).task.io_contract_sketch.error_surfaces = ";"),
    ],
  ])("names the task and the missing field: %s", (problem, spoil) => {
    const spec = exampleSpec();
    const planned = lastPlanned(spec);
    spoil(spec);
    const write = (): TaskFile => taskFileFrom(spec, planned, []);
    expect(write).toThrow(CupelError);
    expect(write).toThrow(
      'the file of task T-search-index-find-by-word-001 ("Index words") cannot be written:',
    );
    expect(write).toThrow(`\n  ${problem}`);
  });

  it("refuses a task of another specification", () => {
    const planned = { ...lastPlanned(exampleSpec()), specTaskId: "TSK-099" };
    expect(() => taskFileFrom(exampleSpec(), planned, [])).toThrow(
      expect.objectContaining({
        code: "usage",
        message: "the specification has no task TSK-099 for T-search-index-find-by-word-001",
      }),
    );
  });

  it("writes files that can be read back, for any specification", () => {
    fc.assert(
      fc.property(productSpec(), (spec) => {
        for (const { task } of placedTasks(spec)) {
          const planned = { ...lastPlanned(exampleSpec()), specTaskId: task.task_id };
          const file = taskFileFrom(spec, planned, []);
          expect(parseTaskFile(renderTaskFile(file))).toEqual({ kind: "ok", value: file });
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("taskFileOf", () => {
  it("makes a file for a task that the spec does not have", () => {
    const { task_id: _, ...task } = exampleTask("TSK-001", "Half of it");
    const file = taskFileOf(task, "T-text-slugs-basics-003", placeIn(exampleSpec()), []);
    expect(file).toMatchObject({
      task_name: "Half of it",
      task_id: "T-text-slugs-basics-003",
      context: { story: { name: "Find by word" } },
    });
  });
});

describe("errorCasesOf", () => {
  it.each([
    ["none", ["none"]],
    ["EmptyTitle when empty", ["EmptyTitle when empty"]],
    ["EmptyTitle; TooLong;", ["EmptyTitle", "TooLong"]],
    ["- EmptyTitle\n- TooLong; sometimes\n\n2) Taken", ["EmptyTitle", "TooLong", "sometimes", "Taken"]],
    ["a;b stays, 404 too", ["a;b stays, 404 too"]],
    ["404 when missing", ["404 when missing"]],
    ["-1 when missing", ["-1 when missing"]],
    [" \n;", []],
  ])("reads %j as %j", (surfaces, cases) => expect(errorCasesOf(surfaces)).toEqual(cases));
});

function placeIn(spec: ProductSpec) {
  const placed = placedTasks(spec).at(-1);
  if (placed === undefined) throw new Error("the spec has tasks");
  return placed;
}
