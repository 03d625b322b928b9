import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleSpec, exampleTask, productSpec } from "../../../test/arbitraries/product-spec.ts";
import { CupelError } from "../error.ts";
import type { ProductSpec } from "../product/product-spec.ts";
import { placedTasks } from "../product/spec-walk.ts";
import { TaskId } from "../refs.ts";
import { siblingSlugs } from "./slug.ts";
import { nextTaskIds, planTaskIds, storyPrefixOf } from "./task-id.ts";

type Names = [pillar: string, epic: string, story: string, ...tasks: string[]];

/** A spec with one task, epic and story for each list of names. */
function specOf(...branches: Names[]): ProductSpec {
  let count = 0;
  const spec = exampleSpec();
  const [pillar] = spec.pillars;
  const [epic] = pillar?.epics ?? [];
  const [story] = epic?.stories ?? [];
  if (pillar === undefined || epic === undefined || story === undefined)
    throw new Error("the example is empty");
  spec.pillars = branches.map(([pillarName, epicName, storyName, ...taskNames]) => {
    const tasks = taskNames.map((name) => exampleTask(`TSK-${String(++count).padStart(3, "0")}`, name));
    const stories = [{ ...story, name: storyName, tasks }];
    return { ...pillar, name: pillarName, epics: [{ ...epic, name: epicName, stories }] };
  });
  return spec;
}

function refusal(action: () => unknown): Partial<CupelError> {
  try {
    action();
  } catch (error) {
    if (error instanceof CupelError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("it was not refused");
}

function naiveIds(spec: ProductSpec): string[] {
  const ids: string[] = [];
  const pillarSlugs = siblingSlugs(spec.pillars.map((pillar) => pillar.name));
  spec.pillars.forEach((pillar, p) => {
    const epicSlugs = siblingSlugs(pillar.epics.map((epic) => epic.name));
    pillar.epics.forEach((epic, e) => {
      const storySlugs = siblingSlugs(epic.stories.map((story) => story.name));
      epic.stories.forEach((story, s) => {
        const prefix = ["T", pillarSlugs[p], epicSlugs[e], storySlugs[s]].join("-");
        story.tasks.forEach((_, t) => ids.push(`${prefix}-00${t + 1}`));
      });
    });
  });
  return ids;
}

function idsOrCode(spec: ProductSpec): string[] | string {
  try {
    return planTaskIds(spec).map((task) => task.taskId);
  } catch (error) {
    return error instanceof CupelError ? error.code : "a bug";
  }
}

describe("planTaskIds", () => {
  it("plans the example", () => {
    expect(planTaskIds(exampleSpec())).toEqual([
      {
        specTaskId: "TSK-001",
        taskId: "T-text-slugs-basics-001",
        pillarSlug: "text",
        epicSlug: "slugs",
        storySlug: "basics",
        taskSlug: "slugify-a-title",
        path: "project/text/slugs/basics/slugify-a-title/T-text-slugs-basics-001.md",
        declarationOrder: 0,
        dependsOn: [],
      },
      {
        specTaskId: "TSK-002",
        taskId: "T-text-slugs-basics-002",
        pillarSlug: "text",
        epicSlug: "slugs",
        storySlug: "basics",
        taskSlug: "avoid-taken-names",
        path: "project/text/slugs/basics/avoid-taken-names/T-text-slugs-basics-002.md",
        declarationOrder: 1,
        dependsOn: ["T-text-slugs-basics-001"],
      },
      {
        specTaskId: "TSK-003",
        taskId: "T-search-index-find-by-word-001",
        pillarSlug: "search",
        epicSlug: "index",
        storySlug: "find-by-word",
        taskSlug: "index-words",
        path: "project/search/index/find-by-word/index-words/T-search-index-find-by-word-001.md",
        declarationOrder: 2,
        dependsOn: ["T-text-slugs-basics-001", "T-text-slugs-basics-002"],
      },
    ]);
  });

  it("keeps siblings of the same name apart at every level", () => {
    const planned = planTaskIds(
      specOf(["Core", "Auth", "Login", "Form", "Form"], ["core", "Auth", "Login", "Form"]),
    );
    expect(planned.map((task) => task.path)).toEqual([
      "project/core/auth/login/form/T-core-auth-login-001.md",
      "project/core/auth/login/form-2/T-core-auth-login-002.md",
      "project/core-2/auth/login/form/T-core-2-auth-login-001.md",
    ]);
  });

  it("refuses ids that only look different in parts, naming both tasks", () => {
    expect(refusal(() => planTaskIds(specOf(["a b", "c", "d", "Read"], ["a", "b c", "d", "Write"])))).toEqual(
      {
        code: "id_collision",
        message:
          'two tasks have the id T-a-b-c-d-001: "a b" › "c" › "d" › "Read" and "a" › "b c" › "d" › "Write"',
      },
    );
  });

  it("refuses a spec in which two tasks have the same number", () => {
    const spec = specOf(["a", "b", "c", "Read", "Write"]);
    for (const task of spec.pillars[0]?.epics[0]?.stories[0]?.tasks ?? []) task.task_id = "TSK-001";
    expect(refusal(() => planTaskIds(spec))).toEqual({
      code: "id_collision",
      message: 'two tasks have the id TSK-001: "a" › "b" › "c" › "Read" and "a" › "b" › "c" › "Write"',
    });
  });

  it("allows 128 characters for an id and not one more", () => {
    const [p, e, s] = ["p".repeat(40), "e".repeat(40), "s".repeat(128 - 40 - 40 - "T----001".length)];
    const fits = planTaskIds(specOf([p, e, s, "Read"]));
    expect(fits[0]?.taskId).toHaveLength(128);
    expect(refusal(() => planTaskIds(specOf([p, e, `${s}s`, "Read"])))).toEqual({
      code: "id_too_long",
      message: expect.stringMatching(
        /^the id of task "p{40}" › "e{40}" › "s{41}" › "Read" has 129 characters: T-p+-e+-s+-001$/,
      ),
    });
  });

  it("allows 999 tasks in a story and not one more", () => {
    const names = Array.from({ length: 999 }, (_, index) => `t${index}`);
    expect(planTaskIds(specOf(["a", "b", "c", ...names])).at(-1)?.taskId).toBe("T-a-b-c-999");
    expect(refusal(() => planTaskIds(specOf(["a", "b", "c", ...names, "x"])))).toEqual({
      code: "invalid_input",
      message: 'story "a" › "b" › "c" would have 1000 tasks',
    });
  });

  it("refuses a dependency that leads nowhere, and counts a repeated one once", () => {
    const spec = specOf(["a", "b", "c", "Read", "Write"]);
    const [, write] = spec.pillars[0]?.epics[0]?.stories[0]?.tasks ?? [];
    if (write === undefined) throw new Error("there are two tasks");
    write.depends_on = ["TSK-001", "TSK-001"];
    expect(planTaskIds(spec)[1]?.dependsOn).toEqual(["T-a-b-c-001"]);
    write.depends_on = ["TSK-009"];
    expect(refusal(() => planTaskIds(spec))).toEqual({
      code: "invalid_input",
      message: 'task "a" › "b" › "c" › "Write" depends on TSK-009, which no task has as its id',
    });
  });

  it("refuses a name that no slug can be made of", () => {
    expect(refusal(() => planTaskIds(specOf(["a", "b", "日本語", "Read"])))).toEqual({
      code: "invalid_input",
      message: 'no slug can be made of "日本語"',
    });
  });

  it("gives arbitrary specs unique ids in declaration order, or says clearly why not", () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(productSpec(), (spec) => {
        const naive = naiveIds(spec);
        const expected = new Set(naive).size === naive.length ? naive : "id_collision";
        const found = idsOrCode(spec);
        expect(found).toEqual(expected);
        outcomes.add(typeof found);
      }),
      { numRuns: 300 },
    );
    expect(outcomes).toContain("object");
  });

  it("tells orders, paths and dependencies as the spec does, every time the same", () => {
    fc.assert(
      fc.property(productSpec(), (spec) => {
        fc.pre(typeof idsOrCode(spec) !== "string");
        const planned = planTaskIds(spec);
        const declared = placedTasks(spec).map(({ task }) => task);
        expect(planned.map((task) => task.specTaskId)).toEqual(declared.map((task) => task.task_id));
        expect(planned.map((task) => task.declarationOrder)).toEqual(declared.map((_, index) => index));
        expect(new Set(planned.map((task) => task.path)).size).toBe(declared.length);
        expect(planned.every((task) => TaskId.safeParse(task.taskId).success)).toBe(true);
        const specIdOf = new Map(planned.map((task) => [task.taskId, task.specTaskId]));
        expect(planned.map((task) => task.dependsOn.map((id) => specIdOf.get(id)))).toEqual(
          declared.map((task) => task.depends_on ?? []),
        );
        expect(planTaskIds(structuredClone(spec))).toEqual(planned);
      }),
    );
  });
});

