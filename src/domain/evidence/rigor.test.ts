import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parse, renderProblem } from "../parse.ts";
import { GateName } from "./gate.ts";
import { resolveRigor, Rigor, RIGOR, RigorName, RigorSetting } from "./rigor.ts";
import { TestLayer } from "./test-layer.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe("the presets", () => {
  test.each([
    ["lite", "solo", false, 0.7, 15, false, 0.8, 2, 3, "warn", false],
    ["standard", "debate", true, 0.8, 10, true, 0.8, 5, 5, "block", true],
    ["strict", "blind", true, 0.9, 8, true, 1, 5, 5, "block", true],
  ] as const)(
    "%s holds its row of the table",
    (
      name,
      protocol,
      contractRound,
      coverage,
      maxComplexity,
      blocking,
      minKilled,
      maxTypeFixes,
      maxFixAttempts,
      unprovenConstraints,
      requireSketchCoverage,
    ) => {
      expect(RIGOR[name]).toMatchObject({
        base: name,
        overridden: [],
        protocol,
        contractRound,
        minCoverage: { lines: coverage, branches: coverage },
        maxComplexity,
        secondsPerTest: 30,
        mutation: { blocking, minKilled, criticalSurvivorsBlock: true },
        maxTypeFixes,
        maxFixAttempts,
        unprovenConstraints,
        requireSketchCoverage,
      });
    },
  );

  test.each([
    ["lite", ["contract-coverage", "tidy", "budget"]],
    ["standard", ["budget"]],
    ["strict", []],
  ] as const)("%s only advises on %j", (name, advisory) => {
    const gates = Object.entries(RIGOR[name].gates);
    expect(gates.filter(([, effect]) => effect === "advise").map(([gate]) => gate)).toEqual(advisory);
    expect(gates.map(([gate]) => gate)).toEqual(GateName.options.filter((gate) => gate !== "mutation"));
  });

  test.each(RigorName.options)("%s resolves to itself", (name) => {
    expect(resolveRigor(name)).toEqual(RIGOR[name]);
    expect(resolveRigor({ base: name })).toEqual(RIGOR[name]);
    expect(parse(Rigor, RIGOR[name]).kind).toBe("ok");
  });

  test("nobody can change a preset through what was resolved from it", () => {
    resolveRigor("lite").layers.push("e2e");
    resolveRigor("lite").mutation.minKilled = 0;
    expect(RIGOR.lite).toMatchObject({ layers: ["unit", "static"], mutation: { minKilled: 0.8 } });
  });

  test("forbid what runs other programs or other code, in both languages", () => {
    const { typescript, python } = RIGOR.lite.forbidden;
    expect(typescript.imports).toContain("child_process");
    expect(typescript.patterns).toEqual(expect.arrayContaining(["eval($$$)", "while (true) { $$$ }"]));
    expect(python.imports).toEqual(expect.arrayContaining(["os.system", "subprocess", "pickle"]));
    expect(python.patterns).toEqual(expect.arrayContaining(["eval($$$)", "exec($$$)", "while True: $$$"]));
  });
});

describe("resolveRigor", () => {
  test("loosens and tightens, and says where", () => {
    const rigor = resolveRigor({
      base: "standard",
      maxComplexity: 20,
      mutation: { minKilled: 0.95 },
      gates: { budget: "block", tidy: "advise" },
      forbidden: { python: { patterns: [] } },
    });
    expect(rigor.overridden).toEqual([
      "forbidden.python.patterns",
      "gates.budget",
      "gates.tidy",
      "maxComplexity",
      "mutation.minKilled",
    ]);
    expect(rigor.mutation).toEqual({ ...RIGOR.standard.mutation, minKilled: 0.95 });
    expect(rigor.forbidden).toEqual({
      ...RIGOR.standard.forbidden,
      python: { ...RIGOR.standard.forbidden.python, patterns: [] },
    });
  });

  test("a value equal to the preset's is no override", () => {
    const same = { maxComplexity: 8, layers: RIGOR.strict.layers, mutation: { minKilled: 1 } };
    expect(resolveRigor({ base: "strict", ...same })).toEqual(RIGOR.strict);
  });

  test("undefined overrides nothing", () => {
    const setting: RigorSetting = {
      base: "lite",
      maxComplexity: undefined,
      mutation: { blocking: undefined },
    };
    expect(resolveRigor(setting)).toEqual(RIGOR.lite);
  });

  test("takes each leaf from the override where there is one, else from the preset", () => {
    fc.assert(
      fc.property(fc.constantFrom(...RigorName.options), overrides(), (base, adjusted) => {
        const { overridden, ...resolved } = resolveRigor({ ...adjusted, base });
        const { overridden: none, ...preset } = RIGOR[base];
        const before = leaves(preset);
        const given = leaves(adjusted);
        expect(none).toEqual([]);
        expect(leaves(resolved)).toEqual(new Map([...before, ...given]));
        expect(overridden).toEqual(
          [...given.keys()].filter((key) => given.get(key) !== before.get(key)).toSorted(),
        );
      }),
    );
  });
});

