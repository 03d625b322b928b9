import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parse, renderProblem } from "../parse.ts";
import { GateName } from "./gate.ts";
import {
  blocks,
  type Finding,
  type GateOutcome,
  GateVerdict,
  judge,
  type PlantedDefect,
} from "./gate-verdict.ts";
import { resolveRigor, RIGOR } from "./rigor.ts";

const KEY = "a".repeat(64);
const finding: Finding = { rule: "test-failed", message: "adds: expected 3, found 4" };
const live: PlantedDefect = { planted: "an implementation that throws", refused: true, how: "this-run" };
const outcome: GateOutcome = {
  gate: "green",
  looked: 3,
  findings: [],
  liveness: live,
  evidence: [`sha256:${KEY}`],
  durationMs: 12,
  costUsd: "unknown",
};
const pass = {
  verdict: "PASS",
  gate: "green",
  denominator: 3,
  findings: [],
  liveness: live,
  evidence: [`sha256:${KEY}`],
  durationMs: 12,
  costUsd: "unknown",
};
const nothing = { gate: "green", denominator: 0, findings: [], evidence: [], durationMs: 0, costUsd: 0 };

const anyLooked = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }) },
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, Number.NaN, Infinity, 2 ** 60),
);
const anyPlant: fc.Arbitrary<PlantedDefect> = fc.record(
  {
    planted: fc.constantFrom("a type error", "x", "", "  "),
    refused: fc.boolean(),
    how: fc.constantFrom("this-run", "cached"),
    cacheKey: fc.constantFrom(KEY, "", "A".repeat(64), "sha256:abc"),
  },
  { requiredKeys: ["planted", "refused", "how"] },
);
const anyOutcome: fc.Arbitrary<GateOutcome> = fc.record({
  gate: fc.constantFrom(...GateName.options),
  looked: anyLooked,
  findings: fc.array(fc.constant(finding), { maxLength: 2 }),
  liveness: fc.oneof(fc.constantFrom(live, undefined), anyPlant),
  evidence: fc.constant([]),
  durationMs: fc.nat(),
  costUsd: fc.oneof(fc.constant("unknown" as const), fc.double({ min: 0, max: 9, noNaN: true })),
});

describe("the first law", () => {
  test("judge never passes a gate that looked at nothing or has not shown that it can say no", () => {
    const unproven = anyOutcome.filter((raw) => !(raw.looked >= 1) || !hasRefused(raw.liveness));
    fc.assert(
      fc.property(unproven, (raw) => {
        expect(judge(raw).verdict).not.toBe("PASS");
      }),
      { numRuns: 500 },
    );
  });

  test("judge agrees with a plain reading of the law, which has three answers", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyOutcome, (raw) => {
        expect(judge(raw).verdict).toBe(naiveVerdict(raw));
        seen.add(judge(raw).verdict);
      }),
      { numRuns: 500 },
    );
    expect([...seen].toSorted()).toEqual(["ERROR", "FAIL", "PASS"]);
  });

  test("whatever judge says is a valid verdict, also after a round trip through JSON", () => {
    fc.assert(
      fc.property(anyOutcome, (raw) => {
        const verdict = judge(raw);
        expect(parse(GateVerdict, JSON.parse(JSON.stringify(verdict)))).toMatchObject({ kind: "ok" });
      }),
    );
  });

  test("no document that claims PASS gets through without a denominator and a refused plant", () => {
    const denominator = fc.oneof(fc.integer({ max: 0 }), fc.constantFrom(0.5, "3", null, undefined));
    const liveness = fc.oneof(
      anyPlant.filter((plant) => !hasRefused(plant)),
      fc.constantFrom(undefined, null, true, {}, { ...live, refused: "true" }, { ...live, extra: 1 }),
    );
    const broken = fc.oneof(
      denominator.map((value) => ({ ...pass, denominator: value })),
      liveness.map((value) => ({ ...pass, liveness: value })),
      fc.constantFrom("denominator", "liveness").map((key) => without(pass, key)),
    );
    fc.assert(
      fc.property(broken, (document) => {
        expect(parse(GateVerdict, document).kind).toBe("invalid");
      }),
    );
    expect(parse(GateVerdict, pass).kind).toBe("ok");
  });
});

