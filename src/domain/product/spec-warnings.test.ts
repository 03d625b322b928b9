import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleSpec, productSpec } from "../../../test/arbitraries/product-spec.ts";
import type { SpecDraft, SpecTask } from "./product-spec.ts";
import { validateSpec } from "./spec-criteria.ts";
import { placedTasks } from "./spec-walk.ts";

const TASK = "$.pillars[0].epics[0].stories[0].tasks[0]";

function warningsFor(spoil: (task: SpecTask, spec: SpecDraft) => void): [number, string, string][] {
  const spec = exampleSpec();
  const [placed] = placedTasks(spec);
  if (placed !== undefined) spoil(placed.task, spec);
  return validateSpec(spec).warnings.map(({ criterion, path, message }) => [criterion, path, message]);
}

describe("criterion 11", () => {
  it("wants twenty characters, spaces at the ends not counted", () => {
    expect(warningsFor((task) => (task.description = `  ${"x".repeat(19)}  `))).toEqual([
      [
        11,
        `${TASK}.description`,
        'task "Slugify a title" (TSK-001) is described in 19 characters, "xxxxxxxxxxxxxxxxxxx"; ' +
          "say in at least 20 what it is about",
      ],
    ]);
    expect(warningsFor((task) => (task.description = "x".repeat(20)))).toEqual([]);
  });

  it("looks at every level, and leaves what is empty to the errors", () => {
    const places = warningsFor((_, spec) => {
      spec.description = "Stub";
      for (const pillar of spec.pillars.slice(0, 1)) {
        pillar.description = "Stub";
        for (const epic of pillar.epics) {
          epic.description = "Stub";
          for (const story of epic.stories) {
            story.description = "Stub";
            for (const task of story.tasks) task.description = "";
          }
        }
      }
    }).map(([criterion, path]) => `${criterion} ${path}`);
    expect(places).toEqual([
      "11 $.description",
      "11 $.pillars[0].description",
      "11 $.pillars[0].epics[0].description",
      "11 $.pillars[0].epics[0].stories[0].description",
    ]);
  });

  it("agrees with a naive look at complete specs", () => {
    fc.assert(
      fc.property(productSpec(), fc.nat(30), (spec, length) => {
        spec.description = "y".repeat(length + 1);
        const found = validateSpec(spec).warnings.some((warning) => warning.path === "$.description");
        expect(found).toBe(length + 1 < 20);
      }),
    );
  });
});

describe("criterion 12", () => {
  it("points at the acceptance criterion that names nothing observable", () => {
    expect(warningsFor((task) => task.acceptance_criteria.push("The code is clean", "", " "))).toEqual([
      [
        12,
        `${TASK}.acceptance_criteria[2]`,
        'task "Slugify a title" (TSK-001) is to be accepted when "The code is clean", which names nothing ' +
          "a test could observe; say what it returns, shows, writes, rejects or the like",
      ],
    ]);
  });
});

describe("criterion 13", () => {
  it("points at the subtask that repeats an earlier one", () => {
    expect(warningsFor((task) => task.subtasks.push("write a function!"))).toEqual([
      [
        13,
        `${TASK}.subtasks[2]`,
        'task "Slugify a title" (TSK-001) has subtasks 1 and 3 that say nearly the same, ' +
          '"Write the function" and "write a function!"; merge them or say how they differ',
      ],
    ]);
  });
});

describe("criterion 14", () => {
  it.each([
    "errors may occur",
    "Errors.",
    "Various errors are handled appropriately",
    "no errors",
    "something goes wrong",
  ])("finds %j too vague", (surfaces) => {
    expect(warningsFor((task) => (task.io_contract_sketch.error_surfaces = surfaces))).toEqual([
      [
        14,
        `${TASK}.io_contract_sketch.error_surfaces`,
        `task "Slugify a title" (TSK-001) names no specific error condition, only "${surfaces}"; ` +
          'say what goes wrong when, or write "none" if nothing can',
      ],
    ]);
  });

  it.each([
    "none",
    "None.",
    "none: it is total",
    "network errors",
    "throws EmptyTitle",
    "fails when the disk is full",
    "Fehler 404",
  ])("accepts %j", (surfaces) => {
    expect(warningsFor((task) => (task.io_contract_sketch.error_surfaces = surfaces))).toEqual([]);
  });

  it.each(["", "TBD"])("leaves %j to criterion 6", (surfaces) => {
    expect(warningsFor((task) => (task.io_contract_sketch.error_surfaces = surfaces))).toEqual([]);
  });
});
