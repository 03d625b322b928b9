// Judges a specification by the fourteen completeness criteria; whatever it is given, it answers and never throws.
import { DIMENSIONS } from "../contract/contract.ts";
import { type Parsed, type PlacedProblem, jsonPath, parsePlaced, renderProblem } from "../parse.ts";
import { isPlaceholder } from "./placeholder.ts";
import { ProductSpec, SpecDraft } from "./product-spec.ts";
import { referenceErrors } from "./spec-references.ts";
import { type SpecNode, type TaskNode, quoted, walkSpec } from "./spec-walk.ts";
import { specWarnings } from "./spec-warnings.ts";
import {
  type Deficiency,
  type SpecCriterion,
  type ValidationReport,
  deficiency,
  fieldOf,
} from "./validation-report.ts";

/** Without errors exactly when the input is a complete `ProductSpec` whose references hold. */
export function validateSpec(input: unknown): ValidationReport {
  const draft = readDraft(input);
  if (draft.kind === "invalid") return { errors: draft.problems.map(malformed), warnings: [] };
  const nodes = walkSpec(draft.value);
  const tasks = nodes.filter((node) => node.kind === "task");
  const errors = [...nodes.flatMap(structureErrors), ...referenceErrors(tasks)];
  return {
    errors: [...errors, ...otherErrors(draft.value, nodes, errors)].toSorted(
      (a, b) => a.criterion - b.criterion,
    ),
    warnings: specWarnings(draft.value, nodes),
  };
}

function readDraft(input: unknown): Parsed<SpecDraft, PlacedProblem> {
  try {
    return parsePlaced(SpecDraft, input);
  } catch {
    // Getters that throw, values that contain themselves, nesting deeper than the stack: nothing that JSON can hold.
    const found = "a value that cannot be read";
    return {
      kind: "invalid",
      problems: [{ path: "$", segments: [], expected: "plain JSON data", found }],
    };
  }
}

/** Criteria 1 to 6. */
function structureErrors(node: SpecNode): Deficiency[] {
  switch (node.kind) {
    case "pillar":
      return tooFew(1, node, "epics", node.value.epics, 1);
    case "epic":
      return [
        ...tooFew(2, node, "stories", node.value.stories, 1),
        ...tooFew(2, node, "success_criteria", node.value.success_criteria, 1),
      ];
    case "story":
      return tooFew(3, node, "tasks", node.value.tasks, 1);
    case "task":
      break;
  }
  return [
    ...tooFew(4, node, "subtasks", node.value.subtasks, 2),
    ...tooFew(5, node, "acceptance_criteria", node.value.acceptance_criteria, 2),
    ...unansweredDimensions(node),
  ];
}

function tooFew(
  criterion: SpecCriterion,
  node: SpecNode,
  field: string,
  entries: readonly unknown[],
  atLeast: number,
): Deficiency[] {
  if (entries.length >= atLeast) return [];
  const count = entries.length === 0 ? "nothing" : `only ${entries.length}`;
  const message = `${node.label} has ${count} under ${inWords(field)}; give it at least ${atLeast}`;
  return [deficiency(criterion, [...node.path, field], message)];
}

function unansweredDimensions(task: TaskNode): Deficiency[] {
  return DIMENSIONS.flatMap((dimension) => {
    const answer = task.value.io_contract_sketch[dimension];
    if (!isPlaceholder(answer)) return [];
    const about = `about its ${inWords(dimension)}`;
    const fault =
      answer.trim() === "" ? `says nothing ${about}` : `has the placeholder ${quoted(answer)} ${about}`;
    const message = `${task.label} ${fault}; describe them, or write "none" if there are none`;
    return [deficiency(6, [...task.path, "io_contract_sketch", dimension], message)];
  });
}

/** Criterion 10 for input that is not even a draft. */
function malformed(problem: PlacedProblem): Deficiency {
  return deficiency(10, problem.segments, renderProblem(problem));
}

/** Criterion 10 for a draft: whatever else keeps it from being a `ProductSpec`. */
function otherErrors(draft: SpecDraft, nodes: SpecNode[], known: Deficiency[]): Deficiency[] {
  const complete = parsePlaced(ProductSpec, draft);
  if (complete.kind === "ok") return [];
  const reported = new Set(known.map((error) => error.path));
  const labels = new Map(nodes.map((node) => [jsonPath(node.path), node.label]));
  return complete.problems
    .filter((problem) => !reported.has(problem.path))
    .map((problem) => {
      const label = labelOf(problem.segments, labels);
      return deficiency(10, problem.segments, wanting(problem, label));
    });
}

function wanting(problem: PlacedProblem, label: string): string {
  const field = inWords(fieldOf(problem.segments));
  const empty = problem.expected.startsWith("at least 1 ");
  if (!empty) return `${label} has the ${field} ${problem.found}; it must be ${problem.expected}`;
  const isEntry = typeof problem.segments.at(-1) === "number";
  return isEntry
    ? `${label} has an empty entry in ${field}; write it or remove it`
    : `${label} has no ${field}; add one`;
}

/** What messages call the innermost thing around a place. */
function labelOf(segments: readonly PropertyKey[], labels: ReadonlyMap<string, string>): string {
  for (let length = segments.length; length > 0; length--) {
    const label = labels.get(jsonPath(segments.slice(0, length)));
    if (label !== undefined) return label;
  }
  return "the spec";
}

function inWords(field: string): string {
  return field.replaceAll("_", " ");
}
