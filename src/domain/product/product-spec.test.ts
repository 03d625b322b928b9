import { describe, expect, it } from "vitest";
import { z } from "zod";
import { exampleSpec, exampleTask } from "../../../test/arbitraries/product-spec.ts";
import { parse, renderProblem } from "../parse.ts";
import { IoContractSketch, ProductSpec, SpecDraft, SpecTask } from "./product-spec.ts";

function problemsOf(schema: z.ZodType, input: unknown): string[] {
  const parsed = parse(schema, input);
  return parsed.kind === "ok" ? [] : parsed.problems.map((problem) => renderProblem(problem));
}

describe("ProductSpec", () => {
  it("accepts the example as it is", () => {
    expect(parse(ProductSpec, exampleSpec())).toEqual({ kind: "ok", value: exampleSpec() });
  });

  it.each([
    ["spec_id", "SPEC-12", "an id such as SPEC-001"],
    ["spec_id", "spec-001", "an id such as SPEC-001"],
    ["spec_id", "SPEC-001\n", "an id such as SPEC-001"],
    ["title", " ", "at least 1 character"],
    ["pillars", [], "at least 1 entry"],
  ])("refuses %s %j", (key, value, expected) => {
    const found = JSON.stringify(value);
    expect(problemsOf(ProductSpec, { ...exampleSpec(), [key]: value })).toEqual([
      `$.${key}: expected ${expected}, found ${found}`,
    ]);
  });

  it.each(["SPEC-001", "SPEC-0001", "SPEC-123456"])("accepts the id %s", (spec_id) => {
    expect(problemsOf(ProductSpec, { ...exampleSpec(), spec_id })).toEqual([]);
  });
});

describe("SpecTask", () => {
  it("may leave depends_on out, but not empty its entries", () => {
    const task = exampleTask("TSK-001", "Read");
    expect(problemsOf(SpecTask, task)).toEqual([]);
    expect(problemsOf(SpecTask, { ...task, depends_on: [] })).toEqual([]);
    expect(problemsOf(SpecTask, { ...task, depends_on: ["Read"] })).toEqual([
      '$.depends_on[0]: expected an id such as TSK-001, found "Read"',
    ]);
  });

  it("wants two subtasks and two acceptance criteria", () => {
    const task = { ...exampleTask("TSK-001", "Read"), subtasks: ["a"], acceptance_criteria: ["a"] };
    expect(problemsOf(SpecTask, task)).toEqual([
      '$.subtasks: expected at least 2 entries, found ["a"]',
      '$.acceptance_criteria: expected at least 2 entries, found ["a"]',
    ]);
  });
});

describe("IoContractSketch", () => {
  const sketch = exampleTask("TSK-001", "Read").io_contract_sketch;

  it("refuses an empty dimension once, and a placeholder by name", () => {
    expect(problemsOf(IoContractSketch, { ...sketch, inputs: " ", modes: "[TBD]" })).toEqual([
      '$.inputs: expected at least 1 character, found " "',
      '$.modes: expected a real answer, "none" if there is nothing, found the placeholder "[TBD]"',
    ]);
  });

  it("refuses a missing and an invented dimension", () => {
    const { effects: _, ...rest } = sketch;
    expect(problemsOf(IoContractSketch, { ...rest, effect: "none" })).toEqual([
      "$.effects: expected a string, found nothing",
      '$.effect: expected the key "effects", found the unknown key "effect"',
    ]);
  });
});

describe("SpecDraft", () => {
  it("reads whatever is missing as empty", () => {
    const task = { ...exampleTask("TSK-001", "Read"), subtasks: [] };
    const parsed = parse(SpecDraft, { pillars: [{ epics: [{ stories: [{ tasks: [task, {}] }] }] }] });
    const sketch = { inputs: "", outputs: "", error_surfaces: "", effects: "", modes: "" };
    const empty = { task_id: "", name: "", description: "", subtasks: [], acceptance_criteria: [] };
    expect(parsed).toMatchObject({
      kind: "ok",
      value: {
        pillars: [{ epics: [{ stories: [{ tasks: [task, { ...empty, io_contract_sketch: sketch }] }] }] }],
      },
    });
  });

  it("accepts every complete spec unchanged", () => {
    expect(parse(SpecDraft, exampleSpec())).toEqual({ kind: "ok", value: exampleSpec() });
  });

  it("does not guess at what has the wrong kind", () => {
    expect(problemsOf(SpecDraft, { title: 3, pillars: [{ epics: {} }], __proto: 1 })).toEqual([
      "$.title: expected a string, found 3",
      "$.pillars[0].epics: expected an array, found {}",
      expect.stringContaining('found the unknown key "__proto"'),
    ]);
  });
});

it("both levels convert to JSON Schema", () => {
  expect(z.toJSONSchema(ProductSpec)).toMatchObject({ required: expect.arrayContaining(["pillars"]) });
  expect(z.toJSONSchema(SpecDraft, { io: "input" })).not.toHaveProperty("required");
});
