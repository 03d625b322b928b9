import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import { LEGAL_TRANSITIONS, TASK_STATUSES } from "../task/task-status.ts";
import { HumanResolution, ResolutionAction, resolutionApplies, resolutionEffect } from "./resolution.ts";
import { spoil } from "../../../test/spoil.ts";

const task = {
  name: "Parse dates",
  description: "Reads ISO dates",
  subtasks: ["read the year", "read the rest"],
  acceptance_criteria: ["accepts 2026-11-15", "refuses 2026-13-01"],
  depends_on: ["T-text-slug-basics-001"],
  io_contract_sketch: {
    inputs: "text",
    outputs: "a date",
    error_surfaces: "InvalidDate",
    effects: "none",
    modes: "sync",
  },
};
const module = {
  module_id: "MM-date",
  name: "date",
  purpose: "Reads an ISO date.",
  io_contract: {
    inputs: ["text"],
    outputs: ["date"],
    error_surfaces: ["InvalidDate"],
    effects: ["none"],
    modes: ["sync"],
  },
  error_cases: [],
  depends_on: [],
  reuse_candidate_refs: [],
  reuse_decision: "CREATE_NEW",
  reuse_justification: "no module of the index reads dates",
};
const split = (...new_tasks: unknown[]) => ({ action: "SPLIT_TASK", new_tasks });
const fix = (fix_artifacts: unknown) => ({
  action: "PROVIDE_FIX",
  fix_description: "off by one",
  fix_artifacts,
});
const amend = {
  action: "AMEND_SPEC",
  amended_acceptance_criteria: ["accepts A", "refuses B"],
  amendment_rationale: "C was impossible",
};

/** Where people may write what they like. */
const FREE = [
  "$.fix_artifacts",
  "$.revised_micro_plan",
  "$.new_tasks[0].depends_on",
  "$.new_tasks[1].depends_on",
];
const resolutions = [
  { action: "APPROVE_OVERRIDE", rationale: "the challenge is about style" },
  amend,
  { ...amend, depends_on: [] },
  { ...amend, depends_on: ["T-text-slug-basics-001"] },
  split(task),
  split(task, { ...task, name: "Format dates", depends_on: ["Parse dates"] }),
  { action: "REVISE_PLAN", revised_micro_plan: [module] },
  fix({ "src/index.ts": "export {};\n", "src/[...slug].ts": "", ".gitignore": "" }),
  { action: "ABANDON_TASK", rationale: "nobody needs it" },
  { action: "ATTEST_SHIPPED", rationale: "done by hand" },
  { action: "ATTEST_SHIPPED", rationale: "done by hand", module_refs: ["MM-date@1.0.0"] },
];
describe("HumanResolution", () => {
  it.each(resolutions)("accepts %j", (resolution) => {
    expect(parse(HumanResolution, resolution)).toEqual({ kind: "ok", value: resolution });
  });

  it.each(resolutions.flatMap((resolution) => spoil(resolution, FREE)))(
    "refuses $how at $path: $input.action",
    ({ input, path }) => {
      const parsed = parse(HumanResolution, input);
      expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
    },
  );

  it.each([
    [{ action: "APPROVE_OVERRIDE", rationale: " " }, "$.rationale"],
    [{ action: "APPROVE_OVERRIDE" }, "$.rationale"],
    [{ ...amend, amended_acceptance_criteria: ["only one"] }, "$.amended_acceptance_criteria"],
    [{ ...amend, amended_acceptance_criteria: ["accepts A", ""] }, "$.amended_acceptance_criteria[1]"],
    [{ ...amend, amendment_rationale: "" }, "$.amendment_rationale"],
    [{ ...amend, depends_on: ["TSK-001"] }, "$.depends_on[0]"],
    [split(), "$.new_tasks"],
    [split({ ...task, subtasks: ["one"] }), "$.new_tasks[0].subtasks"],
    [split({ ...task, acceptance_criteria: ["one"] }), "$.new_tasks[0].acceptance_criteria"],
    [split({ ...task, depends_on: undefined }), "$.new_tasks[0].depends_on"],
    [split({ ...task, task_id: "TSK-001" }), "$.new_tasks[0].task_id"],
    [split({ ...task, io_contract_sketch: undefined }), "$.new_tasks[0].io_contract_sketch"],
    [
      split({ ...task, io_contract_sketch: { ...task.io_contract_sketch, effects: "TBD" } }),
      "$.new_tasks[0].io_contract_sketch.effects",
    ],
    [{ action: "REVISE_PLAN", revised_micro_plan: [] }, "$.revised_micro_plan"],
    [
      { action: "REVISE_PLAN", revised_micro_plan: [{ ...module, io_contract: undefined }] },
      "$.revised_micro_plan[0].io_contract",
    ],
    [{ action: "ABANDON_TASK" }, "$.rationale"],
    [{ action: "ATTEST_SHIPPED", module_refs: ["MM-date@1.0.0"] }, "$.rationale"],
    [{ action: "ATTEST_SHIPPED", rationale: "x", module_refs: ["MM-date"] }, "$.module_refs[0]"],
    [{ action: "SHRUG" }, "$.action"],
    ["just ship it", "$"],
  ])("refuses %j at %s", (resolution, path) => {
    expect(parse(HumanResolution, resolution)).toMatchObject({ problems: [{ path }] });
  });

  it.each([
    [
      split(task, task),
      "$.new_tasks[1].name",
      "a name that new_tasks[0] does not have",
      '"Parse dates" again',
    ],
    [
      split({ ...task, depends_on: ["Format dates"] }),
      "$.new_tasks[0].depends_on[0]",
      "the id of an existing task or the name of another new one",
      '"Format dates"',
    ],
    [
      split({ ...task, depends_on: ["Parse dates"] }),
      "$.new_tasks",
      "tasks that do not wait for each other",
      "Parse dates → Parse dates",
    ],
    [
      split({ ...task, depends_on: ["B"] }, { ...task, name: "B", depends_on: ["Parse dates"] }),
      "$.new_tasks",
      "tasks that do not wait for each other",
      "Parse dates → B → Parse dates",
    ],
    [fix({}), "$.fix_artifacts", "at least one file", "none"],
    [
      fix({ "src/.GIT/hooks/pre-commit": "" }),
      '$.fix_artifacts["src/.GIT/hooks/pre-commit"]',
      "a path outside .git and .cupel, which are the factory's",
      '"src/.GIT/hooks/pre-commit"',
    ],
    [
      fix({ ".cupel/db": "" }),
      '$.fix_artifacts[".cupel/db"]',
      "a path outside .git and .cupel, which are the factory's",
      '".cupel/db"',
    ],
  ])("refuses %j and says why", (resolution, path, expected, found) => {
    expect(parse(HumanResolution, resolution)).toEqual({
      kind: "invalid",
      problems: [{ path, expected, found }],
    });
  });

  it.each(["", "/etc/passwd", "../x", "a/../../x", "./a", "a//b", "a/", "a\\b", "C:/a", "a\0b"])(
    "refuses the path %j in a fix",
    (path) => {
      expect(parse(HumanResolution, fix({ "ok.ts": "", [path]: "" }))).toMatchObject({
        problems: [
          { expected: 'a relative path with "/" and without "." or ".."', found: JSON.stringify(path) },
        ],
      });
    },
  );

  it("takes a file named like a prototype's key for a file, never for a prototype", () => {
    expect(parse(HumanResolution, fix({ constructor: "x" })).kind).toBe("ok");
    const poisoned: unknown = JSON.parse('{"__proto__": "x"}');
    expect(parse(HumanResolution, fix(poisoned))).toMatchObject({
      problems: [{ path: "$.fix_artifacts", expected: "at least one file" }],
    });
  });

  it("has exactly the actions that people can name", () => {
    const actions = HumanResolution.options.map((option) => option.shape.action.value);
    expect(actions).toEqual(ResolutionAction.options);
  });

  it("converts to JSON Schema", () => {
    expect(z.toJSONSchema(HumanResolution)).toBeDefined();
  });
});

