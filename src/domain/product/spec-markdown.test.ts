import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleSpec, productSpec } from "../../../test/arbitraries/product-spec.ts";
import type { ProductSpec } from "./product-spec.ts";
import { renderSpec, specSummary } from "./spec-markdown.ts";
import { placedTasks } from "./spec-walk.ts";
import { type Deficiency, deficiency } from "./validation-report.ts";

/** The example with all text of its first pillar, epic, story and task replaced. */
function withTexts(texts: string[]): [ProductSpec, Deficiency[]] {
  const spec = exampleSpec();
  let next = 0;
  const text = (): string => texts[next++ % texts.length] ?? "x";
  spec.title = text();
  spec.description = text();
  for (const { pillar, epic, story, task } of placedTasks(spec).slice(0, 1)) {
    Object.assign(pillar, { name: text(), description: text(), rationale: text() });
    Object.assign(epic, { name: text(), description: text(), success_criteria: [text(), text()] });
    Object.assign(story, { name: text(), description: text(), user_facing_behavior: text() });
    Object.assign(task, { name: text(), description: text(), subtasks: [text(), text()] });
    task.acceptance_criteria = [text(), text()];
    for (const key of ["inputs", "outputs", "error_surfaces", "effects", "modes"] as const) {
      task.io_contract_sketch[key] = text();
    }
  }
  return [spec, [deficiency(11, ["description"], text())]];
}

/** From left to right, as Markdown reads: an escape counts outside of code only, and ends no code. */
function withoutCode(line: string): string {
  return line.replaceAll(/\\[\\`]|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, "");
}

describe("specSummary", () => {
  it("counts in words", () => {
    const spec = exampleSpec();
    expect(specSummary(spec)).toBe("2 pillars · 2 stories · 3 tasks");
    spec.pillars.shift();
    expect(specSummary(spec)).toBe("1 pillar · 1 story · 1 task");
  });
});

describe("renderSpec", () => {
  it("opens with what matters at an approval", () => {
    const warning = deficiency(11, ["description"], "the spec is described in 4 characters");
    expect(renderSpec(exampleSpec(), [warning]).split("\n").slice(0, 19)).toEqual([
      "# Notebook",
      "",
      "**2 pillars · 2 stories · 3 tasks**",
      "",
      "SPEC-001 · version 1.0.0 · updated 2026-01-02T03:04:05Z",
      "",
      "A notebook for people who think in plain text.",
      "",
      "## 1 warning",
      "",
      "- the spec is described in 4 characters ($.description)",
      "",
      "## Contents",
      "",
      "- [Text](#pillar-text-pil-001)",
      "  - [Slugs](#epic-slugs-epc-001)",
      "    - [Basics](#story-basics-str-001) (2 tasks)",
      "- [Search](#pillar-search-pil-002)",
      "  - [Index](#epic-index-epc-002)",
    ]);
  });

  it("shows a task with its dependencies by name and its sketch as a table", () => {
    const text = renderSpec(exampleSpec());
    expect(text).not.toContain("warning");
    expect(text.slice(text.indexOf("##### Task: Index words"))).toBe(
      [
        "##### Task: Index words (TSK-003)",
        "",
        "Index words, so that nobody has to do it by hand.",
        "",
        "**Needs:** [Slugify a title](#task-slugify-a-title-tsk-001) (TSK-001), [Avoid taken names](#task-avoid-taken-names-tsk-002) (TSK-002)",
        "",
        "**Subtasks**",
        "",
        "1. Write the function",
        "2. Cover its edge cases",
        "",
        "**Accepted when**",
        "",
        "- Returns the same result for the same input",
        "- Rejects an empty title",
        "",
        "| Contract | Sketch |",
        "|---|---|",
        "| Inputs | title: string of 1 to 200 characters |",
        "| Outputs | string that is never empty |",
        "| Error surfaces | EmptyTitle when nothing is left of the title |",
        "| Effects | none |",
        "| Modes | sync, because nothing waits |",
        "",
      ].join("\n"),
    );
    const needs = text.split("\n").filter((line) => line.startsWith("**Needs:**"));
    expect(needs[0]).toBe("**Needs:** nothing");
    expect(needs[1]).toBe("**Needs:** [Slugify a title](#task-slugify-a-title-tsk-001) (TSK-001)");
    expect(text).toContain("**Why:** Notes are text before they are anything else.");
    expect(text).toContain("**What the user sees:** Saving a note creates a file with a sensible name.");
    expect(text).toContain("**Succeeds when**\n\n- Every note can be found by its file name");
  });

  it("leads every link of the contents and the dependencies to a heading", () => {
    fc.assert(
      fc.property(productSpec(), (spec) => {
        const text = renderSpec(spec);
        const headings = text.split("\n").filter((line) => line.startsWith("#"));
        const anchors = headings.map((line) =>
          line
            .replace(/^#+ /, "")
            .toLowerCase()
            .replaceAll(/[^\p{L}\p{N} -]/gu, "")
            .replaceAll(" ", "-"),
        );
        const links = [...text.matchAll(/\]\(#(.*?)\)/g)].map((match) => match[1]);
        expect(links.length).toBeGreaterThan(0);
        for (const link of links) expect(anchors).toContain(link);
      }),
    );
  });

  const nasty = fc
    .array(
      fc.constantFrom(
        "a",
        " ",
        "\n",
        "\r\n",
        "# ",
        "## ",
        "- ",
        "1. ",
        "> ",
        "|",
        "\\",
        "`",
        "```",
        "~~~",
        "---",
        "<b>",
        "<!--",
        "[x](y)",
        "&lt;",
        "***",
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((pieces) => pieces.join(""))
    .filter((text) => text.trim() !== "");

  it("keeps its form whatever the texts hold", () => {
    fc.assert(
      fc.property(fc.array(nasty, { minLength: 1, maxLength: 25 }), (texts) => {
        const lines = renderSpec(...withTexts(texts)).split("\n");
        const levels = lines.flatMap((line) => /^\s*(#{1,6})(?: |$)/.exec(line)?.[1]?.length ?? []);
        expect(levels).toEqual([1, 2, 2, 2, 3, 4, 5, 5, 2, 3, 4, 5]);
        const rows = lines.filter((line) => /^\s*\|/.test(line));
        expect(rows).toHaveLength(3 * 7);
        const cells = rows.map((row) => row.replaceAll(/\\[\\|`]/g, "").split("|").length);
        expect(cells.filter((count) => count !== 4)).toEqual([]);
        expect(lines.filter((line) => /^\s*(?:```[^`]*$|~~~|>|=+\s*$|-{2,}\s*$)|\r/.test(line))).toEqual([]);
        expect(lines.map(withoutCode).filter((line) => /<[a-z/!?]/i.test(line))).toEqual([]);
      }),
    );
  });

  it("does not let a title end its own heading", () => {
    expect(renderSpec({ ...exampleSpec(), title: "F #" })).toMatch(/^# F \\#\n/);
    expect(renderSpec({ ...exampleSpec(), title: "C#" })).toMatch(/^# C#\n/);
  });
});
