// The contract of a micro module: five dimensions, the entry points code is compared with, and executable predicates.
import { z } from "zod";
import { refuse } from "../parse.ts";
import { form, ModuleId, ModuleRange, Semver, Text } from "../refs.ts";
import { checkContractLinks } from "./contract-links.ts";

/** The five dimensions of every contract, in the order people read them. */
export const DIMENSIONS = ["inputs", "outputs", "error_surfaces", "effects", "modes"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export const ContractInput = z.strictObject({
  name: Text,
  type: Text,
  constraints: z.array(Text),
  /** Only ever `true`; a required input leaves the key out, so that each shape has one spelling. */
  optional: z.literal(true).optional(),
});
export type ContractInput = z.infer<typeof ContractInput>;

export const ContractOutput = z.strictObject({ name: Text, type: Text, invariants: z.array(Text) });
export type ContractOutput = z.infer<typeof ContractOutput>;

export const ErrorSurface = z.strictObject({
  name: Text,
  when: Text,
  surface: z.enum(["exception", "code", "variant"]),
});
export type ErrorSurface = z.infer<typeof ErrorSurface>;

export const EffectType = z.enum([
  "POST",
  "PUT",
  "PATCH",
  "WRITE",
  "CALL",
  "MUTATION",
  "READ",
  "NETWORK",
  "CLOCK",
  "RANDOM",
]);

export const Effect = z.strictObject({ type: EffectType, target: Text, description: Text });
export type Effect = z.infer<typeof Effect>;

export const Modes = z
  .strictObject({ sync: z.boolean(), async: z.boolean(), notes: z.string() })
  .superRefine((modes, context) => {
    if (!modes.sync && !modes.async) refuse(context, [], "sync, async or both to be true", "neither");
  });
export type Modes = z.infer<typeof Modes>;

/** What callers can call; the part of a contract that is compared with the surface extracted from code. */
export const EntryPoint = z.strictObject({
  name: Text,
  signature: Text.describe(
    "In the target language, for example `(text: string) => string`. A class `Stack` is the entry point `Stack` with `new (size: number) => Stack & { readonly size: number }`, after the & what can be read of it, and each of its methods one of its own, `Stack.push`.",
  ),
  inputs: z.array(Text),
  outputs: z.array(Text),
  errors: z.array(Text),
  /** Written `TYPE target`, for example `WRITE cache`. */
  effects: z.array(Text),
});
export type EntryPoint = z.infer<typeof EntryPoint>;

export const PredicateKind = z.enum(["requires", "ensures", "throws"]);

/** One side-effect-free expression of the target language that proves a constraint, an invariant or an error. */
export const Predicate = z.strictObject({
  id: Text,
  /** What it proves: `inputs.0.constraints.1`, `outputs.0.invariants.0` or `error_surfaces.0`. */
  of: form(
    /^(inputs\.\d+\.constraints\.\d+|outputs\.\d+\.invariants\.\d+|error_surfaces\.\d+)$/,
    "a path such as inputs.0.constraints.1, outputs.0.invariants.0 or error_surfaces.0",
  ),
  entry: Text,
  kind: PredicateKind,
  /** Over `args`, `result` and `error`; evaluated only in the sandbox. */
  expr: Text,
});
export type Predicate = z.infer<typeof Predicate>;

export const MicroModuleContract = z
  .strictObject({
    module_id: ModuleId,
    module_version: Semver,
    name: Text,
    purpose: Text,
    tags: z.array(Text),
    language: z.enum(["typescript", "python"]),
    inputs: z.array(ContractInput),
    outputs: z.array(ContractOutput),
    error_surfaces: z.array(ErrorSurface),
    effects: z.array(Effect),
    modes: Modes,
    entry_points: z.array(EntryPoint).min(1),
    predicates: z.array(Predicate),
    error_cases: z.array(Text),
    dependencies: z.array(z.strictObject({ ref: ModuleRange, why: Text })),
    /** Third-party packages the module may import; each must be in the product's lock file. */
    packages: z.array(Text),
    compatibility: z.strictObject({
      backward_compatible_with: z.array(ModuleRange),
      breaking_change_policy: z.string(),
    }),
    runtime_budgets: z.strictObject({
      latency_ms_p95: z.number().positive().optional(),
      memory_mb_max: z.number().positive().optional(),
    }),
    complexity_constraints: z.strictObject({ time: Text.optional(), space: Text.optional() }).optional(),
  })
  .superRefine(checkContractLinks);
export type MicroModuleContract = z.infer<typeof MicroModuleContract>;