describe("judge", () => {
  test.each<[string, Partial<GateOutcome>, object]>([
    ["passes what was looked at and alive", {}, pass],
    [
      "fails on findings",
      { findings: [finding] },
      { verdict: "FAIL", denominator: 3, findings: [finding], liveness: live },
    ],
    [
      "errs on nothing",
      { looked: 0 },
      { verdict: "ERROR", denominator: 0, message: "green looked at nothing" },
    ],
    [
      "errs on nothing, whatever was found",
      { looked: 0, findings: [finding] },
      { verdict: "ERROR", findings: [finding] },
    ],
    [
      "errs without a plant",
      { liveness: undefined },
      {
        verdict: "ERROR",
        denominator: 3,
        message: "green could not show that it can say no: no defect was planted",
      },
    ],
    [
      "errs on a plant that got through",
      { liveness: { ...live, refused: false } },
      {
        verdict: "ERROR",
        message: "green could not show that it can say no: it let an implementation that throws pass",
      },
    ],
    [
      "errs on a cached refusal of nobody knows what",
      { liveness: { ...live, how: "cached" } },
      {
        verdict: "ERROR",
        message: "green could not show that it can say no: the record of its refusal is incomplete",
      },
    ],
    [
      "keeps the key of a cached refusal",
      { liveness: { ...live, how: "cached", cacheKey: KEY } },
      { verdict: "PASS", liveness: { ...live, how: "cached", cacheKey: KEY } },
    ],
  ])("%s", (_, change, expected) => {
    expect(judge({ ...outcome, ...change })).toMatchObject(expected);
  });
});

describe("a verdict is refused", () => {
  test.each<[string, object, string]>([
    [
      "as PASS with denominator 0",
      { ...pass, denominator: 0 },
      "$.denominator: expected at least 1, found 0",
    ],
    ["as PASS without liveness", without(pass, "liveness"), "$.liveness: expected an object, found nothing"],
    [
      "as PASS with a plant that got through",
      { ...pass, liveness: { ...live, refused: false } },
      "$.liveness.refused: expected true, found false",
    ],
    [
      "as PASS with a cached refusal without its key",
      { ...pass, liveness: { ...live, how: "cached" } },
      "$.liveness.cacheKey: expected a string, found nothing",
    ],
    ["as PASS with findings", { ...pass, findings: [finding] }, "$.findings: expected at most 0 entries"],
    [
      "as FAIL without findings",
      { ...pass, verdict: "FAIL" },
      "$.findings: expected at least 1 entry, found []",
    ],
    [
      "as FAIL with denominator 0",
      { ...pass, verdict: "FAIL", findings: [finding], denominator: 0 },
      "$.denominator: expected at least 1, found 0",
    ],
    [
      "as NOT_APPLICABLE without a reason",
      { ...nothing, verdict: "NOT_APPLICABLE" },
      "$.derivedFrom: expected a string, found nothing",
    ],
    [
      "as NOT_APPLICABLE for a blank reason",
      { ...nothing, verdict: "NOT_APPLICABLE", derivedFrom: " " },
      '$.derivedFrom: expected at least 1 character, found " "',
    ],
    [
      "as NOT_APPLICABLE after looking",
      { ...nothing, verdict: "NOT_APPLICABLE", derivedFrom: "x", denominator: 1 },
      "$.denominator: expected 0, found 1",
    ],
    [
      "as NOT_RUN without what was missing",
      { ...nothing, verdict: "NOT_RUN", missing: [] },
      "$.missing: expected at least 1 entry, found []",
    ],
    [
      "as ERROR without a message",
      { ...nothing, verdict: "ERROR" },
      "$.message: expected a string, found nothing",
    ],
    ["as PASS on half a thing", { ...pass, denominator: 1.5 }, "$.denominator: expected an int, found 1.5"],
    [
      "as NOT_RUN with findings",
      { ...nothing, verdict: "NOT_RUN", missing: ["contract"], findings: [finding] },
      "$.findings: expected at most 0 entries",
    ],
    [
      "as ERROR with a negative denominator",
      { ...nothing, verdict: "ERROR", message: "m", denominator: -1 },
      "$.denominator: expected at least 0, found -1",
    ],
    [
      "as ERROR on half a thing",
      { ...nothing, verdict: "ERROR", message: "m", denominator: 0.5 },
      "$.denominator: expected an int, found 0.5",
    ],
    [
      "that took less than no time",
      { ...pass, durationMs: -1 },
      "$.durationMs: expected at least 0, found -1",
    ],
    [
      "with a finding on line 0",
      { ...pass, verdict: "FAIL", findings: [{ ...finding, line: 0 }] },
      "$.findings[0].line: expected at least 1, found 0",
    ],
    [
      "with a finding between lines",
      { ...pass, verdict: "FAIL", findings: [{ ...finding, line: 1.5 }] },
      "$.findings[0].line: expected an int, found 1.5",
    ],
    [
      "with another word",
      { ...pass, verdict: "OK" },
      '$.verdict: expected one of "PASS", "FAIL", "NOT_APPLICABLE", "NOT_RUN", "ERROR", found "OK"',
    ],
    ["at a negative price", { ...pass, costUsd: -1 }, "$.costUsd: expected at least 0, found -1"],
    [
      "with evidence that is no address",
      { ...pass, evidence: ["report.txt"] },
      "$.evidence[0]: expected sha256: and 64 hexadecimal digits",
    ],
  ])("%s", (_, document, line) => {
    const parsed = parse(GateVerdict, document);
    expect(parsed.kind === "invalid" && parsed.problems.map(renderProblem)).toEqual([
      expect.stringContaining(line),
    ]);
  });
});

