import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claimedCriteria, criteriaOf, CriterionId, taskOfCriterion } from "./e2e-criteria.ts";
import { fileFindings } from "./e2e-files.ts";
import { claimFindings, type E2eTest, fallFindings, shownBy } from "./e2e-suite.ts";
import { needsE2eTests } from "./test-layer.ts";

const [A, B] = ["T-a-b-c-001", "T-a-b-c-002"] as const;
const CRITERIA = criteriaOf([
  { task_id: A, acceptance_criteria: ["it adds", "it refuses"] },
  { task_id: B, acceptance_criteria: ["it shows"] },
]);
const named = (name: string): E2eTest => ({ name, file: "a.test.ts" });
const rules = (findings: readonly { rule: string }[]) => findings.map(({ rule }) => rule);

describe("the criteria in a title", () => {
  test.each([
    [`adds [${A}.1]`, [`${A}.1`]],
    [`adds [${A}.1, ${A}.2] and more [${B}.1]`, [`${A}.1`, `${A}.2`, `${B}.1`]],
    [`group [${A}.1] > adds [${A}.1]`, [`${A}.1`]],
    [`adds ${A}.1`, []],
    [`adds [1, 2] of [${A}]`, []],
    [`adds [${A}.0]`, []],
  ])("%s", (title, expected) => {
    expect(claimedCriteria(title)).toEqual(expected);
  });

  test("are found again whatever stands around them", () => {
    const words = fc.string().map((text) => text.replaceAll(/[[\]]/g, ""));
    fc.assert(
      fc.property(words, fc.subarray(CRITERIA, { minLength: 1 }), words, (before, chosen, after) => {
        const ids = chosen.map(({ id }) => id);
        expect(claimedCriteria(`${before}[${ids.join(", ")}]${after}`)).toEqual(ids);
      }),
    );
    for (const { id, task } of CRITERIA) {
      expect(CriterionId.safeParse(id).success).toBe(true);
      expect(taskOfCriterion(id)).toBe(task);
    }
  });
});

describe("what titles say", () => {
  const all = [named(`one [${A}.1]`), named(`two [${A}.2, ${B}.1]`)];
  test("is enough when every criterion is named", () => {
    expect(claimFindings(all, CRITERIA, [])).toEqual([]);
    expect(shownBy(all, CRITERIA).map(({ shown_by }) => shown_by.length)).toEqual([1, 1, 1]);
  });

  test.each<[string, E2eTest[], { criterion: string; why: string }[], string[]]>([
    ["nothing named", [...all, named("three")], [], ["names-no-criterion"]],
    ["something unknown", [...all, named(`three [${B}.2]`)], [], ["unknown-criterion"]],
    ["one left out", all.slice(1), [], ["criterion-not-shown"]],
    ["one left out and excused", all.slice(1), [{ criterion: `${A}.1`, why: "no" }], []],
    ["one shown and excused", all, [{ criterion: `${A}.1`, why: "no" }], ["shown-and-excused"]],
    ["an unknown one excused", all, [{ criterion: `${A}.9`, why: "no" }], ["unknown-criterion"]],
    ["no test at all", [], [], ["criterion-not-shown", "criterion-not-shown", "criterion-not-shown"]],
  ])("is judged: %s", (_, tests, excuses, expected) => {
    expect(rules(claimFindings(tests, CRITERIA, excuses))).toEqual(expected);
  });
});

describe("tests fall", () => {
  const both = named(`both [${A}.1, ${B}.1]`);
  test.each([
    ["with everything and each task", "red", { [A]: "red", [B]: "red" }, []],
    ["with nothing", "green", { [A]: "red", [B]: "red" }, ["green-on-stubs"]],
    ["with one of two tasks", "red", { [A]: "red", [B]: "green" }, ["shows-nothing-of-it"]],
    ["where a task has no module of its own", "red", { [A]: "red" }, []],
  ] as const)("%s", (_, everywhere, tasks, expected) => {
    const byTask = new Map<string, "red" | "green">(Object.entries(tasks));
    const falls = {
      everywhere: () => everywhere,
      withTask: (_test: E2eTest, task: string) => byTask.get(task),
    };
    expect(rules(fallFindings([both], falls))).toEqual(expected);
  });
});

test.each([
  [{ "a.test.ts": "", "deep/b.ts": "", "c.json": "", "d.md": "" }, []],
  [{ "a.ts": "" }, ["no-tests"]],
  [{}, ["no-tests"]],
  [{ "a.test.ts": "", "package.json": "" }, ["not-a-test"]],
  [{ "a.test.ts": "", "x/tsconfig.e2e.json": "" }, ["not-a-test"]],
  [{ "a.test.ts": "", "vitest.config.ts": "" }, ["not-a-test"]],
  [{ "a.test.ts": "", "node_modules/vitest/index.ts": "" }, ["not-a-test"]],
  [{ "a.test.ts": "", "global.d.ts": "" }, ["not-a-test"]],
  [{ "a.test.ts": "", "b.js": "" }, ["not-a-test"]],
  [{ "a.test.ts": "", ".env.ts": "" }, ["not-a-test"]],
  [{ "a.test.ts": "", "../b.ts": "" }, ["not-a-test"]],
])("files below e2e/: %j", (files, expected) => {
  expect(rules(fileFindings(files))).toEqual(expected);
});

test.each([
  ["all done and one uses another", true, [[], ["MM-a@1.0.0"]], ["e2e"], true],
  ["not all done", false, [[], ["MM-a@1.0.0"]], ["e2e"], false],
  ["none uses another", true, [[], []], ["e2e"], false],
  ["the rigor does not list them", true, [[], ["MM-a@1.0.0"]], ["unit"], false],
] as const)("end-to-end tests are due: %s", (_, allVerified, uses, layers, due) => {
  const modules = uses.map((dependencies) => ({ dependencies }));
  expect(needsE2eTests({ layers }, { allVerified, modules })).toBe(due);
});
