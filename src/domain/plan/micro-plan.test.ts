import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import { MicroPlan, PlannedModule, TaskRef } from "./micro-plan.ts";

const MODULE = {
  module_id: "MM-slugify",
  name: "slugify",
  purpose: "Turns a title into a slug.",
  io_contract: {
    inputs: ["title: string, not blank"],
    outputs: ["slug: string, lowercase"],
    error_surfaces: ["BlankTitle when the title is blank"],
    effects: ["none"],
    modes: ["sync"],
  },
  error_cases: ["a title of spaces only"],
  depends_on: ["MM-letters@1.0.0"],
  reuse_candidate_refs: ["MM-kebab@2.1.0"],
  reuse_decision: "CREATE_NEW",
  reuse_justification: "MM-kebab keeps upper case.",
};
const PLAN = {
  micro_plan_id: "MP-a1b2c3d4",
  parent_task_ref: "T-core-text-slug-001@1.0.0",
  modules: [MODULE],
};

describe("MicroPlan", () => {
  it("keeps a well-formed plan as it is", () => {
    expect(parse(MicroPlan, PLAN)).toEqual({ kind: "ok", value: PLAN });
  });

  it.each([
    ["a plan id without its prefix", { micro_plan_id: "a1b2c3d4" }, "$.micro_plan_id"],
    ["a plan id with more behind it", { micro_plan_id: "MP-a1\n" }, "$.micro_plan_id"],
    ["a task without a version", { parent_task_ref: "T-core-text-slug-001" }, "$.parent_task_ref"],
    ["a plan without modules", { modules: [] }, "$.modules"],
    ["an unknown key", { notes: "none" }, "$.notes"],
  ])("refuses %s", (_, change, path) => {
    expect(parse(MicroPlan, { ...PLAN, ...change })).toMatchObject({ kind: "invalid", problems: [{ path }] });
  });

  it("refuses a prototype key like any unknown key", () => {
    const input: unknown = JSON.parse(JSON.stringify(PLAN).replace("{", '{"constructor": 1,'));
    expect(parse(MicroPlan, input)).toMatchObject({ problems: [{ path: "$.constructor" }] });
  });

  it.each([MicroPlan, PlannedModule])("converts to JSON Schema", (schema) => {
    expect(z.toJSONSchema(schema)).toMatchObject({ type: "object", additionalProperties: false });
  });
});

describe("PlannedModule", () => {
  it.each(["", "  ", "TBD", "n/a"])("refuses a new module justified by %j", (reuse_justification) => {
    expect(parse(PlannedModule, { ...MODULE, reuse_justification })).toEqual({
      kind: "invalid",
      problems: [
        {
          path: "$.reuse_justification",
          expected: "the reason why nothing in the Code Index will do, because reuse_decision is CREATE_NEW",
          found: JSON.stringify(reuse_justification),
        },
      ],
    });
  });

  it("refuses to reuse nothing", () => {
    const input = { ...MODULE, reuse_decision: "REUSE", reuse_candidate_refs: [] };
    expect(parse(PlannedModule, input)).toEqual({
      kind: "invalid",
      problems: [
        {
          path: "$.reuse_candidate_refs",
          expected: "at least one module to reuse, because reuse_decision is REUSE",
          found: "an empty list",
        },
      ],
    });
  });

  it.each([
    ["reuse without a justification", { reuse_decision: "REUSE", reuse_justification: "" }],
    ["a new module where the search found nothing", { reuse_candidate_refs: [] }],
    ["no error cases and no dependencies", { error_cases: [], depends_on: [] }],
  ])("accepts %s", (_, change) => {
    expect(parse(PlannedModule, { ...MODULE, ...change }).kind).toBe("ok");
  });

  it.each([
    ["an id with a hyphen inside", { module_id: "MM-a-b" }, "$.module_id"],
    ["a candidate without a version", { reuse_candidate_refs: ["MM-kebab"] }, "$.reuse_candidate_refs[0]"],
    ["a dependency on a range", { depends_on: ["MM-a@^1.0.0"] }, "$.depends_on[0]"],
    ["another decision", { reuse_decision: "MAYBE" }, "$.reuse_decision"],
    ["a blank name", { name: " " }, "$.name"],
    ["another mode", { io_contract: { ...MODULE.io_contract, modes: ["later"] } }, "$.io_contract.modes[0]"],
  ])("refuses %s", (_, change, path) => {
    expect(parse(PlannedModule, { ...MODULE, ...change })).toMatchObject({ problems: [{ path }] });
  });
});

it.each(Object.keys(MODULE.io_contract))("refuses empty %s", (dimension) => {
  const input = { ...MODULE, io_contract: { ...MODULE.io_contract, [dimension]: [] } };
  expect(parse(PlannedModule, input)).toMatchObject({ problems: [{ path: `$.io_contract.${dimension}` }] });
});

describe("TaskRef", () => {
  const longest = `T-${"a".repeat(122)}-001`;

  it("takes ids of up to 128 characters", () => {
    expect(longest).toHaveLength(128);
    expect(TaskRef.safeParse(`${longest}@1.0.0`).success).toBe(true);
    expect(TaskRef.safeParse(`${longest.replace("T-", "T-a")}@1.0.0`).success).toBe(false);
  });

  it.each(["", "T-@1.0.0", "T-a-001@", "T-a-001@1.0", "T-A-001@1.0.0", "T-a-001@1.0.0 ", "x@T-a-001@1.0.0"])(
    "refuses %j",
    (ref) => expect(TaskRef.safeParse(ref).success).toBe(false),
  );
});