describe("a rigor setting is refused", () => {
  test.each<[string, unknown, string]>([
    ["with another name", "lax", '$: expected one of "lite", "standard", "strict", found "lax"'],
    [
      "without a base",
      { maxComplexity: 3 },
      '$.base: expected one of "lite", "standard", "strict", found nothing',
    ],
    [
      "with a misspelt key",
      { base: "lite", maxComplexty: 3 },
      '$.maxComplexty: expected the key "maxComplexity", found the unknown key "maxComplexty"',
    ],
    [
      "with a share above 1",
      { base: "lite", minCoverage: { lines: 80 } },
      "$.minCoverage.lines: expected at most 1, found 80",
    ],
    [
      "with a negative share",
      { base: "lite", mutation: { minKilled: -0.1 } },
      "$.mutation.minKilled: expected at least 0, found -0.1",
    ],
    ["without any layer", { base: "lite", layers: [] }, "$.layers: expected at least 1 entry, found []"],
    [
      "with a layer twice",
      { base: "lite", layers: ["unit", "unit"] },
      '$.layers[1]: expected each layer once, found "unit" again',
    ],
    [
      "with no time for a test",
      { base: "lite", secondsPerTest: 0 },
      "$.secondsPerTest: expected more than 0, found 0",
    ],
    [
      "with no complexity",
      { base: "lite", maxComplexity: 0 },
      "$.maxComplexity: expected at least 1, found 0",
    ],
    [
      "with a negative cap",
      { base: "lite", maxFixAttempts: -1 },
      "$.maxFixAttempts: expected at least 0, found -1",
    ],
    [
      "with a gate switched off",
      { base: "lite", gates: { green: "off" } },
      '$.gates.green: expected one of "block", "advise", found "off"',
    ],
    [
      "with a blank import",
      { base: "lite", forbidden: { python: { imports: [" "] } } },
      '$.forbidden.python.imports[0]: expected at least 1 character, found " "',
    ],
    [
      "with its own record of overrides",
      { base: "lite", overridden: [] },
      '$.overridden: expected one of the keys base, contractRound, forbidden, gates, layers, maxComplexity, maxFixAttempts, maxTypeFixes, minCoverage, mutation, protocol, requireSketchCoverage, secondsPerTest, unprovenConstraints, found the unknown key "overridden"',
    ],
  ])("%s", (_, setting, line) => {
    const parsed = parse(RigorSetting, setting);
    expect(parsed.kind === "invalid" && parsed.problems.map(renderProblem)).toEqual([line]);
  });

  test.each<[object, string]>([
    [{ maxComplexity: 1.5 }, "$.maxComplexity: expected an int, found 1.5"],
    [{ secondsPerTest: 3601 }, "$.secondsPerTest: expected at most 3600, found 3601"],
    [{ maxTypeFixes: -1 }, "$.maxTypeFixes: expected at least 0, found -1"],
    [{ maxTypeFixes: 0.5 }, "$.maxTypeFixes: expected an int, found 0.5"],
    [{ maxFixAttempts: 0.5 }, "$.maxFixAttempts: expected an int, found 0.5"],
    [
      { mutation: { maxEquivalentClaims: -1 } },
      "$.mutation.maxEquivalentClaims: expected at least 0, found -1",
    ],
    [
      { mutation: { maxEquivalentClaims: 0.1 } },
      "$.mutation.maxEquivalentClaims: expected an int, found 0.1",
    ],
  ])("with a number out of bounds: %j", (change, line) => {
    const parsed = parse(RigorSetting, { base: "lite", ...change });
    expect(parsed.kind === "invalid" && parsed.problems.map(renderProblem)).toEqual([line]);
  });

  test("when it names the mutation gate, about which mutation.blocking decides", () => {
    expect(parse(RigorSetting, { base: "lite", gates: { mutation: "block" } }).kind).toBe("invalid");
  });
});

test("converts to JSON Schema with its descriptions", () => {
  expect(JSON.stringify(z.toJSONSchema(RigorSetting))).toContain("Highest cyclomatic complexity");
});

test.each([
  ["Rigor", Rigor],
  ["RigorSetting", RigorSetting],
])("%s converts to JSON Schema and holds no open object", (_, schema) => {
  const json = JSON.stringify(z.toJSONSchema(schema, { io: "input" }));
  expect(json.match(/"type":"object"/g)?.length).toBe(json.match(/"additionalProperties":false/g)?.length);
});

function overrides() {
  return fc.record(
    {
      protocol: fc.constantFrom("debate", "solo"),
      contractRound: fc.boolean(),
      minCoverage: fc.record({ lines: share, branches: share }, { requiredKeys: [] }),
      maxComplexity: fc.integer({ min: 1, max: 20 }),
      mutation: fc.record({ minKilled: share, blocking: fc.boolean() }, { requiredKeys: [] }),
      layers: fc.uniqueArray(fc.constantFrom(...TestLayer.options), { minLength: 1 }),
      gates: fc.record(
        { tidy: fc.constantFrom("block", "advise"), budget: fc.constantFrom("block", "advise") },
        { requiredKeys: [] },
      ),
      forbidden: fc.record(
        { python: fc.record({ imports: fc.constantFrom<string[][]>([], ["os"]) }) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
}

/** Each leaf by its path, as text; a list is one leaf. */
function leaves(value: object, path = ""): Map<string, string> {
  return new Map(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? [...leaves(inner, `${path}${key}.`)]
        : [[`${path}${key}`, JSON.stringify(inner)] as const],
    ),
  );
}
