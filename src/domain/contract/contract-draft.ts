// A contract as an agent writes it: every key there, null where there is nothing; what the plan decides is not asked again.
import { z } from "zod";
import { provable } from "../evidence/predicate-proof.ts";
import { parsePlaced, type Problem } from "../parse.ts";
import type { PlannedModule } from "../plan/micro-plan.ts";
import { moduleIdOf, ModuleRange, type Semver, Text } from "../refs.ts";
import { refSatisfies } from "../semver.ts";
import {
  ContractInput,
  ContractOutput,
  Effect,
  EntryPoint,
  ErrorSurface,
  MicroModuleContract,
  Modes,
  Predicate,
} from "./contract.ts";

const Positive = z.number().positive().nullable();

export const ContractDraft = z.strictObject({
  tags: z.array(Text).describe("Words by which somebody would look for it."),
  inputs: z.array(ContractInput.omit({ optional: true }).extend({ optional: z.boolean() })),
  outputs: z.array(ContractOutput),
  error_surfaces: z.array(ErrorSurface).describe("Empty only for a module that cannot fail."),
  effects: z.array(Effect).describe("Empty for a pure module."),
  modes: Modes,
  entry_points: z.array(EntryPoint).min(1),
  predicates: z
    .array(Predicate)
    .describe("One for each constraint, invariant and error surface: an expression that decides it."),
  error_cases: z.array(Text),
  dependencies: z.array(z.strictObject({ ref: ModuleRange, why: Text })),
  packages: z.array(Text).describe("Third-party packages; usually none."),
  latency_ms_p95: Positive,
  memory_mb_max: Positive,
  time_complexity: Text.nullable(),
  space_complexity: Text.nullable(),
});
export type ContractDraft = z.infer<typeof ContractDraft>;

export type DraftedContract =
  | { kind: "ok"; contract: MicroModuleContract }
  | { kind: "invalid"; problems: Problem[] };

/** What the plan says stands: id, name, purpose and the modules it builds on. */
export function contractFrom(draft: ContractDraft, module: PlannedModule, version: Semver): DraftedContract {
  const { latency_ms_p95, memory_mb_max, time_complexity, space_complexity, inputs, ...rest } = draft;
  const parsed = parsePlaced(MicroModuleContract, {
    module_id: module.module_id,
    module_version: version,
    name: module.name,
    purpose: module.purpose,
    language: "typescript",
    ...rest,
    inputs: inputs.map(({ optional, ...input }) => (optional ? { ...input, optional } : input)),
    compatibility: { backward_compatible_with: [], breaking_change_policy: BREAKING },
    runtime_budgets: {
      ...(latency_ms_p95 === null ? {} : { latency_ms_p95 }),
      ...(memory_mb_max === null ? {} : { memory_mb_max }),
    },
    ...complexity(time_complexity, space_complexity),
  });
  const problems = [
    ...(parsed.kind === "ok" ? [] : parsed.problems),
    ...dependencyProblems(draft.dependencies, module.depends_on),
  ];
  return parsed.kind === "ok" && problems.length === 0
    ? { kind: "ok", contract: parsed.value }
    : { kind: "invalid", problems };
}

const BREAKING = "a breaking change is a new major version, asked for by an interface change exception";

function complexity(time: string | null, space: string | null) {
  if (time === null && space === null) return {};
  return {
    complexity_constraints: { ...(time === null ? {} : { time }), ...(space === null ? {} : { space }) },
  };
}

function dependencyProblems(
  dependencies: ContractDraft["dependencies"],
  planned: readonly string[],
): Problem[] {
  const stray = dependencies.flatMap(({ ref }, index): Problem[] =>
    planned.some((plan) => refSatisfies(plan, ref))
      ? []
      : [
          {
            path: `$.dependencies[${index}].ref`,
            expected: `one of ${list(planned)}, as the plan says`,
            found: ref,
          },
        ],
  );
  const missing = planned.flatMap((plan): Problem[] =>
    dependencies.some(({ ref }) => moduleIdOf(ref) === moduleIdOf(plan))
      ? []
      : [
          {
            path: "$.dependencies",
            expected: `an entry for ${plan}, which the plan builds on`,
            found: "none",
          },
        ],
  );
  return [...stray, ...missing];
}

function list(refs: readonly string[]): string {
  return refs.length === 0 ? "none" : refs.join(", ");
}

/** Constraints, invariants and error surfaces that no predicate decides, by path. */
export function undecided(contract: MicroModuleContract): string[] {
  const decided = new Set(contract.predicates.map(({ of }) => of));
  return provable(contract)
    .map(({ of }) => of)
    .filter((path) => !decided.has(path));
}

/**
 * Outputs of which nothing at all is promised, by path. Of texts, numbers and lists of them something can always be said; what
 * an object of a class does is said by its methods, and nothing comes of what gives nothing.
 */
export function unpromised({ outputs }: MicroModuleContract): string[] {
  return outputs.flatMap(({ type, invariants }, index) =>
    invariants.length === 0 && PLAIN.test(type) ? [`outputs.${index}.invariants`] : [],
  );
}

const PLAIN = /^(?:promise<)?(?:readonly\s+)?(?:string|number|boolean|bigint)(?:\[\])*>?$/i;

/** Every field by its path with its text: what a challenge can cite and an amendment can change. */
export function contractFields(contract: MicroModuleContract): Map<string, string> {
  const fields = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (path !== "") fields.set(path, JSON.stringify(value));
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) walk(child, path === "" ? key : `${path}.${key}`);
  };
  walk(contract, "");
  // Also by the names people use: an input or an entry point is called by its name.
  for (const [list, entries] of Object.entries(named(contract)))
    for (const entry of entries) {
      fields.set(entry.name, JSON.stringify(entry));
      fields.set(`${list}.${entry.name}`, JSON.stringify(entry));
    }
  return fields;
}

function named({ inputs, outputs, error_surfaces, entry_points }: MicroModuleContract) {
  return { inputs, outputs, error_surfaces, entry_points };
}
