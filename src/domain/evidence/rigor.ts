// Rigor: the policy data that says which gates block, and with which thresholds.
import { z } from "zod";
import { canonicalJson } from "../canonical.ts";
import { parseOrThrow, refuse } from "../parse.ts";
import { Text } from "../refs.ts";
import { TestLayer } from "./test-layer.ts";

export const ProtocolName = z.enum(["debate", "blind", "fractal", "gatekeeper", "solo"]);
export type ProtocolName = z.infer<typeof ProtocolName>;

export const RigorName = z.enum(["lite", "standard", "strict"]);
export type RigorName = z.infer<typeof RigorName>;

const Share = z.number().min(0).max(1);

const MinCoverage = z.strictObject({
  lines: Share.describe("Smallest share of lines the tests must run, 0 to 1."),
  branches: Share.describe("Smallest share of branches the tests must take, 0 to 1."),
});

const MutationPolicy = z.strictObject({
  minKilled: Share.describe("Smallest share of non-equivalent mutants the tests must kill, 0 to 1."),
  blocking: z.boolean().describe("Whether too small a share blocks; otherwise it is only reported."),
  criticalSurvivorsBlock: z
    .boolean()
    .describe("Whether a surviving removed guard, negated condition or flipped equality blocks by itself."),
  maxEquivalentClaims: z
    .int()
    .min(0)
    .describe("How many pieces of a module's code may have mutants that are called equivalent."),
});

const ForbiddenCode = z.strictObject({
  imports: z
    .array(Text)
    .describe("Modules that code may not import; each name covers all below it, with or without `node:`."),
  patterns: z.array(Text).describe("Code that may not occur; $$$ stands for anything."),
});

const Forbidden = z.strictObject({ typescript: ForbiddenCode, python: ForbiddenCode });

const GateEffect = z.enum(["block", "advise"]);

/** The mutation gate is missing because `mutation.blocking` already decides about it. */
const GateEffects = z.strictObject({
  build: GateEffect,
  "red-on-skeleton": GateEffect,
  green: GateEffect,
  claims: GateEffect,
  coverage: GateEffect,
  "contract-coverage": GateEffect,
  layers: GateEffect,
  examples: GateEffect,
  static: GateEffect,
  surface: GateEffect,
  "tests-untouched": GateEffect,
  effects: GateEffect,
  tidy: GateEffect,
  budget: GateEffect,
  blindness: GateEffect,
  integration: GateEffect,
  regression: GateEffect,
  e2e: GateEffect,
});

const Layers = z
  .array(TestLayer)
  .min(1)
  .superRefine((layers, context) => {
    layers.forEach((layer, index) => {
      if (layers.indexOf(layer) !== index) refuse(context, [index], "each layer once", `"${layer}" again`);
    });
  });

const RigorPolicy = z.strictObject({
  protocol: ProtocolName.describe("How a module is made unless the project, task or module says otherwise."),
  contractRound: z.boolean().describe("Whether the contract is debated and locked before any code."),
  minCoverage: MinCoverage,
  maxComplexity: z.int().min(1).describe("Highest cyclomatic complexity of one function."),
  secondsPerTest: z.number().positive().max(3600).describe("Seconds after which a test is stopped."),
  mutation: MutationPolicy,
  layers: Layers.describe("Test layers a module must have, each where its trigger applies."),
  maxTypeFixes: z.int().min(0).describe("How often the types may be repaired before a person is asked."),
  maxFixAttempts: z.int().min(0).describe("How often the code may be repaired before a person is asked."),
  unprovenConstraints: z
    .enum(["warn", "block"])
    .describe("What happens when no run has proven a constraint of the contract."),
  requireSketchCoverage: z.boolean().describe("Whether every sketched property must have a test."),
  forbidden: Forbidden.describe("Imports and code that the static gate refuses, per language."),
  gates: GateEffects.describe("Whether a failure of each gate blocks or only advises."),
});

/** A resolved policy, which still says where it came from. */
export const Rigor = RigorPolicy.extend({
  base: RigorName,
  /** Paths such as `mutation.minKilled` at which the policy differs from its base. */
  overridden: z.array(Text),
});
export type Rigor = z.infer<typeof Rigor>;

