// Criteria 11 to 14: signs of poor content that do not block a specification but go to the person who approves it.
import { isPlaceholder } from "./placeholder.ts";
import { promisesObservableBehavior } from "./observable-behavior.ts";
import type { SpecDraft } from "./product-spec.ts";
import { nearDuplicates } from "./similarity.ts";
import { type SpecNode, type TaskNode, quoted } from "./spec-walk.ts";
import { type Deficiency, deficiency } from "./validation-report.ts";

/** What is empty is an error already and gets no warning on top. */
export function specWarnings(spec: SpecDraft, nodes: readonly SpecNode[]): Deficiency[] {
  const tasks = nodes.filter((node) => node.kind === "task");
  return [
    ...stubDescription("the spec", [], spec.description),
    ...nodes.flatMap((node) => stubDescription(node.label, node.path, node.value.description)),
    ...tasks.flatMap(untestableCriteria),
    ...tasks.flatMap(repeatedSubtasks),
    ...tasks.flatMap(vagueErrors),
  ];
}

const SHORTEST_DESCRIPTION = 20;

function stubDescription(label: string, path: (string | number)[], description: string): Deficiency[] {
  const length = Array.from(description.trim()).length;
  if (length === 0 || length >= SHORTEST_DESCRIPTION) return [];
  const message =
    `${label} is described in ${length} characters, ${quoted(description)}; ` +
    `say in at least ${SHORTEST_DESCRIPTION} what it is about`;
  return [deficiency(11, [...path, "description"], message)];
}

function untestableCriteria(task: TaskNode): Deficiency[] {
  return task.value.acceptance_criteria.flatMap((criterion, index) => {
    if (criterion.trim() === "" || promisesObservableBehavior(criterion)) return [];
    const message =
      `${task.label} is to be accepted when ${quoted(criterion)}, which names nothing a test could observe; ` +
      "say what it returns, shows, writes, rejects or the like";
    return [deficiency(12, [...task.path, "acceptance_criteria", index], message)];
  });
}

function repeatedSubtasks(task: TaskNode): Deficiency[] {
  const { subtasks } = task.value;
  return nearDuplicates(subtasks).map(({ first, again }) => {
    const message =
      `${task.label} has subtasks ${first + 1} and ${again + 1} that say nearly the same, ` +
      `${quoted(subtasks[first] ?? "")} and ${quoted(subtasks[again] ?? "")}; merge them or say how they differ`;
    return deficiency(13, [...task.path, "subtasks", again], message);
  });
}

function vagueErrors(task: TaskNode): Deficiency[] {
  const surfaces = task.value.io_contract_sketch.error_surfaces;
  if (isPlaceholder(surfaces) || namesAnError(surfaces)) return [];
  const message =
    `${task.label} names no specific error condition, only ${quoted(surfaces)}; ` +
    'say what goes wrong when, or write "none" if nothing can';
  return [deficiency(14, [...task.path, "io_contract_sketch", "error_surfaces"], message)];
}

/** An explicit "none", perhaps with its reason, or at least one word that is more than talk about errors in general. */
function namesAnError(surfaces: string): boolean {
  const words = surfaces.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words[0] === "none" || words.some((word) => !VAGUE.has(word));
}

const VAGUE = new Set(
  `a all an and any anything appropriate appropriately are as at be bad by can case cases condition conditions could
  error errors etc exception exceptions expected fail failed fails failure failures fault faults for general generic
  gracefully go goes handle handled handles handling happen happens if in is issue issues it kind kinds many may
  might mode modes no not nothing occur occurs occurring of on or other possible possibly potential problem problems
  proper properly raise raised raises return returned returns several should some something standard such sometimes
  surface surfaces that the there they things this throw thrown throws to typical unexpected unknown usual various
  way ways well went when which will with wrong`.split(/\s+/),
);
