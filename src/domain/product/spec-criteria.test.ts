import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleSpec, productSpec } from "../../../test/arbitraries/product-spec.ts";
import { ProductSpec, type SpecDraft } from "./product-spec.ts";
import { placedTasks } from "./spec-walk.ts";
import { validateSpec } from "./spec-criteria.ts";
import { ValidationReport } from "./validation-report.ts";

const TASK = "$.pillars[0].epics[0].stories[0].tasks[0]";
const DIMENSIONS = ["inputs", "outputs", "error_surfaces", "effects", "modes"] as const;

function spoiled(spoil: (spec: SpecDraft) => void): SpecDraft {
  const spec = exampleSpec();
  spoil(spec);
  return spec;
}

function errorsOf(input: unknown): [number, string, string][] {
  return validateSpec(input).errors.map(({ criterion, path, message }) => [criterion, path, message]);
}

function firstTask(spec: SpecDraft) {
  const [placed] = placedTasks(spec);
  if (placed === undefined) throw new Error("the example has tasks");
  return placed;
}

describe("the example", () => {
  it("has neither errors nor warnings", () => {
    expect(validateSpec(exampleSpec())).toEqual({ errors: [], warnings: [] });
  });
});

describe("criteria 1 to 6", () => {
  it.each<[number, string, (spec: SpecDraft) => void, string]>([
    [
      1,
      "$.pillars[1].epics",
      (spec) => spec.pillars[1]?.epics.splice(0),
      'pillar "Search" (PIL-002) has nothing under epics; give it at least 1',
    ],
    [
      2,
      "$.pillars[0].epics[0].success_criteria",
      (spec) => firstTask(spec).epic.success_criteria.splice(0),
      'epic "Slugs" (EPC-001) has nothing under success criteria; give it at least 1',
    ],
    [
      4,
      `${TASK}.subtasks`,
      (spec) => firstTask(spec).task.subtasks.pop(),
      'task "Slugify a title" (TSK-001) has only 1 under subtasks; give it at least 2',
    ],
    [
      5,
      `${TASK}.acceptance_criteria`,
      (spec) => firstTask(spec).task.acceptance_criteria.splice(0),
      'task "Slugify a title" (TSK-001) has nothing under acceptance criteria; give it at least 2',
    ],
    [
      6,
      `${TASK}.io_contract_sketch.effects`,
      (spec) => (firstTask(spec).task.io_contract_sketch.effects = " \n"),
      'task "Slugify a title" (TSK-001) says nothing about its effects; describe them, or write "none" if there are none',
    ],
    [
      6,
      `${TASK}.io_contract_sketch.error_surfaces`,
      (spec) => (firstTask(spec).task.io_contract_sketch.error_surfaces = "TBD."),
      'task "Slugify a title" (TSK-001) has the placeholder "TBD." about its error surfaces; describe them, or write "none" if there are none',
    ],
  ])("criterion %i speaks at %s", (criterion, path, spoil, message) => {
    expect(errorsOf(spoiled(spoil))).toEqual([[criterion, path, message]]);
  });

  it("names an epic without stories and a story without tasks", () => {
    const noStories = spoiled((spec) => spec.pillars[1]?.epics[0]?.stories.splice(0));
    expect(errorsOf(noStories)).toEqual([
      [
        2,
        "$.pillars[1].epics[0].stories",
        'epic "Index" (EPC-002) has nothing under stories; give it at least 1',
      ],
    ]);
    const noTasks = spoiled((spec) => spec.pillars[1]?.epics[0]?.stories[0]?.tasks.splice(0));
    expect(errorsOf(noTasks)).toEqual([
      [
        3,
        "$.pillars[1].epics[0].stories[0].tasks",
        'story "Find by word" (STR-002) has nothing under tasks; give it at least 1',
      ],
    ]);
  });

  it('takes "none" for an answer in every dimension', () => {
    const spec = spoiled((draft) => {
      for (const dimension of DIMENSIONS) firstTask(draft).task.io_contract_sketch[dimension] = "None.";
    });
    expect(errorsOf(spec)).toEqual([]);
  });
});

