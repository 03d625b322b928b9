// The product specification: pillars, epics, stories and tasks, once as a draft in the making and once complete.
import { z } from "zod";
import type { Dimension } from "../contract/contract.ts";
import { refuse } from "../parse.ts";
import { form, IsoTime, Semver, Text } from "../refs.ts";
import { isPlaceholder } from "./placeholder.ts";

/** How much a level of completeness asks of the leaves; the tree itself is the same for all. */
interface Level {
  text: z.ZodType<string>;
  dimension: z.ZodType<string>;
  version: z.ZodType<string>;
  time: z.ZodType<string>;
  id: (prefix: string) => z.ZodType<string>;
  reference: z.ZodType<string>;
  list: <S extends z.ZodType>(entry: S, atLeast: number) => z.ZodType<z.output<S>[]>;
  sketch: (sketch: z.ZodType<Record<Dimension, string>>) => z.ZodType<Record<Dimension, string>>;
}

function sketchAt(level: Level) {
  return z.strictObject({
    inputs: level.dimension,
    outputs: level.dimension,
    error_surfaces: level.dimension,
    effects: level.dimension,
    modes: level.dimension,
  });
}

function taskAt(level: Level) {
  return z.strictObject({
    task_id: level.id("TSK"),
    name: level.text,
    description: level.text,
    subtasks: level.list(level.text, 2),
    acceptance_criteria: level.list(level.text, 2),
    depends_on: z.array(level.reference).optional(),
    io_contract_sketch: level.sketch(sketchAt(level)),
  });
}

function storyAt(level: Level) {
  return z.strictObject({
    story_id: level.id("STR"),
    name: level.text,
    description: level.text,
    user_facing_behavior: level.text,
    tasks: level.list(taskAt(level), 1),
  });
}

function epicAt(level: Level) {
  return z.strictObject({
    epic_id: level.id("EPC"),
    name: level.text,
    description: level.text,
    success_criteria: level.list(level.text, 1),
    stories: level.list(storyAt(level), 1),
  });
}

function pillarAt(level: Level) {
  return z.strictObject({
    pillar_id: level.id("PIL"),
    name: level.text,
    description: level.text,
    rationale: level.text,
    epics: level.list(epicAt(level), 1),
  });
}

function specAt(level: Level) {
  return z.strictObject({
    spec_id: level.id("SPEC"),
    spec_version: level.version,
    title: level.text,
    description: level.text,
    created_at: level.time,
    updated_at: level.time,
    pillars: level.list(pillarAt(level), 1),
  });
}

function idWith(prefix: string): z.ZodString {
  return form(`^${prefix}-\\d{3,}$`, `an id such as ${prefix}-001`);
}

const complete: Level = {
  text: Text,
  dimension: Text.superRefine((text, context) => {
    // An empty text is refused already, and one complaint about one thing is enough.
    if (text !== "" && isPlaceholder(text)) {
      refuse(
        context,
        [],
        'a real answer, "none" if there is nothing',
        `the placeholder ${JSON.stringify(text)}`,
      );
    }
  }),
  version: Semver,
  time: IsoTime,
  id: idWith,
  reference: idWith("TSK"),
  list: (entry, atLeast) => z.array(entry).min(atLeast),
  sketch: (sketch) => sketch,
};

/** Whatever is missing reads as empty, so that the criteria can speak about it. */
const blank = z.string().default("");
const draft: Level = {
  text: blank,
  dimension: blank,
  version: blank,
  time: blank,
  id: () => blank,
  reference: z.string(),
  list: (entry) => z.array(entry).default([]),
  sketch: (sketch) => sketch.prefault({}),
};

/** Five answers in prose, refined into a contract later; a task without errors or effects says "none". */
export const IoContractSketch = sketchAt(complete);
export type IoContractSketch = z.infer<typeof IoContractSketch>;

export const SpecTask = taskAt(complete);
export type SpecTask = z.infer<typeof SpecTask>;

export const Story = storyAt(complete);
export type Story = z.infer<typeof Story>;

export const Epic = epicAt(complete);
export type Epic = z.infer<typeof Epic>;

export const Pillar = pillarAt(complete);
export type Pillar = z.infer<typeof Pillar>;

/** Complete in itself; that ids are unique and dependencies make sense is for `validateSpec` to say. */
export const ProductSpec = specAt(complete);
export type ProductSpec = z.infer<typeof ProductSpec>;

/** A specification in the making: the right keys with the right kinds of values, however little they say. */
export const SpecDraft = specAt(draft);
export type SpecDraft = z.infer<typeof SpecDraft>;