describe("resolutionApplies", () => {
  const behind = new Set(["SPLIT_TASK", "AMEND_SPEC", "ABANDON_TASK"]);
  const cases = ResolutionAction.options.flatMap((action) =>
    TASK_STATUSES.flatMap((status) => [true, false].map((abandoned) => [action, status, abandoned] as const)),
  );

  it.each(cases)("%s on %s, behind an abandoned task: %s", (action, status, abandoned) => {
    const expected = status === "HALTED" || (status === "BLOCKED" && abandoned && behind.has(action));
    expect(resolutionApplies(action, status, abandoned).kind).toBe(expected ? "allowed" : "refused");
  });

  it.each([
    ["ABANDON_TASK", "SHIPPED", false, "ABANDON_TASK resolves a HALTED task; this one is SHIPPED"],
    ["AMEND_SPEC", "BLOCKED", false, "this task is BLOCKED by a halted one; resolve that one"],
    [
      "PROVIDE_FIX",
      "BLOCKED",
      true,
      "behind an abandoned task only SPLIT_TASK, AMEND_SPEC, ABANDON_TASK apply, not PROVIDE_FIX",
    ],
  ] as const)("says why %s does not apply to %s", (action, status, abandoned, reason) => {
    expect(resolutionApplies(action, status, abandoned)).toEqual({ kind: "refused", reason });
  });
});

describe("resolutionEffect", () => {
  it.each([
    ["APPROVE_OVERRIDE", "IN_PROGRESS", "ship"],
    ["AMEND_SPEC", "PENDING", "dispatch"],
    ["SPLIT_TASK", "ABANDONED", "dispatch"],
    ["REVISE_PLAN", "IN_PROGRESS", "micro_plan"],
    ["PROVIDE_FIX", "IN_PROGRESS", "challenge"],
    ["ABANDON_TASK", "ABANDONED", "none"],
    ["ATTEST_SHIPPED", "SHIPPED", "none"],
  ] as const)("%s leads to %s and goes on at %s", (action, to, entry) => {
    expect(resolutionEffect(action)).toEqual({ to, entry });
  });

  it("only ever asks for a legal transition from where the action applies", () => {
    for (const action of ResolutionAction.options) {
      for (const status of TASK_STATUSES) {
        const applies = resolutionApplies(action, status, true).kind === "allowed";
        expect(!applies || LEGAL_TRANSITIONS[status].includes(resolutionEffect(action).to)).toBe(true);
      }
    }
  });
});