describe("criterion 10", () => {
  it.each<[string, string, (spec: SpecDraft) => void, string]>([
    ["$.title", "title", (spec) => (spec.title = " "), "the spec has no title; add one"],
    ["$.pillars", "pillars", (spec) => spec.pillars.splice(0), "the spec has no pillars; add one"],
    [
      "$.spec_version",
      "spec_version",
      (spec) => (spec.spec_version = "1.0"),
      'the spec has the spec version "1.0"; it must be a version such as 1.0.0',
    ],
    [
      "$.created_at",
      "created_at",
      (spec) => (spec.created_at = "yesterday"),
      expect.stringContaining('created at "yesterday"'),
    ],
    [
      "$.pillars[0].rationale",
      "rationale",
      (spec) => (firstTask(spec).pillar.rationale = ""),
      'pillar "Text" (PIL-001) has no rationale; add one',
    ],
    [
      "$.pillars[0].name",
      "name",
      (spec) => (firstTask(spec).pillar.name = ""),
      "pillar PIL-001 has no name; add one",
    ],
    [
      "$.pillars[0].epics[0].epic_id",
      "epic_id",
      (spec) => (firstTask(spec).epic.epic_id = "EPC-01"),
      'epic "Slugs" (EPC-01) has the epic id "EPC-01"; it must be an id such as EPC-001',
    ],
    [
      "$.pillars[0].epics[0].stories[0].user_facing_behavior",
      "user_facing_behavior",
      (spec) => (firstTask(spec).story.user_facing_behavior = ""),
      'story "Basics" (STR-001) has no user facing behavior; add one',
    ],
    [
      `${TASK}.subtasks[1]`,
      "subtasks",
      (spec) => (firstTask(spec).task.subtasks[1] = "\t"),
      'task "Slugify a title" (TSK-001) has an empty entry in subtasks; write it or remove it',
    ],
  ])("speaks at %s", (path, field, spoil, message) => {
    const [first, ...rest] = validateSpec(spoiled(spoil)).errors;
    expect(rest).toEqual([]);
    expect(first).toEqual({ path, field, severity: "ERROR", criterion: 10, message });
  });

  it("counts what is missing as empty, each place once", () => {
    const places = errorsOf({ pillars: [{ epics: [{ stories: [{ tasks: [{}] }] }] }] }).map(
      ([criterion, path]) => `${criterion} ${path.replaceAll(/\w+\[0\]\./g, "")}`,
    );
    expect(places).toEqual([
      "2 $.success_criteria",
      "4 $.subtasks",
      "5 $.acceptance_criteria",
      ...DIMENSIONS.map((dimension) => `6 $.io_contract_sketch.${dimension}`),
      ...["spec_id", "spec_version", "title", "description", "created_at", "updated_at"].map(
        (key) => `10 $.${key}`,
      ),
      ...["pillar_id", "name", "description", "rationale"].map((key) => `10 $.${key}`),
      ...["epic_id", "name", "description"].map((key) => `10 $.${key}`),
      ...["story_id", "name", "description", "user_facing_behavior"].map((key) => `10 $.${key}`),
      ...["task_id", "name", "description"].map((key) => `10 $.${key}`),
    ]);
  });
});

describe("input that is not even a draft", () => {
  it.each<[string, unknown, string, string, string]>([
    ["null", null, "$", "$", "$: expected an object, found null"],
    ["a number", 7, "$", "$", "$: expected an object, found 7"],
    ["a list", [], "$", "$", "$: expected an object, found []"],
    [
      "a list of the wrong things",
      { pillars: [3] },
      "$.pillars[0]",
      "pillars",
      "$.pillars[0]: expected an object, found 3",
    ],
    [
      "null for a list",
      { pillars: null },
      "$.pillars",
      "pillars",
      "$.pillars: expected an array, found null",
    ],
    [
      "an unknown key",
      { pilars: [] },
      "$.pilars",
      "pilars",
      '$.pilars: expected the key "pillars", found the unknown key "pilars"',
    ],
  ])("says where, what and what else for %s", (_, input, path, field, message) => {
    expect(validateSpec(input)).toEqual({
      errors: [{ path, field, severity: "ERROR", criterion: 10, message }],
      warnings: [],
    });
  });

  it("says so when a value cannot even be looked at", () => {
    const looks: PropertyKey[] = [];
    const get = (_: object, key: PropertyKey): never => {
      looks.push(key);
      throw new Error("no");
    };
    expect(errorsOf(new Proxy({}, { get }))).toEqual([
      [10, "$", "$: expected plain JSON data, found a value that cannot be read"],
    ]);
    expect(looks.length).toBeGreaterThan(0);
  });

  it("never throws, and always finds an error", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["pillars"] = [cyclic];
    let deep: unknown = [];
    for (let depth = 0; depth < 50_000; depth++) deep = { pillars: [deep] };
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const strange = [cyclic, deep, revoked.proxy, undefined, Symbol("x"), () => 1, new Map(), new Date(NaN)];
    for (const input of strange) expect(validateSpec(input).errors.length).toBeGreaterThan(0);
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (input) => {
        expect(validateSpec(input).errors).not.toEqual([]);
        expect(validateSpec({ title: "x", pillars: input }).errors).not.toEqual([]);
      }),
    );
  });
});

