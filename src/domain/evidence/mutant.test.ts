import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parse, renderProblem } from "../parse.ts";
import {
  criticalSurvivors,
  isCritical,
  isKilled,
  kindOfOperator,
  Mutant,
  MutantStatus,
  MutationKind,
  mutationScore,
  testSuiteVerdict,
} from "./mutant.ts";

const survivor: Mutant = {
  id: "1",
  file: "src/index.ts",
  line: 3,
  operator: "ConditionalExpression",
  kind: "RemovedCheck",
  original: "n < 0",
  replacement: "false",
  status: "survived",
  killedBy: [],
};
const FAR = { baselineMs: 250, limitMs: 1_000 };
const NEAR = { baselineMs: 251, limitMs: 1_000 };
const suite = (...statuses: Mutant["status"][]) => statuses.map((status) => ({ ...survivor, status }));

describe("kindOfOperator", () => {
  test.each<[string, string, string, MutationKind, boolean]>([
    ["ConditionalExpression", "n < 0", "false", "RemovedCheck", true],
    ["EqualityOperator", "a === b", "a !== b", "ConditionFlip", true],
    ["EqualityOperator", "a != b", "a == b", "ConditionFlip", true],
    ["EqualityOperator", "a < b", "a >= b", "ConditionFlip", true],
    ["EqualityOperator", "a <= b", "a > b", "ConditionFlip", true],
    ["EqualityOperator", "a < b", "a <= b", "BoundaryMutation", false],
    ["EqualityOperator", "a<=b", "a < b", "BoundaryMutation", false],
    ["EqualityOperator", "a > b", "a >= b", "BoundaryMutation", false],
    ["EqualityOperator", "a >= b", "a > b", "BoundaryMutation", false],
    ["BooleanLiteral", "true", "false", "ConditionFlip", true],
    ["BooleanLiteral", "!ready", "ready", "ConditionFlip", true],
    ["BlockStatement", "{ throw new RangeError(); }", "{}", "RemovedCheck", true],
    ["BlockStatement", "{ return 0; }", "{}", "RemovedCheck", true],
    ["BlockStatement", "{ log(thrown); }", "{}", "OtherMutation", false],
    ["OptionalChaining", "a?.b", "a.b", "RemovedCheck", true],
    ["ArithmeticOperator", "a + b", "a - b", "ChangedOperator", false],
    ["LogicalOperator", "a && b", "a || b", "ChangedOperator", false],
    ["UnaryOperator", "-a", "+a", "ChangedOperator", false],
    ["AssignmentOperator", "a += 1", "a -= 1", "ChangedOperator", false],
    ["MethodExpression", "s.trim()", "s", "ChangedOperator", false],
    ["UpdateOperator", "i++", "i--", "OffByOne", false],
    ["StringLiteral", '"a"', '""', "OtherMutation", false],
    ["ArrayDeclaration", "[1]", "[]", "OtherMutation", false],
    ["ObjectLiteral", "{ a }", "{}", "OtherMutation", false],
    ["ArrowFunction", "() => 1", "() => undefined", "OtherMutation", false],
    ["Regex", "/^a/", "/a/", "OtherMutation", false],
    ["SomethingNew", "a", "b", "OtherMutation", false],
    ["__proto__", "a", "b", "OtherMutation", false],
  ])("%s, %s to %s: %s, critical %s", (operator, original, replacement, kind, critical) => {
    expect(kindOfOperator(operator, original, replacement)).toBe(kind);
    expect(isCritical({ kind })).toBe(critical);
  });
});

describe("isKilled", () => {
  test.each<[MutantStatus, Mutant["timing"], boolean]>([
    ["killed", undefined, true],
    ["survived", undefined, false],
    ["noCoverage", undefined, false],
    ["timeout", FAR, true],
    ["timeout", NEAR, false],
    ["timeout", undefined, false],
    ["survived", FAR, false],
  ])("%s with timing %j: %s", (status, timing, killed) => {
    expect(isKilled({ status, timing })).toBe(killed);
  });
});

