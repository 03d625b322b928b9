import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseTaskFile } from "./task-file-parse.ts";
import { TaskFile, renderTaskFile } from "./task-file.ts";

function exampleFile(): TaskFile {
  return {
    task_name: "Slugify a title",
    task_id: "T-text-slugs-basics-001",
    context: {
      pillar: { name: "Text", description: "Everything about text." },
      epic: { name: "Slugs", description: "Names of notes become names of files." },
      story: { name: "Basics", description: "A note gets a file name." },
    },
    description: "Turns a title into a slug.\n\nUsed whenever a note is saved.",
    subtasks: ["Write the function", "Cover its edge cases"],
    acceptance_criteria: ["Returns the same slug for the same title", "Rejects an empty title"],
    micro_module_contract: {
      inputs: "title: string",
      outputs: "slug: string, matches /^[a-z0-9]+(?:-[a-z0-9]+)*$/",
      error_surfaces: "EmptyTitle when nothing is left",
      effects: "none",
      modes: "sync",
    },
    dependency_contracts: [],
    error_cases: ["EmptyTitle when nothing is left"],
  };
}

const EXAMPLE = `# Task: Slugify a title
## Task ID: T-text-slugs-basics-001

## Context
- **Pillar:** Text — Everything about text.
- **Epic:** Slugs — Names of notes become names of files.
- **Story:** Basics — A note gets a file name.

## Description
Turns a title into a slug.

Used whenever a note is saved.

## Subtasks
1. Write the function
2. Cover its edge cases

## Acceptance Criteria
- Returns the same slug for the same title
- Rejects an empty title

## Micro Module Contract
- **Inputs:** title: string
- **Outputs:** slug: string, matches /^[a-z0-9]+(?:-[a-z0-9]+)*$/
- **Error surfaces:** EmptyTitle when nothing is left
- **Effects:** none
- **Modes:** sync

## Dependency Contracts
References to upstream modules (CONTRACT_ONLY — no source code):
- none so far

## Error Cases
- EmptyTitle when nothing is left
`;

describe("renderTaskFile", () => {
  it("follows the template", () => {
    expect(renderTaskFile(exampleFile())).toBe(EXAMPLE);
  });

  it("lists what the task builds on, with examples, and what was amended", () => {
    const file: TaskFile = {
      ...exampleFile(),
      dependency_contracts: [
        {
          module_ref: "MM-text@1.2.0",
          summary: "Trims text.\nNever throws.",
          examples: ['trim(" a ")\n// "a"', "x"],
        },
        { module_ref: "MM-fs@2.0.0", summary: "Reads files.", examples: [] },
      ],
      amendment_history: [
        {
          at: "2026-01-02T03:04:05Z",
          rationale: "Too strict.",
          previous_acceptance_criteria: ["Old one", "Old two"],
        },
      ],
    };
    const text = renderTaskFile(file);
    expect(text.slice(text.indexOf("- MM-text"), text.indexOf("## Error Cases"))).toBe(
      `- MM-text@1.2.0: Trims text.
  Never throws.
  - **Example:** trim(" a ")
    // "a"
  - **Example:** x
- MM-fs@2.0.0: Reads files.

`,
    );
    expect(text.slice(text.indexOf("## Amendment History"))).toBe(
      `## Amendment History
- **Amended:** 2026-01-02T03:04:05Z
  - **Rationale:** Too strict.
  - **Previous criterion:** Old one
  - **Previous criterion:** Old two
`,
    );
    expect(parseTaskFile(text)).toEqual({ kind: "ok", value: file });
  });
});

