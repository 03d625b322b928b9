import fc from "fast-check";
import { expect, test } from "vitest";
import { exampleSpec, exampleTask } from "../../../test/arbitraries/product-spec.ts";
import type { ProductSpec } from "./product-spec.ts";
import { renderDifference, specDifference } from "./spec-difference.ts";

function changed(change: (spec: ProductSpec) => void): string[] {
  const after = exampleSpec();
  change(after);
  return renderDifference(specDifference(exampleSpec(), after));
}

const tasksOf = (spec: ProductSpec) => spec.pillars[0]?.epics[0]?.stories[0]?.tasks ?? [];

test("the same content is no difference, whatever its version and times say", () => {
  expect(
    changed((spec) => {
      spec.spec_version = "9.0.0";
      spec.updated_at = "2030-01-01T00:00:00Z";
    }),
  ).toEqual([]);
});

test("what was added, changed and removed is named, each thing once", () => {
  expect(changed((spec) => tasksOf(spec).push(exampleTask("TSK-009", "Export")))).toEqual([
    '+ task "Export" (TSK-009)',
  ]);
  expect(changed((spec) => tasksOf(spec).splice(1, 1))).toEqual(['- task "Avoid taken names" (TSK-002)']);
  expect(changed((spec) => tasksOf(spec)[1]?.subtasks.push("Third"))).toEqual([
    '~ task "Avoid taken names" (TSK-002)',
    '    subtasks: "Write the function; Cover its edge cases" → "Write the function; Cover its edge cases; Third"',
  ]);
  expect(changed((spec) => (spec.title = "Other"))).toEqual([
    '~ the specification "Other"',
    '    title: "Notebook" → "Other"',
  ]);
});

test("a task that moved to another story says so, and other order of the same things says nothing", () => {
  const moved = changed((spec) => {
    const [task] = tasksOf(spec).splice(1, 1);
    if (task !== undefined) spec.pillars[1]?.epics[0]?.stories[0]?.tasks.push(task);
  });
  expect(moved).toEqual(['~ task "Avoid taken names" (TSK-002)', '    part of: "STR-001" → "STR-002"']);
  const swapped = changed((spec) => {
    const [first] = tasksOf(spec).splice(0, 1);
    if (first !== undefined) tasksOf(spec).push(first);
  });
  expect(swapped).toEqual([]);
});

test("each field of a task counts", () => {
  const fields = ["name", "description", "inputs", "outputs", "error_surfaces", "effects", "modes"] as const;
  fc.assert(
    fc.property(fc.constantFrom(...fields), (field) => {
      const lines = changed((spec) => {
        const [task] = tasksOf(spec);
        if (task === undefined) return;
        if (field === "name" || field === "description") task[field] = "other";
        else task.io_contract_sketch[field] = "other";
      });
      expect(lines).toHaveLength(2);
    }),
  );
});

test("epics that share an id are told apart", () => {
  const lines = changed((spec) => {
    for (const epic of spec.pillars.flatMap(({ epics }) => epics)) epic.epic_id = "EPC-001";
  });
  expect(lines.filter((line) => line.startsWith("+"))).toHaveLength(1);
});