test("a FAIL needs no refused plant, for it has just said no", () => {
  expect(
    parse(GateVerdict, { ...without(pass, "liveness"), verdict: "FAIL", findings: [finding] }).kind,
  ).toBe("ok");
});

describe("blocks", () => {
  const fail = (gate: GateName, settledBy?: Finding["settledBy"]) =>
    judge({ ...outcome, gate, findings: [settledBy === undefined ? finding : { ...finding, settledBy }] });
  const notRun = GateVerdict.parse({ ...nothing, verdict: "NOT_RUN", missing: ["contract"] });
  const loose = resolveRigor({ base: "lite", mutation: { criticalSurvivorsBlock: false } });
  const stern = resolveRigor({ base: "standard", gates: { "contract-coverage": "advise" } });

  test.each([
    ["PASS", judge(outcome), RIGOR.strict, false, false],
    [
      "NOT_APPLICABLE",
      GateVerdict.parse({ ...nothing, verdict: "NOT_APPLICABLE", derivedFrom: "no errors" }),
      RIGOR.strict,
      false,
      false,
    ],
    ["NOT_RUN", notRun, RIGOR.lite, true, false],
    ["NOT_RUN of an advisory gate", { ...notRun, gate: "budget" as const }, RIGOR.lite, true, false],
    ["ERROR", judge({ ...outcome, looked: 0 }), RIGOR.lite, true, true],
    ["ERROR of an advisory gate", judge({ ...outcome, gate: "budget", looked: 0 }), RIGOR.lite, true, true],
    ["FAIL of a blocking gate", fail("green"), RIGOR.lite, true, true],
    ["FAIL of an advisory gate", fail("budget"), RIGOR.standard, false, false],
    ["the same where it blocks", fail("budget"), RIGOR.strict, true, true],
    ["too few killed, advisory", fail("mutation"), RIGOR.lite, false, false],
    ["too few killed, blocking", fail("mutation"), RIGOR.standard, true, true],
    [
      "a critical survivor at lite",
      fail("mutation", "mutation.criticalSurvivorsBlock"),
      RIGOR.lite,
      true,
      true,
    ],
    [
      "a critical survivor that is let live",
      fail("mutation", "mutation.criticalSurvivorsBlock"),
      loose,
      false,
      false,
    ],
    [
      "an unproven constraint at lite",
      fail("contract-coverage", "unprovenConstraints"),
      RIGOR.lite,
      false,
      false,
    ],
    ["an unproven constraint above", fail("contract-coverage", "unprovenConstraints"), stern, true, true],
  ])("%s", (_, verdict, rigor, atShip, inVerify) => {
    expect(blocks(verdict, rigor, "ship")).toBe(atShip);
    expect(blocks(verdict, rigor, "verify")).toBe(inVerify);
  });

  test("one blocking finding among advisory ones is enough", () => {
    const findings: Finding[] = [finding, { ...finding, settledBy: "mutation.criticalSurvivorsBlock" }];
    expect(blocks(judge({ ...outcome, gate: "mutation", findings }), RIGOR.lite, "verify")).toBe(true);
  });
});

function hasRefused(plant: PlantedDefect | undefined): boolean {
  if (plant === undefined || !plant.refused || plant.planted.trim() === "") return false;
  return plant.how === "cached" ? plant.cacheKey === KEY : plant.cacheKey === undefined;
}

function naiveVerdict(raw: GateOutcome): string {
  const counted = Number.isInteger(raw.looked) && raw.looked > 0 && raw.looked <= Number.MAX_SAFE_INTEGER;
  if (!counted || raw.liveness?.refused === false) return "ERROR";
  if (raw.findings.length > 0) return "FAIL";
  return hasRefused(raw.liveness) ? "PASS" : "ERROR";
}

function without(record: object, key: string): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

test.each([["GateVerdict", GateVerdict]])(
  "%s converts to JSON Schema and holds no open object",
  (_, schema) => {
    const json = JSON.stringify(z.toJSONSchema(schema, { io: "input" }));
    expect(json.match(/"type":"object"/g)?.length).toBe(json.match(/"additionalProperties":false/g)?.length);
  },
);
