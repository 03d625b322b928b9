import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Config, resolveConfig, ResolvedConfig } from "./config.ts";
import { RIGOR } from "./evidence/rigor.ts";
import { parse, renderProblem } from "./parse.ts";

describe("resolveConfig", () => {
  test("fills in every default", () => {
    expect(resolveConfig({})).toEqual({
      rigor: RIGOR.standard,
      protocol: "debate",
      blind: { testers: 1, implementers: 1, speculation: "off" },
      fractal: { depth: 4, breadth: 12, nodes: 60, rhythm: "batch", concurrency: 4 },
      concurrency: 1,
      budget: { usd: 10, task: {}, unknownPrices: "refuse" },
      runtime: "model",
      models: {},
      roles: {},
      simulator: { agents: "honest", seed: 1 },
      codeIndex: { embeddings: "local" },
      durability: "normal",
    });
  });

  test.each<[string, Config, object]>([
    ["the protocol follows the rigor", { rigor: "strict" }, { protocol: "blind" }],
    [
      "also one that the rigor's changes name",
      { rigor: { base: "lite", protocol: "fractal" } },
      { protocol: "fractal" },
    ],
    [
      "unless it is set itself",
      { rigor: "strict", protocol: "solo" },
      { protocol: "solo", rigor: { protocol: "blind" } },
    ],
    [
      "other caps do not lift the one on money",
      { budget: { tokens: 5 } },
      { budget: { usd: 10, tokens: 5 } },
    ],
    [
      "a cap on money replaces the default",
      { budget: { usd: 0.5, minutes: 1.5 } },
      { budget: { usd: 0.5, minutes: 1.5 } },
    ],
    [
      "tasks have caps of their own, and unknown prices can be allowed",
      { budget: { task: { tokens: 9 }, unknownPrices: "allow" } },
      { budget: { usd: 10, task: { tokens: 9 }, unknownPrices: "allow" } },
    ],
    [
      "a role is played by what it names",
      { roles: { challenger: { runtime: "codex", model: "openai:other", budget: { usd: 1 } } } },
      { roles: { challenger: { runtime: "codex", model: "openai:other", budget: { usd: 1 } } } },
    ],
    ["models belong to tiers", { models: { strong: "local:big" } }, { models: { strong: "local:big" } }],
    ["an undefined cap is no cap", { budget: { usd: undefined } }, { budget: { usd: 10 } }],
    ["what is set stays", { concurrency: 64, durability: "full" }, { concurrency: 64, durability: "full" }],
  ])("%s", (_, config, resolved) => {
    expect(resolveConfig(config)).toMatchObject(resolved);
  });

  test("gives a valid record for every valid configuration", () => {
    const anyConfig = fc.record(
      {
        rigor: fc.constantFrom("lite" as const, { base: "strict" as const, maxComplexity: 3 }),
        protocol: fc.constantFrom("debate", "gatekeeper"),
        concurrency: fc.integer({ min: 1, max: 64 }),
        budget: fc.record(
          { usd: fc.integer({ min: 1 }), tokens: fc.integer({ min: 1 }), minutes: fc.integer({ min: 1 }) },
          { requiredKeys: [] },
        ),
        durability: fc.constantFrom("normal", "full"),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyConfig, (config) => {
        expect(parse(Config, config).kind).toBe("ok");
        expect(parse(ResolvedConfig, resolveConfig(config)).kind).toBe("ok");
      }),
    );
  });
});

