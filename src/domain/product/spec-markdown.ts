// Renders a product specification as Markdown for the person who approves it.
import { DIMENSIONS } from "../contract/contract.ts";
import { anchorOf, blockText, cellText, inlineText, labelText } from "./markdown-text.ts";
import type { Epic, Pillar, ProductSpec, SpecTask, Story } from "./product-spec.ts";
import { placedTasks } from "./spec-walk.ts";
import type { Deficiency } from "./validation-report.ts";

export function renderSpec(spec: ProductSpec, warnings: readonly Deficiency[] = []): string {
  const names = new Map(placedTasks(spec).map(({ task }) => [task.task_id, task.name]));
  const blocks = [
    `# ${inlineText(spec.title).replace(/(?<= )#+$/, "\\$&")}`,
    `**${specSummary(spec)}**`,
    `${spec.spec_id} · version ${spec.spec_version} · updated ${spec.updated_at}`,
    blockText(spec.description),
    ...warningBlocks(warnings),
    "## Contents",
    contents(spec),
    ...spec.pillars.flatMap((pillar) => pillarBlocks(pillar, names)),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** `2 pillars · 5 stories · 14 tasks`. */
export function specSummary(spec: ProductSpec): string {
  const stories = spec.pillars.flatMap((pillar) => pillar.epics.flatMap((epic) => epic.stories));
  const tasks = stories.flatMap((story) => story.tasks);
  return [
    counted(spec.pillars.length, "pillar", "pillars"),
    counted(stories.length, "story", "stories"),
    counted(tasks.length, "task", "tasks"),
  ].join(" · ");
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function warningBlocks(warnings: readonly Deficiency[]): string[] {
  if (warnings.length === 0) return [];
  const entries = warnings.map(({ message, path }) => `- ${inlineText(message)} (${inlineText(path)})`);
  return [`## ${counted(warnings.length, "warning", "warnings")}`, entries.join("\n")];
}

function contents(spec: ProductSpec): string {
  const lines = spec.pillars.flatMap((pillar) => [
    `- ${link(pillar.name, pillarHeading(pillar))}`,
    ...pillar.epics.flatMap((epic) => [
      `  - ${link(epic.name, epicHeading(epic))}`,
      ...epic.stories.map(
        (story) =>
          `    - ${link(story.name, storyHeading(story))} (${counted(story.tasks.length, "task", "tasks")})`,
      ),
    ]),
  ]);
  return lines.join("\n");
}

function pillarBlocks(pillar: Pillar, names: ReadonlyMap<string, string>): string[] {
  return [
    `## ${inlineText(pillarHeading(pillar))}`,
    blockText(pillar.description),
    `**Why:** ${inlineText(pillar.rationale)}`,
    ...pillar.epics.flatMap((epic) => epicBlocks(epic, names)),
  ];
}

function epicBlocks(epic: Epic, names: ReadonlyMap<string, string>): string[] {
  return [
    `### ${inlineText(epicHeading(epic))}`,
    blockText(epic.description),
    "**Succeeds when**",
    bullets(epic.success_criteria),
    ...epic.stories.flatMap((story) => storyBlocks(story, names)),
  ];
}

function storyBlocks(story: Story, names: ReadonlyMap<string, string>): string[] {
  return [
    `#### ${inlineText(storyHeading(story))}`,
    blockText(story.description),
    `**What the user sees:** ${inlineText(story.user_facing_behavior)}`,
    ...story.tasks.flatMap((task) => taskBlocks(task, names)),
  ];
}

function taskBlocks(task: SpecTask, names: ReadonlyMap<string, string>): string[] {
  return [
    `##### ${inlineText(taskHeading(task.name, task.task_id))}`,
    blockText(task.description),
    `**Needs:** ${dependencies(task, names)}`,
    "**Subtasks**",
    task.subtasks.map((subtask, index) => `${index + 1}. ${inlineText(subtask)}`).join("\n"),
    "**Accepted when**",
    bullets(task.acceptance_criteria),
    sketchTable(task),
  ];
}

function dependencies(task: SpecTask, names: ReadonlyMap<string, string>): string {
  const links = (task.depends_on ?? []).map((id) => {
    const name = names.get(id);
    return name === undefined ? inlineText(id) : `${link(name, taskHeading(name, id))} (${id})`;
  });
  return links.length === 0 ? "nothing" : links.join(", ");
}

function sketchTable(task: SpecTask): string {
  const rows = DIMENSIONS.map((dimension) => {
    const title = dimension.charAt(0).toUpperCase() + dimension.slice(1).replaceAll("_", " ");
    return `| ${title} | ${cellText(task.io_contract_sketch[dimension])} |`;
  });
  return ["| Contract | Sketch |", "|---|---|", ...rows].join("\n");
}

function bullets(entries: readonly string[]): string {
  return entries.map((entry) => `- ${inlineText(entry)}`).join("\n");
}

function link(name: string, heading: string): string {
  return `[${labelText(name)}](#${anchorOf(heading)})`;
}

// Ids in headings keep them, and so their anchors, apart when names repeat.
function pillarHeading(pillar: Pillar): string {
  return `Pillar: ${pillar.name} (${pillar.pillar_id})`;
}

function epicHeading(epic: Epic): string {
  return `Epic: ${epic.name} (${epic.epic_id})`;
}

function storyHeading(story: Story): string {
  return `Story: ${story.name} (${story.story_id})`;
}

function taskHeading(name: string, id: string): string {
  return `Task: ${name} (${id})`;
}