describe("agreement", () => {
  /** Complete specifications with up to three things spoiled at random. */
  const drafts = fc
    .tuple(
      productSpec(),
      fc.array(fc.tuple(fc.nat(), fc.nat(9), fc.constantFrom("", " ", "TBD", "none", "TSK-1")), {
        maxLength: 3,
      }),
    )
    .map(([spec, spoils]) => {
      for (const [at, what, text] of spoils) {
        const places = placedTasks(spec);
        const place = places[at % Math.max(1, places.length)];
        if (place === undefined) continue;
        const { pillar, epic, story, task } = place;
        const spoilers = [
          () => pillar.epics.splice(0),
          () => epic.stories.splice(0),
          () => epic.success_criteria.splice(0),
          () => story.tasks.splice(0),
          () => task.subtasks.splice(1),
          () => task.acceptance_criteria.splice(at % 2),
          () => (task.io_contract_sketch.outputs = text),
          () => (task.description = text),
          () => (task.task_id = text),
          () => (epic.name = text),
        ];
        spoilers[what]?.();
      }
      return spec;
    });

  it("raises criteria 1 to 6 exactly where a naive look finds too little", () => {
    fc.assert(
      fc.property(drafts, (spec) => {
        const naive: string[] = [];
        for (const [p, pillar] of spec.pillars.entries()) {
          const a = `$.pillars[${p}]`;
          if (pillar.epics.length < 1) naive.push(`1 ${a}.epics`);
          for (const [e, epic] of pillar.epics.entries()) {
            const b = `${a}.epics[${e}]`;
            if (epic.stories.length < 1) naive.push(`2 ${b}.stories`);
            if (epic.success_criteria.length < 1) naive.push(`2 ${b}.success_criteria`);
            for (const [s, story] of epic.stories.entries()) {
              const c = `${b}.stories[${s}]`;
              if (story.tasks.length < 1) naive.push(`3 ${c}.tasks`);
              for (const [t, task] of story.tasks.entries()) {
                const d = `${c}.tasks[${t}]`;
                if (task.subtasks.length < 2) naive.push(`4 ${d}.subtasks`);
                if (task.acceptance_criteria.length < 2) naive.push(`5 ${d}.acceptance_criteria`);
                for (const dimension of DIMENSIONS) {
                  if (["", "TBD"].includes(task.io_contract_sketch[dimension].trim())) {
                    naive.push(`6 ${d}.io_contract_sketch.${dimension}`);
                  }
                }
              }
            }
          }
        }
        const found = errorsOf(spec).filter(([criterion]) => criterion <= 6);
        expect(found.map(([criterion, path]) => `${criterion} ${path}`).toSorted()).toEqual(naive.toSorted());
      }),
    );
  });

  it("accepts what ProductSpec accepts, and nothing else, as far as criteria 1 to 6 and 10 go", () => {
    fc.assert(
      fc.property(drafts, (spec) => {
        const raised = errorsOf(spec).filter(([criterion]) => criterion <= 6 || criterion === 10);
        expect(raised.length === 0).toBe(ProductSpec.safeParse(spec).success);
      }),
    );
  });

  it("gives a report that matches its schema, errors and warnings apart, in order of criterion", () => {
    fc.assert(
      fc.property(drafts, (spec) => {
        const report = ValidationReport.parse(validateSpec(spec));
        expect(report.errors.every((error) => error.severity === "ERROR" && error.criterion <= 10)).toBe(
          true,
        );
        expect(report.warnings.every((each) => each.severity === "WARNING" && each.criterion > 10)).toBe(
          true,
        );
        const numbers = report.errors.map((error) => error.criterion);
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      }),
    );
  });

  it("finds nothing to refuse in the specifications of the arbitrary", () => {
    fc.assert(
      fc.property(productSpec(), (spec) => {
        expect(validateSpec(spec).errors).toEqual([]);
      }),
    );
  });
});
