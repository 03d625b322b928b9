import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleSpec } from "../../../test/arbitraries/product-spec.ts";
import { renderProblem } from "../parse.ts";
import { placedTasks } from "../product/spec-walk.ts";
import { taskFileOf } from "./task-file-from-spec.ts";
import { parseTaskFile } from "./task-file-parse.ts";
import { TaskFile, renderTaskFile } from "./task-file.ts";

const EXAMPLE = placedTasks(exampleSpec())
  .slice(0, 1)
  .map((placed) => renderTaskFile(taskFileOf(placed.task, "T-text-slugs-basics-001", placed, [])))
  .join("");

function problemsOf(markdown: string): string[] {
  const parsed = parseTaskFile(markdown);
  return parsed.kind === "ok" ? [] : parsed.problems.map((problem) => renderProblem(problem));
}

function without(pattern: RegExp, replacement = ""): string[] {
  expect(EXAMPLE).toMatch(pattern);
  return problemsOf(EXAMPLE.replace(pattern, replacement));
}

describe("parseTaskFile", () => {
  it.each<[string, RegExp, string, string[]]>([
    [
      "the title",
      /^# Task: .*\n/,
      "",
      [
        '$.task_name: expected the first line to be "# Task: …", found "## Task ID: T-text-slugs-basics-001"',
        '$.task_id: expected a line "## Task ID: …", found nothing',
      ],
    ],
    ["the task id", /## Task ID.*\n/, "", ['$.task_id: expected a line "## Task ID: …", found nothing']],
    [
      "the context",
      /## Context\n(- .*\n)+/,
      "",
      ['$.context: expected a section "## Context", found nothing'],
    ],
    [
      "the pillar",
      /- \*\*Pillar.*\n/,
      "",
      ['$.context.pillar: expected an entry "- **Pillar:** …", found nothing'],
    ],
    [
      "the story's description",
      / — A note gets a file name without anyone asking./,
      "",
      ['$.context.story: expected "name — description", found "Basics"'],
    ],
    [
      "the description",
      /## Description\n/,
      "",
      [
        '$.context: expected nothing but what the template has, found the line "Slugify a title, so that nobody has to do it by hand."',
        '$.description: expected a section "## Description", found nothing',
      ],
    ],
    [
      "the text of the description",
      /Slugify.*hand\.\n/,
      "",
      ['$.description: expected at least 1 character, found ""'],
    ],
    [
      "the subtasks",
      /## Subtasks\n1.*\n2.*\n/,
      "",
      ['$.subtasks: expected a section "## Subtasks", found nothing'],
    ],
    [
      "all acceptance criteria",
      /- Returns.*\n- Rejects.*\n/,
      "",
      ["$.acceptance_criteria: expected at least 1 entry, found []"],
    ],
    [
      "the effects",
      /- \*\*Effects.*\n/,
      "",
      ['$.micro_module_contract.effects: expected an entry "- **Effects:** …", found nothing'],
    ],
    [
      "the answer about modes",
      /(?<=- \*\*Modes:\*\*).*/,
      "",
      ['$.micro_module_contract.modes: expected at least 1 character, found ""'],
    ],
    [
      "the line about dependencies",
      /- none so far\n/,
      "",
      ['$.dependency_contracts: expected entries, or the line "- none so far", found nothing'],
    ],
    [
      "the error cases",
      /## Error Cases\n.*\n/,
      "",
      ['$.error_cases: expected a section "## Error Cases", found nothing'],
    ],
  ])("misses %s by name", (_, pattern, replacement, problems) => {
    expect(without(pattern, replacement)).toEqual(problems);
  });

  it.each<[string, RegExp, string, string[]]>([
    [
      "a section it does not know",
      /## Error Cases/,
      "## Notes\n\n## Error Cases",
      [expect.stringMatching(/^\$: expected each of the sections Context, .* once, found "## Notes"$/)],
    ],
    [
      "a section that comes twice",
      /$/,
      "\n## Subtasks\n1. Do nothing\n",
      [expect.stringContaining('found "## Subtasks"')],
    ],
    [
      "a line outside every section",
      /## Task ID/,
      "Hello\n## Task ID",
      ['$: expected nothing but what the template has, found the line "Hello"'],
    ],
    [
      "a line after the task id",
      /-001\n/,
      "-001\nHello\n",
      ['$: expected nothing but what the template has, found the line "Hello"'],
    ],
    [
      "a line between entries",
      /2\. Cover/,
      "Cover",
      ['$.subtasks: expected nothing but what the template has, found the line "Cover its edge cases"'],
    ],
    [
      "an entry that comes twice",
      /- \*\*Epic/,
      "- **Pillar:** a — b\n- **Epic",
      ['$.context: expected one entry each for Pillar, Epic, Story, found "- **Pillar:** a — b"'],
    ],
    [
      "an entry it does not know",
      /- \*\*Effects/,
      "- **Side effects:** x\n- **Effects",
      [
        '$.micro_module_contract: expected one entry each for Inputs, Outputs, Error surfaces, Effects, Modes, found "- **Side effects:** x"',
      ],
    ],
    [
      "an entry within an entry",
      /- Rejects.*/,
      "- Rejects\n  - **Note:** x",
      [
        '$.acceptance_criteria[1]: expected nothing but what the template has, found the line "- **Note:** x"',
      ],
    ],
    [
      "a bad task id",
      /## Task ID: T-/,
      "## Task ID: X-",
      [
        expect.stringMatching(
          /^\$\.task_id: expected a task id such as T-core-auth-login-001, found "X-text-slugs-basics-001"$/,
        ),
      ],
    ],
    [
      "a dependency without a summary",
      /- none so far/,
      "- MM-a@1.0.0",
      ['$.dependency_contracts[0]: expected "MM-…@version: summary", found "MM-a@1.0.0"'],
    ],
    [
      "a dependency that is no module",
      /- none so far/,
      "- lodash: sorts",
      [
        expect.stringMatching(
          /^\$\.dependency_contracts\[0\]\.module_ref: expected a module version such as/,
        ),
      ],
    ],
    [
      "an unknown part of a dependency",
      /- none so far/,
      "- MM-a@1.0.0: x\n  - **Source:** y",
      ['$.dependency_contracts[0]: expected only entries for Example, found "- **Source:** y"'],
    ],
    [
      "a stray line within a dependency",
      /- none so far/,
      "- MM-a@1.0.0: x\n  - **Example:** y\n  z",
      ['$.dependency_contracts: expected nothing but what the template has, found the line "z"'],
    ],
    [
      "an amendment without its time",
      /$/,
      "\n## Amendment History\n- **Rationale:** x\n",
      ['$.amendment_history[0]: expected an entry "- **Amended:** time", found "- **Rationale:** x"'],
    ],
    [
      "an amendment with two rationales",
      /$/,
      "\n## Amendment History\n- **Amended:** 2026-01-02T03:04:05Z\n  - **Rationale:** x\n  - **Rationale:** y\n",
      ["$.amendment_history[0].rationale: expected one rationale, found 2"],
    ],
    [
      "an amendment without a rationale",
      /$/,
      "\n## Amendment History\n- **Amended:** 2026-01-02T03:04:05Z\n  - **Previous criterion:** x\n",
      ["$.amendment_history[0].rationale: expected a string, found nothing"],
    ],
    [
      "an empty history",
      /$/,
      "\n## Amendment History\n",
      ["$.amendment_history: expected at least 1 entry, found []"],
    ],
  ])("refuses %s", (_, pattern, replacement, problems) => {
    expect(without(pattern, replacement)).toEqual(problems);
  });

  it.each(["", "\n", "hello", "# Task: x", "## Context"])("finds every field missing in %j", (markdown) => {
    const fields = Object.keys(TaskFile.shape).filter(
      (field) => field !== "amendment_history" && field !== "task_name",
    );
    const paths = problemsOf(markdown).map((problem) => problem.split(/[.:]/)[1]);
    for (const field of fields) expect(paths).toContain(field);
  });

  it("takes white space on empty lines for nothing", () => {
    expect(parseTaskFile(EXAMPLE.replaceAll("\n\n", "\n \n\t\n"))).toEqual(parseTaskFile(EXAMPLE));
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseTaskFile(text).kind).toBe("invalid");
        expect(["ok", "invalid"]).toContain(parseTaskFile(EXAMPLE.replace("Write", () => text)).kind);
      }),
    );
  });
});