describe("nextTaskIds", () => {
  it.each<[string[], number, string[]]>([
    [[], 2, ["T-a-b-c-001", "T-a-b-c-002"]],
    [["T-a-b-c-001", "T-a-b-c-007", "T-a-b-c-003"], 2, ["T-a-b-c-008", "T-a-b-c-009"]],
    [
      ["T-a-b-c-d-050", "T-a-b-c-001-060", "T-a-b-070", "xT-a-b-c-080", "T-a-b-c", "T-a-b-c-0090"],
      1,
      ["T-a-b-c-001"],
    ],
    [["T-a-b-c-998"], 1, ["T-a-b-c-999"]],
    [["T-a-b-c-999"], 0, []],
  ])("after %j gives %i more: %j", (existing, count, ids) => {
    expect(nextTaskIds(new Set(existing), "T-a-b-c", count)).toEqual(ids);
  });

  it.each<[string, string, number, string[], Partial<CupelError>]>([
    [
      "a full story",
      "T-a-b-c",
      2,
      ["T-a-b-c-998"],
      { code: "invalid_input", message: "story T-a-b-c would have 1000 tasks" },
    ],
    [
      "a prefix with a hyphen too many",
      "T-a-b-c-",
      1,
      [],
      { code: "usage", message: '"T-a-b-c-" is not the beginning of a task id' },
    ],
    ["an empty prefix", "", 1, [], { code: "usage", message: '"" is not the beginning of a task id' }],
    ["half a task", "T-a-b-c", 0.5, [], { code: "usage", message: "0.5 is not a number of tasks" }],
    ["less than nothing", "T-a-b-c", -1, [], { code: "usage", message: "-1 is not a number of tasks" }],
    [
      "an id that would be too long",
      `T-${"a".repeat(123)}`,
      1,
      [],
      { code: "id_too_long", message: `the id of a new task has 129 characters: T-${"a".repeat(123)}-001` },
    ],
  ])("refuses %s", (_, prefix, count, existing, expected) => {
    expect(refusal(() => nextTaskIds(existing, prefix, count))).toEqual(expected);
  });

  it("goes on where planning ended", () => {
    const ids = planTaskIds(exampleSpec()).map((task) => task.taskId);
    expect(nextTaskIds(ids, storyPrefixOf("T-text-slugs-basics-001"), 1)).toEqual([
      "T-text-slugs-basics-003",
    ]);
  });
});
