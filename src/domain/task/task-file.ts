// The task file: everything the engineering of one task may know, as a record and as the Markdown that agents read.
import { z } from "zod";
import { refuse } from "../parse.ts";
import { IsoTime, ModuleRef, TaskId } from "../refs.ts";
import { encodeBlock, encodeLine, reference } from "./task-file-text.ts";

/** Text that says something, kept to the last space: what is written must be what is read back. */
const Prose = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    if (text !== "" && text.trim() === "")
      refuse(context, [], "text that says something", "only white space");
  });

const Place = z.strictObject({ name: Prose, description: Prose });

/** What a task may know of a module it builds on: never source. */
export const DependencyContract = z.strictObject({
  module_ref: ModuleRef,
  summary: Prose,
  examples: z.array(Prose),
});
export type DependencyContract = z.infer<typeof DependencyContract>;

export const TaskAmendment = z.strictObject({
  at: IsoTime,
  rationale: Prose,
  previous_acceptance_criteria: z.array(Prose).min(1),
});
export type TaskAmendment = z.infer<typeof TaskAmendment>;

export const TaskFile = z.strictObject({
  task_name: Prose,
  task_id: TaskId,
  context: z.strictObject({ pillar: Place, epic: Place, story: Place }),
  description: Prose,
  subtasks: z.array(Prose).min(1),
  acceptance_criteria: z.array(Prose).min(1),
  micro_module_contract: z.strictObject({
    inputs: Prose,
    outputs: Prose,
    error_surfaces: Prose,
    effects: Prose,
    modes: Prose,
  }),
  /** Empty until something that the task builds on has shipped. */
  dependency_contracts: z.array(DependencyContract),
  error_cases: z.array(Prose).min(1),
  /** Left out as long as nobody has amended anything. */
  amendment_history: z.array(TaskAmendment).min(1).optional(),
});
export type TaskFile = z.infer<typeof TaskFile>;

/** The words of the template, shared with the parser. */
export const TITLE = "# Task: ";
export const TASK_ID = "Task ID: ";
export const DEPENDENCY_INTRO = "References to upstream modules (CONTRACT_ONLY — no source code):";
export const NO_DEPENDENCIES = "- none so far";
export const PLACE_LABELS = { pillar: "Pillar", epic: "Epic", story: "Story" } as const;
export const DIMENSION_LABELS = {
  inputs: "Inputs",
  outputs: "Outputs",
  error_surfaces: "Error surfaces",
  effects: "Effects",
  modes: "Modes",
} as const;
/** Stands between a name and its description; a dash within the name is written as a reference. */
export const SEPARATOR = " — ";

/** `parseTaskFile` reads back exactly what was written here. */
export function renderTaskFile(file: TaskFile): string {
  const { context, micro_module_contract: contract } = file;
  const sections = [
    [`${TITLE}${encodeLine(file.task_name)}`, `## ${TASK_ID}${file.task_id}`],
    [
      "## Context",
      place(PLACE_LABELS.pillar, context.pillar),
      place(PLACE_LABELS.epic, context.epic),
      place(PLACE_LABELS.story, context.story),
    ],
    ["## Description", encodeBlock(file.description)],
    ["## Subtasks", ...file.subtasks.map((subtask, index) => entry(`${index + 1}. `, subtask))],
    ["## Acceptance Criteria", ...file.acceptance_criteria.map((criterion) => entry("- ", criterion))],
    [
      "## Micro Module Contract",
      labelled(DIMENSION_LABELS.inputs, contract.inputs),
      labelled(DIMENSION_LABELS.outputs, contract.outputs),
      labelled(DIMENSION_LABELS.error_surfaces, contract.error_surfaces),
      labelled(DIMENSION_LABELS.effects, contract.effects),
      labelled(DIMENSION_LABELS.modes, contract.modes),
    ],
    ["## Dependency Contracts", DEPENDENCY_INTRO, ...dependencies(file.dependency_contracts)],
    ["## Error Cases", ...file.error_cases.map((errorCase) => entry("- ", errorCase))],
    ...amendments(file.amendment_history),
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function place(label: string, { name, description }: z.infer<typeof Place>): string {
  const writtenName = encodeLine(name).replaceAll("—", reference);
  return `- **${label}:** ${writtenName}${SEPARATOR}${encodeBlock(description, "  ")}`;
}

/** Lines after the first stand under the text of the first, as Markdown wants it. */
function entry(marker: string, text: string): string {
  return marker + encodeBlock(text, " ".repeat(marker.length));
}

function labelled(label: string, text: string, indent = ""): string {
  return `${indent}- **${label}:** ${encodeBlock(text, `${indent}  `)}`;
}

function dependencies(contracts: DependencyContract[]): string[] {
  if (contracts.length === 0) return [NO_DEPENDENCIES];
  return contracts.flatMap(({ module_ref, summary, examples }) => [
    `- ${module_ref}: ${encodeBlock(summary, "  ")}`,
    ...examples.map((example) => labelled("Example", example, "  ")),
  ]);
}

function amendments(history: TaskAmendment[] | undefined): string[][] {
  if (history === undefined) return [];
  const lines = history.flatMap(({ at, rationale, previous_acceptance_criteria }) => [
    `- **Amended:** ${at}`,
    labelled("Rationale", rationale, "  "),
    ...previous_acceptance_criteria.map((criterion) => labelled("Previous criterion", criterion, "  ")),
  ]);
  return [["## Amendment History", ...lines]];
}
