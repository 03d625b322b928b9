// Visits a specification depth first, giving each pillar, epic, story and task its JSON path and a name for people.
import type { Epic, Pillar, ProductSpec, SpecDraft, SpecTask, Story } from "./product-spec.ts";

interface At<Kind extends string, Value> {
  kind: Kind;
  value: Value;
  path: (string | number)[];
  /** How messages speak of it: `task "Login form" (TSK-003)`. */
  label: string;
}

export type TaskNode = At<"task", SpecTask>;
export type SpecNode = At<"pillar", Pillar> | At<"epic", Epic> | At<"story", Story> | TaskNode;

export function walkSpec(spec: SpecDraft): SpecNode[] {
  return spec.pillars.flatMap((pillar, index) => pillarNodes(pillar, ["pillars", index]));
}

/** A task together with everything that it is part of. */
export interface PlacedTask {
  pillar: Pillar;
  epic: Epic;
  story: Story;
  task: SpecTask;
}

/** In declaration order. */
export function placedTasks(spec: ProductSpec): PlacedTask[] {
  return spec.pillars.flatMap((pillar) =>
    pillar.epics.flatMap((epic) =>
      epic.stories.flatMap((story) => story.tasks.map((task) => ({ pillar, epic, story, task }))),
    ),
  );
}

/** One line of at most `limit` characters, in quotation marks. */
export function quoted(text: string, limit = 60): string {
  const characters = Array.from(text.replaceAll(/\s+/g, " ").trim());
  return `"${characters.length > limit ? `${characters.slice(0, limit - 1).join("")}…` : characters.join("")}"`;
}

function pillarNodes(value: Pillar, path: (string | number)[]): SpecNode[] {
  return [
    { kind: "pillar", value, path, label: label("pillar", value.name, value.pillar_id, path) },
    ...value.epics.flatMap((epic, index) => epicNodes(epic, [...path, "epics", index])),
  ];
}

function epicNodes(value: Epic, path: (string | number)[]): SpecNode[] {
  return [
    { kind: "epic", value, path, label: label("epic", value.name, value.epic_id, path) },
    ...value.stories.flatMap((story, index) => storyNodes(story, [...path, "stories", index])),
  ];
}

function storyNodes(value: Story, path: (string | number)[]): SpecNode[] {
  return [
    { kind: "story", value, path, label: label("story", value.name, value.story_id, path) },
    ...value.tasks.map((task, index) => taskNode(task, [...path, "tasks", index])),
  ];
}

function taskNode(value: SpecTask, path: (string | number)[]): TaskNode {
  return { kind: "task", value, path, label: label("task", value.name, value.task_id, path) };
}

/** Drafts may lack a name or an id; then the position among its siblings has to do. */
function label(kind: string, name: string, id: string, path: (string | number)[]): string {
  const words = [kind];
  if (name.trim() !== "") words.push(quoted(name));
  if (id.trim() !== "") words.push(name.trim() === "" ? id : `(${id})`);
  if (words.length === 1) words.push(`number ${Number(path.at(-1)) + 1}`);
  return words.join(" ");
}
