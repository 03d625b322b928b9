// Every builtin task has what a trial needs of it; whether it is true is shown by real runs in test/corpus.test.ts.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { contractFrom, ContractDraft, undecided } from "../../domain/contract/contract-draft.ts";
import { FunctionSpecs } from "../../domain/blind/function-spec.ts";
import { PropertyWritten } from "../../domain/blind/suite-coverage.ts";
import { ModuleResearch } from "../../domain/gatekeeper/module-research.ts";
import { researchProblems } from "../../domain/gatekeeper/research-check.ts";
import { PlannedModule } from "../../domain/plan/micro-plan.ts";
import { honest } from "../../simulator/honest.ts";
import type { SimulatedCall, SimulatedCase } from "../../simulator/port.ts";
import { BUILTIN } from "./builtin.ts";
import { caseOf } from "./builtin-case.ts";
import { OMISSION_KINDS, testsOf, withOmission } from "./builtin-task.ts";
import { AREAS } from "./corpus-task.ts";
import { blocksIn, testFile } from "./test-file.ts";

const TASKS = BUILTIN.tasks();

test("there are at least 32 tasks, each by a name of its own, spread over all areas", () => {
  expect(TASKS.length).toBeGreaterThanOrEqual(32);
  expect(new Set(TASKS.map(({ id }) => id)).size).toBe(TASKS.length);
  const spread = AREAS.map((area) => TASKS.filter((task) => task.area === area).length);
  expect(Math.min(...spread)).toBeGreaterThanOrEqual(2);
  const sizes = TASKS.map(({ reference, entry }) => (reference[entry] ?? "").trim().split("\n").length);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(10);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(60);
});

test("some have several errors, several entry points, wait, or reach out of themselves", () => {
  expect(having(({ error_surfaces }) => error_surfaces.length > 1)).toBeGreaterThanOrEqual(10);
  expect(having(({ error_surfaces }) => error_surfaces.length === 0)).toBeGreaterThanOrEqual(1);
  expect(having(({ entry_points }) => entry_points.length > 1)).toBeGreaterThanOrEqual(2);
  expect(having(({ modes }) => modes.async)).toBeGreaterThanOrEqual(3);
  expect(having(({ effects }) => effects.length > 0)).toBeGreaterThanOrEqual(2);
});

function having(is: (contract: ContractDraft) => boolean): number {
  return TASKS.filter(({ contract }) => is(contract)).length;
}

describe.each(TASKS)("$id", (task) => {
  const { contract, constraints, tests, wrongTests, omissions, reference, entry, oracle } = task;
  const source = reference[entry] ?? "";
  const ids = constraints.map(({ id }) => id);

  test("its specification names every constraint, error and example", () => {
    for (const { id, text } of constraints) expect(task.spec).toContain(`- ${id}: ${text}`);
    for (const { name } of contract.error_surfaces) expect(task.spec).toContain(`throws \`${name}\``);
    for (const { call } of task.examples) expect(task.spec).toContain(call);
  });

  test("its contract can be locked, and every promise in it can be decided", () => {
    const drafted = contractFrom(ContractDraft.parse(contract), plannedOf(caseOf(task)), "1.0.0");
    expect(drafted.kind === "invalid" ? drafted.problems : undecided(drafted.contract)).toEqual([]);
  });

  test("its tests cover each constraint, one of them with whatever input", () => {
    expect(new Set(tests.map(({ covers }) => covers))).toEqual(new Set(ids));
    expect(tests.some(({ code }) => code.includes("fc.assert("))).toBe(true);
    expect(wrongTests.length).toBeGreaterThanOrEqual(2);
    const titles = [...tests, ...wrongTests].map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    for (const { covers } of wrongTests) expect(ids).toContain(covers);
  });

  test("its defects change one place each, and are of at least four kinds", () => {
    expect(omissions.length).toBeGreaterThanOrEqual(5);
    const kinds = new Set(omissions.map(({ kind }) => kind));
    expect(kinds.size).toBeGreaterThanOrEqual(4);
    for (const kind of kinds) expect(OMISSION_KINDS).toContain(kind);
    for (const omission of omissions) {
      expect(ids).toContain(omission.breaks);
      expect(source.split(omission.find)).toHaveLength(2);
      expect(withOmission(task, omission)[entry]).not.toBe(source);
    }
  });

  test("its oracle shows nothing that workers see", () => {
    const [text = "", ...others] = Object.values(oracle);
    expect(others).toEqual([]);
    expect(text).toContain('from "../src/index.ts"');
    for (const { call, throws } of task.examples) if (throws === null) expect(text).not.toContain(call);
  });

  test("simulated agents of every role know what to say about it", () => {
    const about = caseOf(task);
    const specs = FunctionSpecs.parse(about.types.functions);
    const properties = about.properties.map((each) => PropertyWritten.parse(each));
    for (const { name, properties: sketches } of specs) {
      const covering = properties.find(({ coversSketch }) => coversSketch === sketches[0]?.name);
      expect(covering?.targetFunctions).toContain(name);
    }
    const said = z.object({ answer: ModuleResearch }).parse(honest(researching(about), [about])?.output);
    expect(researchProblems(said.answer, plannedOf(about))).toEqual([]);
    expect(about.task.acceptance_criteria).toEqual(constraints.map(({ text }) => text));
  });
});

function plannedOf({ planned }: SimulatedCase): PlannedModule {
  const told = Object.entries(planned).filter(([, value]) => value !== null);
  return PlannedModule.parse(Object.fromEntries(told));
}

function researching(about: SimulatedCase): SimulatedCall {
  const { module_id: module } = about.planned;
  const key = { role: "researcher", task: about.task.task_id, module, node: "research", attempt: 1 } as const;
  const said = { system: "", prompt: "", workspace: undefined, tools: [], random: () => 0 };
  return { key, role: "researcher", ...said, case: about };
}

test("a file of tests imports what its tests use and nothing else", () => {
  const source =
    "export class Bad extends Error {}\nexport type Kind = 1;\nexport async function give() {}\n";
  const [first, second] = blocksIn(
    "// C1: one\nexpect(give()).toBe(1);\n\n// two\nawait vi.fn(Bad);\nconst k: Kind = 1;",
  );
  expect(testFile([first?.code ?? ""], source)).toBe(
    'import { expect, test } from "vitest";\nimport { give } from "../src/index.ts";\n\ntest("one", () => {\n  expect(give()).toBe(1);\n});\n',
  );
  expect(testFile([second?.code ?? ""], source, ['import { a, b } from "node:fs";'])).toBe(
    'import { test, vi } from "vitest";\nimport { Bad, type Kind } from "../src/index.ts";\n\ntest("two", async () => {\n  await vi.fn(Bad);\n  const k: Kind = 1;\n});\n',
  );
});

test("a case can be made with the tests of some constraints", () => {
  const [task] = TASKS;
  if (task === undefined) throw new Error("there is a task");
  const some = task.tests.slice(0, 1);
  expect(caseOf(task, some).tests).toEqual(testsOf(task, some));
  expect(caseOf(task, some).properties.map(({ name }) => name)).toEqual(some.map(({ title }) => title));
});
