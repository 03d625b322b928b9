// What differs between two drafts of a specification, thing by thing, so that a person reads only what is new.
import { z } from "zod";
import { canonicalJson, dropUndefined } from "../canonical.ts";
import type { ProductSpec } from "./product-spec.ts";
import { quoted, type SpecNode, walkSpec } from "./spec-walk.ts";

const FieldChange = z.strictObject({ field: z.string(), before: z.string(), after: z.string() });

export const SpecChange = z.strictObject({
  change: z.enum(["added", "changed", "removed"]),
  id: z.string(),
  /** How people speak of it: `task "Login form" (TSK-003)`. */
  label: z.string(),
  /** Only of what was changed. */
  fields: z.array(FieldChange),
});
export type SpecChange = z.infer<typeof SpecChange>;

/** What was added or changed in the order of the new draft, then what is gone. Version and times are no content. */
export function specDifference(before: ProductSpec, after: ProductSpec): SpecChange[] {
  const old = thingsOf(before);
  const fresh = thingsOf(after);
  const changes = [...fresh].flatMap(([key, thing]): SpecChange[] => {
    const { id, label, content } = thing;
    const was = old.get(key);
    if (was === undefined) return [{ change: "added", id, label, fields: [] }];
    const fields = changedFields(was.content, content);
    return fields.length === 0 ? [] : [{ change: "changed", id, label, fields }];
  });
  const gone = [...old].filter(([key]) => !fresh.has(key));
  return [
    ...changes,
    ...gone.map(([, { id, label }]): SpecChange => ({ change: "removed", id, label, fields: [] })),
  ];
}

const SIGNS = { added: "+", changed: "~", removed: "-" } as const;

/** One line for each thing, and one for each of its fields that differ. */
export function renderDifference(changes: readonly SpecChange[]): string[] {
  return changes.flatMap(({ change, label, fields }) => [
    `${SIGNS[change]} ${label}`,
    ...fields.map(
      ({ field, before, after }) => `    ${field}: ${quoted(before, 200)} → ${quoted(after, 200)}`,
    ),
  ]);
}

interface Thing {
  id: string;
  label: string;
  content: Readonly<Record<string, unknown>>;
}

/** Ids of stories and the like may repeat, so the how-manieth of its id tells them apart. */
function thingsOf(spec: ProductSpec): Map<string, Thing> {
  const { title, description } = spec;
  const things = new Map<string, Thing>([
    [
      "spec",
      { id: spec.spec_id, label: `the specification ${quoted(title)}`, content: { title, description } },
    ],
  ]);
  const seen = new Map<string, number>();
  const parents: string[] = [];
  for (const node of walkSpec(spec)) {
    const id = idOf(node);
    const name = `${node.kind} ${id}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const depth = DEPTH[node.kind];
    parents[depth] = id;
    const within = depth === 0 ? {} : { "part of": parents[depth - 1] };
    things.set(`${name} ${count}`, { id, label: node.label, content: { ...contentOf(node), ...within } });
  }
  return things;
}

const DEPTH = { pillar: 0, epic: 1, story: 2, task: 3 } as const;

function idOf(node: SpecNode): string {
  switch (node.kind) {
    case "pillar":
      return node.value.pillar_id;
    case "epic":
      return node.value.epic_id;
    case "story":
      return node.value.story_id;
    case "task":
      return node.value.task_id;
  }
}

/** Its own words, without what stands below it. */
function contentOf(node: SpecNode): Readonly<Record<string, unknown>> {
  switch (node.kind) {
    case "pillar": {
      const { epics: _, ...own } = node.value;
      return own;
    }
    case "epic": {
      const { stories: _, ...own } = node.value;
      return own;
    }
    case "story": {
      const { tasks: _, ...own } = node.value;
      return own;
    }
    case "task": {
      const { io_contract_sketch, depends_on, ...own } = node.value;
      return { ...own, depends_on: depends_on ?? [], ...io_contract_sketch };
    }
  }
}

function changedFields(before: Thing["content"], after: Thing["content"]): SpecChange["fields"] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [was, is] = [textOf(before[name]), textOf(after[name])];
    return was === is ? [] : [{ field: name.replaceAll("_", " "), before: was, after: is }];
  });
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : value.map(String).join("; ");
  return value === undefined ? "nothing" : canonicalJson(dropUndefined(value));
}
