// A builtin task as a case of the simulator, so that simulated agents of every role can play it.
import type { FunctionSpec } from "../../domain/blind/function-spec.ts";
import type { PropertyWritten } from "../../domain/blind/suite-coverage.ts";
import { taskFileOf } from "../../domain/task/task-file-from-spec.ts";
import type { TaskFile } from "../../domain/task/task-file.ts";
import { slugify } from "../../domain/task/slug.ts";
import { caseFrom, concreteExample } from "../../simulator/cases/case-from.ts";
import { ioContractOf } from "../../simulator/cases/module-sketch.ts";
import type { SimulatedCase } from "../../simulator/port.ts";
import { type BuiltinTask, type TestBlock, testsOf } from "./builtin-task.ts";
import { callsEntry } from "./test-file.ts";

/** With the tests of every constraint, or with those that are given. */
export function caseOf(task: BuiltinTask, blocks: readonly TestBlock[] = task.tests): SimulatedCase {
  const { id: name, purpose, contract, examples, reference: sources } = task;
  const criteria = blocks.map(({ title, covers }) => [
    title,
    task.constraints.findIndex((constraint) => constraint.id === covers),
  ]);
  const made = caseFrom({
    name,
    purpose,
    uses: [],
    task: taskFile(task),
    contract,
    functions: contract.entry_points.map((entry) => functionOf(task, entry)),
    properties: blocks.flatMap((block) => propertiesOf(task, block)),
    examples,
    sources,
    tests: testsOf(task, blocks),
  });
  return { ...made, criteria: Object.fromEntries(criteria) };
}

function taskFile({ id, area, title, purpose, contract, constraints }: BuiltinTask): TaskFile {
  const { inputs, outputs, error_surfaces, effects, modes } = ioContractOf(contract);
  const place = { pillar: "Trial", epic: area, story: id };
  const slugs = Object.values(place).map((each) => slugify(each));
  return taskFileOf(
    {
      name: title,
      description: purpose,
      subtasks: contract.entry_points.map((each) => `Write ${each.name}: ${each.signature}`),
      acceptance_criteria: constraints.map(({ text }) => text),
      io_contract_sketch: {
        inputs: inputs.join("; "),
        outputs: outputs.join("; "),
        error_surfaces: error_surfaces.join("; "),
        effects: effects.join("; "),
        modes: modes.join("; "),
      },
    },
    `T-${slugs.join("-")}-001`,
    {
      pillar: { name: place.pillar, description: "Tasks on which protocols are compared." },
      epic: { name: place.epic, description: `Tasks about ${area}.` },
      story: { name: place.story, description: title },
    },
    [],
  );
}

type Entry = BuiltinTask["contract"]["entry_points"][number];

function functionOf(task: BuiltinTask, { name, signature }: Entry): FunctionSpec {
  const block = sketchBlock(task, name);
  return {
    name,
    signature,
    brief: task.purpose,
    behavior: task.constraints.map(({ text }) => text).join(" "),
    examples: task.examples.filter(({ entry }) => entry === name).map(concreteExample),
    properties: [
      {
        name: sketchName(name),
        description: block.title,
        invariant: task.constraints.find(({ id }) => id === block.covers)?.text ?? block.title,
        type: "Other",
      },
    ],
    priority: 1,
  };
}

/** What holds for whatever input says most about a function; an example is better than nothing. */
function sketchBlock({ tests, id }: BuiltinTask, entry: string): TestBlock {
  const calling = tests.filter((block) => callsEntry(block.code, entry));
  const found = calling.find(isProperty) ?? calling[0];
  if (found === undefined) throw new Error(`no test of ${id} calls ${entry}`);
  return found;
}

/** One for each sketch that the test is of; a test can be of none. */
function propertiesOf(task: BuiltinTask, block: TestBlock): PropertyWritten[] {
  const targets = task.contract.entry_points
    .map(({ name }) => name)
    .filter((name) => callsEntry(block.code, name));
  const sketched = targets.filter((name) => sketchBlock(task, name).title === block.title).map(sketchName);
  const shown = task.examples.filter(({ entry }) => entry === targets[0]);
  return (sketched.length === 0 ? [null] : sketched).map((coversSketch) => ({
    name: block.title,
    targetFunctions: targets,
    propertyType: isProperty(block) ? "Other" : "Boundary",
    description: block.title,
    coversExamples: shown.map((_, index) => index),
    coversSketch,
  }));
}

function sketchName(entry: string): string {
  return `${entry}Holds`;
}

function isProperty({ code }: TestBlock): boolean {
  return code.includes("fc.assert(");
}