describe("a round trip", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "a",
      "b c",
      " ",
      "  ",
      "\t",
      "\n",
      "\n\n",
      "\r\n",
      "\r",
      "#",
      "## ",
      "# Task: ",
      "## Context",
    ),
    fc.constantFrom(
      "- ",
      "- **Inputs:** ",
      "- **Example:** ",
      "1. ",
      "10. ",
      "`",
      "```",
      "~~~",
      "**",
      "***",
      "---",
    ),
    fc.constantFrom(
      "===",
      "> ",
      "<b>",
      "<!--",
      "\\",
      "\\#",
      "&",
      "&#",
      "&#35;",
      "&#99999;",
      "&amp;",
      " — ",
      "—",
      ": ",
    ),
    fc.constantFrom(
      "é",
      "日本語",
      "🎉",
      "\u00a0",
      "\u2028",
      "\ufeff",
      "\u0000",
      "\u0085",
      "\ud800",
      "\udc00",
      "none so far",
    ),
    fc.string(),
    fc.string({ unit: "binary" }),
  );
  const prose = fc
    .array(piece, { minLength: 1, maxLength: 6 })
    .map((pieces) => pieces.join(""))
    .filter((text) => text.trim() !== "");
  const some = fc.array(prose, { minLength: 1, maxLength: 12 });
  const place = fc.record({ name: prose, description: prose });
  const files: fc.Arbitrary<TaskFile> = fc.record(
    {
      task_name: prose,
      task_id: fc.constantFrom("T-a-b-c-001", "T-text-slugs-basics-999"),
      context: fc.record({ pillar: place, epic: place, story: place }),
      description: prose,
      subtasks: some,
      acceptance_criteria: some,
      micro_module_contract: fc.record({
        inputs: prose,
        outputs: prose,
        error_surfaces: prose,
        effects: prose,
        modes: prose,
      }),
      dependency_contracts: fc.array(
        fc.record({
          module_ref: fc.constantFrom("MM-a@1.0.0"),
          summary: prose,
          examples: fc.array(prose, { maxLength: 3 }),
        }),
        { maxLength: 3 },
      ),
      error_cases: some,
      amendment_history: fc.array(
        fc.record({
          at: fc.constantFrom("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678+09:00"),
          rationale: prose,
          previous_acceptance_criteria: some,
        }),
        { minLength: 1, maxLength: 2 },
      ),
    },
    {
      requiredKeys: [
        "task_name",
        "task_id",
        "context",
        "description",
        "subtasks",
        "acceptance_criteria",
        "micro_module_contract",
        "dependency_contracts",
        "error_cases",
      ],
    },
  );

  it("gives back every valid file exactly", () => {
    fc.assert(
      fc.property(files, (file) => {
        expect(TaskFile.safeParse(file).success).toBe(true);
        expect(parseTaskFile(renderTaskFile(file))).toEqual({ kind: "ok", value: file });
      }),
      { numRuns: 300 },
    );
  });

  it("survives the disk, other line ends and a byte order mark", () => {
    fc.assert(
      fc.property(files, (file) => {
        const onDisk = Buffer.from(renderTaskFile(file), "utf8").toString("utf8");
        const converted = `\ufeff${onDisk.replaceAll("\n", "\r\n")}`;
        expect(parseTaskFile(converted)).toEqual({ kind: "ok", value: file });
      }),
    );
  });

  it("keeps the sections that the template has, and no others", () => {
    fc.assert(
      fc.property(files, (file) => {
        const headings = renderTaskFile(file)
          .split("\n")
          .filter((line) => line.startsWith("## "))
          .map((line) => line.slice(3));
        expect(headings).toEqual([
          `Task ID: ${file.task_id}`,
          "Context",
          "Description",
          "Subtasks",
          "Acceptance Criteria",
          "Micro Module Contract",
          "Dependency Contracts",
          "Error Cases",
          ...(file.amendment_history === undefined ? [] : ["Amendment History"]),
        ]);
      }),
    );
  });
});

it("the schema converts to JSON Schema", () => {
  expect(z.toJSONSchema(TaskFile)).toMatchObject({
    type: "object",
    required: expect.arrayContaining(["error_cases"]),
  });
});
