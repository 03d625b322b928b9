import { describe, expect, it } from "vitest";
import { exampleSpec } from "../../../test/arbitraries/product-spec.ts";
import { jsonPath } from "../parse.ts";
import { placedTasks, quoted, walkSpec } from "./spec-walk.ts";

describe("walkSpec", () => {
  it("goes depth first, with paths and names for people", () => {
    const nodes = walkSpec(exampleSpec()).map((node) => `${jsonPath(node.path)} ${node.label}`);
    expect(nodes).toEqual([
      '$.pillars[0] pillar "Text" (PIL-001)',
      '$.pillars[0].epics[0] epic "Slugs" (EPC-001)',
      '$.pillars[0].epics[0].stories[0] story "Basics" (STR-001)',
      '$.pillars[0].epics[0].stories[0].tasks[0] task "Slugify a title" (TSK-001)',
      '$.pillars[0].epics[0].stories[0].tasks[1] task "Avoid taken names" (TSK-002)',
      '$.pillars[1] pillar "Search" (PIL-002)',
      '$.pillars[1].epics[0] epic "Index" (EPC-002)',
      '$.pillars[1].epics[0].stories[0] story "Find by word" (STR-002)',
      '$.pillars[1].epics[0].stories[0].tasks[0] task "Index words" (TSK-003)',
    ]);
  });

  it.each([
    ["Text", "PIL-001", 'pillar "Text" (PIL-001)'],
    ["Text", " ", 'pillar "Text"'],
    [" ", "PIL-001", "pillar PIL-001"],
    ["\n", "", "pillar number 2"],
  ])("calls the second pillar, named %j with the id %j, %s", (name, pillar_id, label) => {
    const spec = exampleSpec();
    for (const pillar of spec.pillars) Object.assign(pillar, { name, pillar_id, epics: [] });
    expect(walkSpec(spec)[1]?.label).toBe(label);
  });
});

describe("placedTasks", () => {
  it("knows what each task is part of", () => {
    const names = placedTasks(exampleSpec()).map(({ pillar, epic, story, task }) =>
      [pillar.name, epic.name, story.name, task.name].join(" / "),
    );
    expect(names).toEqual([
      "Text / Slugs / Basics / Slugify a title",
      "Text / Slugs / Basics / Avoid taken names",
      "Search / Index / Find by word / Index words",
    ]);
  });
});

describe("quoted", () => {
  it.each([
    [" two\n lines ", '"two lines"'],
    ["x".repeat(60), `"${"x".repeat(60)}"`],
    ["x".repeat(61), `"${"x".repeat(59)}…"`],
    ["🎉".repeat(61), `"${"🎉".repeat(59)}…"`],
  ])("shows %j as %s", (text, shown) => expect(quoted(text)).toBe(shown));
});