describe("mutationScore and testSuiteVerdict", () => {
  test.each([
    ["nothing", suite(), undefined, undefined],
    ["nothing that counts", suite("equivalent", "invalid"), undefined, undefined],
    ["all killed", suite("killed", "killed", "equivalent", "invalid"), 1, "Robust"],
    ["half killed", suite("killed", "survived"), 0.5, "HasGaps"],
    ["less than half killed", suite("killed", "survived", "noCoverage"), 1 / 3, "Weak"],
    ["none killed", suite("noCoverage"), 0, "Weak"],
    [
      "a time-out that proves nothing",
      [{ ...survivor, status: "timeout" as const, timing: NEAR }],
      0,
      "Weak",
    ],
    ["a time-out that does", [{ ...survivor, status: "timeout" as const, timing: FAR }], 1, "Robust"],
  ])("%s", (_, mutants, score, verdict) => {
    expect(mutationScore(mutants)).toBe(score);
    expect(testSuiteVerdict(mutants)).toBe(verdict);
  });

  test("agree with counting by hand", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...MutantStatus.exclude(["timeout"]).options)), (statuses) => {
        let [killed, alive] = [0, 0];
        for (const status of statuses) {
          if (status === "killed") killed++;
          if (status === "survived" || status === "noCoverage") alive++;
        }
        expect(mutationScore(suite(...statuses))).toBe(
          killed + alive === 0 ? undefined : killed / (killed + alive),
        );
        const named = alive === 0 ? "Robust" : alive * 2 > killed + alive ? "Weak" : "HasGaps";
        expect(testSuiteVerdict(suite(...statuses))).toBe(killed + alive === 0 ? undefined : named);
      }),
    );
  });
});

test("criticalSurvivors are the critical ones that count and live", () => {
  const all = [
    ...suite("killed", "survived", "noCoverage", "equivalent", "invalid"),
    { ...survivor, status: "timeout" as const, timing: NEAR },
    { ...survivor, status: "timeout" as const, timing: FAR },
    { ...survivor, kind: "OffByOne" as const },
  ];
  expect(criticalSurvivors(all).map((mutant) => [mutant.status, mutant.timing])).toEqual([
    ["survived", undefined],
    ["noCoverage", undefined],
    ["timeout", NEAR],
  ]);
});

describe("a mutant is refused", () => {
  const equivalence = { reason: "the cache only saves time", inputsTried: 1_000 };
  test.each<[string, object, string]>([
    [
      "called equivalent without a trial",
      { status: "equivalent" },
      "$.equivalence: expected the equivalence of a mutant whose status is equivalent, found nothing",
    ],
    [
      "called equivalent after no input",
      { status: "equivalent", equivalence: { ...equivalence, inputsTried: 0 } },
      "$.equivalence.inputsTried: expected at least 1, found 0",
    ],
    [
      "survived and yet excused",
      { equivalence },
      "$.equivalence: expected nothing unless its status is equivalent, found one on survived",
    ],
    [
      "timed out without timing",
      { status: "timeout" },
      "$.timing: expected the timing of a mutant whose status is timeout, found nothing",
    ],
    [
      "survived and yet killed",
      { killedBy: ["adds"] },
      "$.killedBy: expected nobody unless its status is killed, found adds",
    ],
    ["on line 0", { line: 0 }, "$.line: expected at least 1, found 0"],
    ["between lines", { line: 1.5 }, "$.line: expected an int, found 1.5"],
    [
      "called equivalent after half an input",
      { status: "equivalent", equivalence: { ...equivalence, inputsTried: 1.5 } },
      "$.equivalence.inputsTried: expected an int, found 1.5",
    ],
    [
      "timed against less than nothing",
      { status: "timeout", timing: { ...FAR, baselineMs: -1 } },
      "$.timing.baselineMs: expected at least 0, found -1",
    ],
    [
      "given no time",
      { status: "timeout", timing: { ...FAR, limitMs: 0 } },
      "$.timing.limitMs: expected more than 0, found 0",
    ],
  ])("%s", (_, change, line) => {
    const parsed = parse(Mutant, { ...survivor, ...change });
    expect(parsed.kind === "invalid" && parsed.problems.map(renderProblem)).toEqual([line]);
  });

  test("and accepted when it is whole", () => {
    expect(parse(Mutant, { ...survivor, status: "equivalent", equivalence }).kind).toBe("ok");
    expect(parse(Mutant, { ...survivor, status: "timeout", timing: FAR }).kind).toBe("ok");
    expect(parse(Mutant, { ...survivor, status: "killed", killedBy: ["adds"] }).kind).toBe("ok");
    expect(MutationKind.options).toHaveLength(8);
  });
});

test.each([["Mutant", Mutant]])("%s converts to JSON Schema and holds no open object", (_, schema) => {
  const json = JSON.stringify(z.toJSONSchema(schema, { io: "input" }));
  expect(json.match(/"type":"object"/g)?.length).toBe(json.match(/"additionalProperties":false/g)?.length);
});
