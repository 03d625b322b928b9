// Product specifications for tests: one to read, and random ones that are complete.
import * as fc from "fast-check";
import type { ProductSpec, SpecTask } from "../../src/domain/product/product-spec.ts";

/** Two pillars, two stories, three tasks, without errors or warnings; fresh each time, so that a test may spoil it. */
export function exampleSpec(): ProductSpec {
  return {
    spec_id: "SPEC-001",
    spec_version: "1.0.0",
    title: "Notebook",
    description: "A notebook for people who think in plain text.",
    created_at: "2026-01-02T03:04:05Z",
    updated_at: "2026-01-02T03:04:05Z",
    pillars: [
      {
        pillar_id: "PIL-001",
        name: "Text",
        description: "Everything that turns text into something else.",
        rationale: "Notes are text before they are anything else.",
        epics: [
          {
            epic_id: "EPC-001",
            name: "Slugs",
            description: "Names of notes become names of files.",
            success_criteria: ["Every note can be found by its file name"],
            stories: [
              {
                story_id: "STR-001",
                name: "Basics",
                description: "A note gets a file name without anyone asking.",
                user_facing_behavior: "Saving a note creates a file with a sensible name.",
                tasks: [
                  exampleTask("TSK-001", "Slugify a title"),
                  { ...exampleTask("TSK-002", "Avoid taken names"), depends_on: ["TSK-001"] },
                ],
              },
            ],
          },
        ],
      },
      {
        pillar_id: "PIL-002",
        name: "Search",
        description: "Everything that finds notes again.",
        rationale: "A note that nobody finds need not have been written.",
        epics: [
          {
            epic_id: "EPC-002",
            name: "Index",
            description: "Words lead to the notes that hold them.",
            success_criteria: ["A search answers within 50 ms"],
            stories: [
              {
                story_id: "STR-002",
                name: "Find by word",
                description: "People type a word and see their notes.",
                user_facing_behavior: "Typing a word lists the notes that contain it.",
                tasks: [{ ...exampleTask("TSK-003", "Index words"), depends_on: ["TSK-001", "TSK-002"] }],
              },
            ],
          },
        ],
      },
    ],
  };
}

export function exampleTask(id: string, name: string): SpecTask {
  return {
    task_id: id,
    name,
    description: `${name}, so that nobody has to do it by hand.`,
    subtasks: ["Write the function", "Cover its edge cases"],
    acceptance_criteria: ["Returns the same result for the same input", "Rejects an empty title"],
    io_contract_sketch: {
      inputs: "title: string of 1 to 200 characters",
      outputs: "string that is never empty",
      error_surfaces: "EmptyTitle when nothing is left of the title",
      effects: "none",
      modes: "sync, because nothing waits",
    },
  };
}

/** Every specification it makes passes `validateSpec` without errors; names are few, so that siblings often share one. */
export function productSpec(): fc.Arbitrary<ProductSpec> {
  return fc
    .record({
      title: name(),
      description: sentence(),
      pillars: fc.array(pillar(), { minLength: 1, maxLength: 3 }),
    })
    .map(withIds);
}

/** Always has a letter or a digit, so that a slug can be made of it. */
export function name(): fc.Arbitrary<string> {
  const words = fc.array(fc.constantFrom("Core", "Auth", "Login", "API v2.0", "DB & Cache", "2", "Été"), {
    minLength: 1,
    maxLength: 3,
  });
  return words.map((chosen) => chosen.join(" "));
}

/** Readable text, sometimes with characters that mean something to Markdown, JSON or the file system. */
export function sentence(): fc.Arbitrary<string> {
  const ending = fc.constantFrom(
    "",
    ".",
    " | a # b",
    "\n- second line",
    " <b>",
    " `x`",
    " — naïve 日本語",
    ' "q" \\',
  );
  const subject = fc.constantFrom("The parser", "A visitor", "The store", "Each request");
  const action = fc.constantFrom(
    "returns the record",
    "rejects an empty name",
    "works well",
    "writes one line",
  );
  return fc.tuple(subject, action, ending).map(([who, what, end]) => `${who} ${what}${end}`);
}

function pillar() {
  return fc.record({
    name: name(),
    description: sentence(),
    rationale: sentence(),
    epics: fc.array(epic(), { minLength: 1, maxLength: 2 }),
  });
}

function epic() {
  return fc.record({
    name: name(),
    description: sentence(),
    success_criteria: fc.array(sentence(), { minLength: 1, maxLength: 2 }),
    stories: fc.array(story(), { minLength: 1, maxLength: 2 }),
  });
}

function story() {
  return fc.record({
    name: name(),
    description: sentence(),
    user_facing_behavior: sentence(),
    tasks: fc.array(task(), { minLength: 1, maxLength: 3 }),
  });
}

function task() {
  return fc.record({
    name: name(),
    description: sentence(),
    subtasks: fc.array(sentence(), { minLength: 2, maxLength: 3 }),
    acceptance_criteria: fc.array(sentence(), { minLength: 2, maxLength: 3 }),
    io_contract_sketch: fc.record({
      inputs: sentence(),
      outputs: sentence(),
      error_surfaces: fc.oneof(fc.constant("none"), sentence()),
      effects: fc.oneof(fc.constant("none"), sentence()),
      modes: fc.constantFrom("sync", "async, because it waits for the network"),
    }),
    /** Chooses among the tasks declared before; undefined leaves the key out. */
    wants: fc.option(fc.array(fc.nat(), { maxLength: 3 }), { nil: undefined }),
  });
}

type Made<F> = F extends () => fc.Arbitrary<infer T> ? T : never;
interface Unnumbered {
  title: string;
  description: string;
  pillars: Made<typeof pillar>[];
}

function withIds({ title, description, pillars }: Unnumbered): ProductSpec {
  const counts = new Map<string, number>();
  const id = (prefix: string): string => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return `${prefix}-${String(count).padStart(3, "0")}`;
  };
  const earlier: string[] = [];
  const numbered = ({ wants, ...rest }: Made<typeof task>) => {
    const chosen =
      earlier.length === 0 ? [] : (wants ?? []).map((want) => earlier[want % earlier.length] ?? "");
    const task_id = id("TSK");
    earlier.push(task_id);
    return { task_id, ...rest, ...(wants === undefined ? {} : { depends_on: [...new Set(chosen)] }) };
  };
  return {
    spec_id: "SPEC-001",
    spec_version: "1.0.0",
    title,
    description,
    created_at: "2026-01-02T03:04:05Z",
    updated_at: "2026-01-02T03:04:05+01:00",
    pillars: pillars.map((pillar) => ({
      pillar_id: id("PIL"),
      ...pillar,
      epics: pillar.epics.map((epic) => ({
        epic_id: id("EPC"),
        ...epic,
        stories: epic.stories.map((story) => ({
          story_id: id("STR"),
          ...story,
          tasks: story.tasks.map(numbered),
        })),
      })),
    })),
  };
}