describe("a configuration is refused", () => {
  test.each<[string, unknown, string]>([
    [
      "with a misspelt key",
      { concurency: 2 },
      '$.concurency: expected the key "concurrency", found the unknown key "concurency"',
    ],
    [
      "with a misspelt cap",
      { budget: { usdd: 2 } },
      '$.budget.usdd: expected the key "usd", found the unknown key "usdd"',
    ],
    [
      "with a hosted embedding model of unknown dimensions",
      { codeIndex: { embeddings: "openai:text-embedding-3-small" } },
      "$.codeIndex.dimensions: expected how many dimensions the vectors of openai:text-embedding-3-small have, found nothing",
    ],
    [
      "with dimensions for the local model",
      { codeIndex: { dimensions: 512 } },
      "$.codeIndex.dimensions: expected nothing while embeddings are local, found 512",
    ],
    [
      "with more dimensions than the index takes",
      { codeIndex: { embeddings: "openai:x", dimensions: 3072 } },
      "$.codeIndex.dimensions: expected at most 1536, found 3072",
    ],
    ["without any concurrency", { concurrency: 0 }, "$.concurrency: expected at least 1, found 0"],
    ["with too much concurrency", { concurrency: 65 }, "$.concurrency: expected at most 64, found 65"],
    ["with half a task", { concurrency: 1.5 }, "$.concurrency: expected an int, found 1.5"],
    ["with no money", { budget: { usd: 0 } }, "$.budget.usd: expected more than 0, found 0"],
    ["with endless money", { budget: { usd: Infinity } }, "$.budget.usd: expected a number, found Infinity"],
    ["with no tokens", { budget: { tokens: 0 } }, "$.budget.tokens: expected more than 0, found 0"],
    ["with half a token", { budget: { tokens: 1.5 } }, "$.budget.tokens: expected an int, found 1.5"],
    ["with no time", { budget: { minutes: -1 } }, "$.budget.minutes: expected more than 0, found -1"],
    [
      "with another protocol",
      { protocol: "vibes" },
      '$.protocol: expected one of "debate", "blind", "fractal", "gatekeeper", "solo", found "vibes"',
    ],
    [
      "with another durability",
      { durability: "none" },
      '$.durability: expected one of "normal", "full", found "none"',
    ],
    [
      "with a model but no provider",
      { models: { small: "big" } },
      '$.models.small: expected a provider and a model such as anthropic:claude-opus-5, found "big"',
    ],
    [
      "with a tier that is none",
      { models: { smal: "a:b" } },
      '$.models.smal: expected the key "small", found the unknown key "smal"',
    ],
    [
      "with another runtime",
      { roles: { arbiter: { runtime: "vibes" } } },
      '$.roles.arbiter.runtime: expected one of "scripted", "model", "claude-code", "codex", "acp", "simulator", found "vibes"',
    ],
    [
      "with a budget of no money for a role",
      { roles: { arbiter: { budget: { usd: 0 } } } },
      "$.roles.arbiter.budget.usd: expected more than 0, found 0",
    ],
    [
      "with unknown prices half allowed",
      { budget: { unknownPrices: true } },
      '$.budget.unknownPrices: expected one of "refuse", "allow", found true',
    ],
    [
      "with null for a key",
      { rigor: null },
      '$.rigor: expected one of "lite", "standard", "strict", found null',
    ],
    ["as a list", [], "$: expected an object, found []"],
  ])("%s", (_, config, line) => {
    const parsed = parse(Config, config);
    expect(parsed.kind === "invalid" && parsed.problems.map(renderProblem)).toEqual([line]);
  });
});

test("a script lies below the project, wherever somebody would like it to be read from", () => {
  expect(parse(Config, { runtime: "scripted", script: ".cupel/demo/script.jsonl" }).kind).toBe("ok");
  for (const script of ["/etc/passwd", "../other.jsonl", "a/../../b", "", "C:\\x"])
    expect({ script, ...parse(Config, { script }) }).toMatchObject({ problems: [{ path: "$.script" }] });
});

test("every key explains itself in editors", () => {
  const Described = z.looseObject({ description: z.string().min(20) });
  const schema = z.toJSONSchema(Config);
  expect(Object.keys(schema.properties ?? {})).toEqual([
    "$schema",
    "rigor",
    "protocol",
    "blind",
    "fractal",
    "concurrency",
    "budget",
    "runtime",
    "script",
    "models",
    "roles",
    "acp",
    "simulator",
    "codeIndex",
    "durability",
  ]);
  for (const property of Object.values(schema.properties ?? {}))
    expect(parse(Described, property).kind).toBe("ok");
  expect(schema).toMatchObject({
    additionalProperties: false,
    properties: {
      budget: {
        properties: {
          usd: { description: expect.any(String) },
          tokens: { description: expect.any(String) },
          minutes: { description: expect.any(String) },
        },
      },
    },
  });
});

test.each([
  ["Config", Config],
  ["ResolvedConfig", ResolvedConfig],
])("%s converts to JSON Schema and holds no open object", (_, schema) => {
  const json = JSON.stringify(z.toJSONSchema(schema, { io: "input" }));
  const closed = json.match(/"additionalProperties":false|"propertyNames":\{"type":"string","enum":/g);
  expect(json.match(/"type":"object"/g)?.length).toBe(closed?.length);
});

test("blind settings are filled in one by one, and nonsense is refused", () => {
  const { blind } = resolveConfig(Config.parse({ blind: { testers: 3 } }));
  expect(blind).toEqual({ testers: 3, implementers: 1, speculation: "off" });
  expect(Config.safeParse({ blind: { testers: 4 } }).success).toBe(false);
  expect(Config.safeParse({ blind: { speculation: "sometimes" } }).success).toBe(false);
});

test("settings of trees are filled in one by one, and nonsense is refused", () => {
  const { fractal } = resolveConfig(Config.parse({ fractal: { rhythm: "ping-pong", depth: 2 } }));
  expect(fractal).toEqual({ depth: 2, breadth: 12, nodes: 60, rhythm: "ping-pong", concurrency: 4 });
  expect(Config.safeParse({ fractal: { depth: 0 } }).success).toBe(false);
  expect(Config.safeParse({ fractal: { rhythm: "waltz" } }).success).toBe(false);
});