const AdjustedRigor = RigorPolicy.partial().extend({
  base: RigorName.describe("The preset that everything not named here is taken from."),
  minCoverage: MinCoverage.partial().optional(),
  mutation: MutationPolicy.partial().optional(),
  forbidden: z
    .strictObject({ typescript: ForbiddenCode.partial(), python: ForbiddenCode.partial() })
    .partial()
    .optional(),
  gates: GateEffects.partial().optional(),
});

export const RigorSetting = z.union([RigorName, AdjustedRigor]);
export type RigorSetting = z.infer<typeof RigorSetting>;

const FORBIDDEN: z.infer<typeof Forbidden> = {
  typescript: {
    imports: ["child_process", "cluster", "inspector", "vm", "worker_threads"],
    patterns: ["eval($$$)", "new Function($$$)", "process.exit($$$)", "while (true) { $$$ }"],
  },
  python: {
    imports: ["ctypes", "marshal", "multiprocessing", "os.popen", "os.system", "pickle", "subprocess"],
    patterns: ["eval($$$)", "exec($$$)", "__import__($$$)", "while True: $$$"],
  },
};

const EVERY_GATE_BLOCKS = GateEffects.parse(
  Object.fromEntries(Object.keys(GateEffects.shape).map((gate) => [gate, "block"])),
);

export const RIGOR: Readonly<Record<RigorName, Rigor>> = {
  lite: {
    base: "lite",
    overridden: [],
    protocol: "solo",
    contractRound: false,
    minCoverage: { lines: 0.7, branches: 0.7 },
    maxComplexity: 15,
    secondsPerTest: 30,
    mutation: { minKilled: 0.8, blocking: false, criticalSurvivorsBlock: true, maxEquivalentClaims: 5 },
    layers: ["unit", "static"],
    maxTypeFixes: 2,
    maxFixAttempts: 3,
    unprovenConstraints: "warn",
    requireSketchCoverage: false,
    forbidden: FORBIDDEN,
    gates: { ...EVERY_GATE_BLOCKS, "contract-coverage": "advise", tidy: "advise", budget: "advise" },
  },
  standard: {
    base: "standard",
    overridden: [],
    protocol: "debate",
    contractRound: true,
    minCoverage: { lines: 0.8, branches: 0.8 },
    maxComplexity: 10,
    secondsPerTest: 30,
    mutation: { minKilled: 0.8, blocking: true, criticalSurvivorsBlock: true, maxEquivalentClaims: 5 },
    layers: ["unit", "property", "contract", "static", "integration", "e2e"],
    maxTypeFixes: 5,
    maxFixAttempts: 5,
    unprovenConstraints: "block",
    requireSketchCoverage: true,
    forbidden: FORBIDDEN,
    gates: { ...EVERY_GATE_BLOCKS, budget: "advise" },
  },
  strict: {
    base: "strict",
    overridden: [],
    protocol: "blind",
    contractRound: true,
    minCoverage: { lines: 0.9, branches: 0.9 },
    maxComplexity: 8,
    secondsPerTest: 30,
    mutation: { minKilled: 1, blocking: true, criticalSurvivorsBlock: true, maxEquivalentClaims: 5 },
    layers: ["unit", "property", "contract", "static", "integration", "e2e", "budget"],
    maxTypeFixes: 5,
    maxFixAttempts: 5,
    unprovenConstraints: "block",
    requireSketchCoverage: true,
    forbidden: FORBIDDEN,
    gates: EVERY_GATE_BLOCKS,
  },
};

/** Overrides may tighten or loosen; objects are laid over the preset key by key, lists replace lists. */
export function resolveRigor(setting: RigorSetting): Rigor {
  const { base, ...adjustments } = typeof setting === "string" ? { base: setting } : setting;
  const overridden: string[] = [];
  const policy = overlay(RIGOR[base], adjustments, [], overridden);
  return parseOrThrow(Rigor, { ...policy, overridden: overridden.toSorted() }, "the resolved rigor");
}

function overlay(under: object, over: object, path: string[], changed: string[]): object {
  const result = new Map<string, unknown>(Object.entries(under));
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const here = [...path, key];
    const before = result.get(key);
    if (isRecord(before) && isRecord(value)) {
      result.set(key, overlay(before, value, here, changed));
      continue;
    }
    if (before === undefined || canonicalJson(before) !== canonicalJson(value)) changed.push(here.join("."));
    result.set(key, value);
  }
  return Object.fromEntries(result);
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
