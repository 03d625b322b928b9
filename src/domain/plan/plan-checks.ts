// Decides whether a micro plan may be locked: six checks, each run as far as the input can be read, reported together.
// The seventh, reuse before creation, needs the Code Index and stands with whoever has it.
import { z } from "zod";
import { DIMENSIONS } from "../contract/contract.ts";
import { renderCycle } from "../cycles.ts";
import { parse, preview } from "../parse.ts";
import { isPlaceholder } from "../product/placeholder.ts";
import { ModuleRef, moduleIdOf, Semver, versionOf } from "../refs.ts";
import { bump, compareSemver } from "../semver.ts";
import { MicroPlan } from "./micro-plan.ts";
import { planCycles, planOrder } from "./plan-order.ts";

export const PLAN_CHECKS = {
  1: "schema conformance",
  2: "I/O dimension completeness",
  3: "dependency well-formedness",
  4: "unique module ids",
  5: "acyclic dependencies",
  6: "decomposition rubric",
  7: "reuse before creation",
} as const;
export type PlanCheckNumber = keyof typeof PLAN_CHECKS;

export interface PlanViolation {
  check: PlanCheckNumber;
  name: (typeof PLAN_CHECKS)[PlanCheckNumber];
  /** JSON path from the root `$`. */
  path: string;
  /** What was expected there; the planner is prompted again with it. */
  message: string;
  found: string;
}

export type PlanCheck =
  | { kind: "valid"; plan: MicroPlan; order: string[] }
  | { kind: "invalid"; violations: PlanViolation[] };

/** A module that does not exist yet will ship as this version, so dependents inside the plan can only mean this one. */
export const FIRST_VERSION = "1.0.0";

/** The versions of each module that have shipped. */
export type KnownVersions = ReadonlyMap<string, readonly string[]>;

export function checkPlan(input: unknown, known: KnownVersions = new Map()): PlanCheck {
  const parsed = parse(MicroPlan, input);
  const { modules } = PlanDraft.parse(input);
  const closer = [
    ...checkDimensions(modules),
    ...checkVersions(modules, known),
    ...checkDependencies(modules),
    ...checkPurposes(modules),
  ];
  const places = new Set(closer.map((found) => found.path));
  const problems = parsed.kind === "ok" ? [] : parsed.problems;
  const violations = [
    // Where a later check speaks about the same place, it speaks more clearly than the schema does.
    ...problems
      .filter((problem) => !places.has(problem.path))
      .map((problem) => violation(1, problem.path, problem.expected, problem.found)),
    ...closer,
    ...checkIds(modules),
    ...checkCycles(modules),
  ].toSorted((a, b) => a.check - b.check);
  if (parsed.kind === "ok" && violations.length === 0) {
    return { kind: "valid", plan: parsed.value, order: planOrder(parsed.value) };
  }
  return { kind: "invalid", violations };
}

const List = z.array(z.unknown()).optional().catch(undefined);
const Word = z.string().optional().catch(undefined);

/** Whatever can be read of a plan, however broken the rest of it is; what cannot be read is left to the schema. */
const PlanDraft = z
  .object({
    modules: z
      .array(
        z
          .object({
            module_id: Word,
            module_version: Word,
            purpose: Word,
            io_contract: z
              .object({ inputs: List, outputs: List, error_surfaces: List, effects: List, modes: List })
              .optional()
              .catch(undefined),
            error_cases: List,
            depends_on: List,
            reuse_decision: Word,
            reuse_candidate_refs: List,
          })
          .catch({}),
      )
      .catch([]),
  })
  .catch({ modules: [] });
type DraftModule = z.infer<typeof PlanDraft>["modules"][number];

function violation(check: PlanCheckNumber, path: string, message: string, found: string): PlanViolation {
  return { check, name: PLAN_CHECKS[check], path, message, found };
}

function checkDimensions(modules: DraftModule[]): PlanViolation[] {
  return modules.flatMap((module, index) => {
    const dimensions = DIMENSIONS.flatMap((dimension) => {
      const path = `$.modules[${index}].io_contract.${dimension}`;
      const list = module.io_contract?.[dimension];
      const mayBeNone = dimension === "error_surfaces" || dimension === "effects";
      if (list?.length !== 0) return checkEntries(list ?? [], path, mayBeNone);
      const expected = mayBeNone ? 'at least one entry; "none" if there are none' : "at least one entry";
      return [violation(2, path, expected, "an empty list")];
    });
    // Error cases elaborate the error surfaces, so the same kinds of evasion are refused in them.
    return [
      ...dimensions,
      ...checkEntries(module.error_cases ?? [], `$.modules[${index}].error_cases`, true),
    ];
  });
}

/** An explicit "none", "errors: none" or "effects: none". */
const NONE = /^\s*(?:(?:errors?|error[ _](?:surfaces|cases)|effects?)\s*:\s*)?none\.?\s*$/i;

function checkEntries(list: unknown[], path: string, mayBeNone: boolean): PlanViolation[] {
  return list.flatMap((entry, index) => {
    if (typeof entry !== "string") return [];
    const refused = (expected: string): PlanViolation[] => [
      violation(2, `${path}[${index}]`, expected, preview(entry)),
    ];
    if (NONE.test(entry)) {
      if (!mayBeNone) return refused('a real entry; only errors and effects may be "none"');
      return list.length === 1 ? [] : refused('"none" as the only entry, or not at all');
    }
    return isPlaceholder(entry) ? refused("a real entry, not a blank or a placeholder") : [];
  });
}

/** What has shipped never changes: a plan that makes such a module says which version after it. */
function checkVersions(modules: DraftModule[], known: KnownVersions): PlanViolation[] {
  return modules.flatMap(({ module_id: id = "", module_version: version, reuse_decision }, index) => {
    const path = `$.modules[${index}].module_version`;
    const newest = known.get(id)?.toSorted(compareSemver).at(-1);
    const found = preview(version);
    if (version !== undefined && !Semver.safeParse(version).success) return [];
    if (reuse_decision === "REUSE") {
      if (version === undefined) return [];
      return [violation(3, path, "no version, because reuse_candidate_refs names what is reused", found)];
    }
    if (newest === undefined) {
      if (version === undefined || version === FIRST_VERSION) return [];
      return [violation(3, path, `${FIRST_VERSION} or nothing, because ${id} does not exist yet`, found)];
    }
    const next = (["patch", "minor", "major"] as const).map((level) => bump(newest, level));
    if (version !== undefined && next.includes(version)) return [];
    const expected = `${next.join(", ")} or another id, because ${id}@${newest} has shipped`;
    return [violation(3, path, expected, found)];
  });
}

function checkDependencies(modules: DraftModule[]): PlanViolation[] {
  const planned = new Map(modules.map((module) => [module.module_id, module]));
  return modules.flatMap((module, index) =>
    (module.depends_on ?? []).flatMap((ref, position) => {
      if (typeof ref !== "string") return [];
      const path = `$.modules[${index}].depends_on[${position}]`;
      if (!isModuleRef(ref)) {
        return [violation(3, path, "a module and its version, such as MM-name@1.0.0", preview(ref))];
      }
      const target = planned.get(moduleIdOf(ref));
      if (target === undefined) return [];
      const versions = versionsOf(target);
      if (versions.includes(versionOf(ref))) return [];
      const expected = versions.map((version) => `${moduleIdOf(ref)}@${version}`).join(" or ");
      return [violation(3, path, `${expected}, because this plan provides that module`, preview(ref))];
    }),
  );
}

/** A module reused under its own id keeps the versions that were found; else it is the one planned. */
function versionsOf(module: DraftModule): string[] {
  const found =
    module.reuse_decision === "REUSE"
      ? (module.reuse_candidate_refs ?? [])
          .filter(isModuleRef)
          .filter((ref) => moduleIdOf(ref) === module.module_id)
      : [];
  return found.length > 0 ? found.map(versionOf) : [module.module_version ?? FIRST_VERSION];
}

function isModuleRef(ref: unknown): ref is string {
  return ModuleRef.safeParse(ref).success;
}

function checkIds(modules: DraftModule[]): PlanViolation[] {
  const positions = new Map<string, number>();
  return modules.flatMap(({ module_id: id }, index) => {
    if (id === undefined) return [];
    const first = positions.get(id);
    if (first === undefined) {
      positions.set(id, index);
      return [];
    }
    const expected = `an id of its own: modules[${first}] and modules[${index}] have the same`;
    return [violation(4, `$.modules[${index}].module_id`, expected, preview(id))];
  });
}

function checkCycles(modules: DraftModule[]): PlanViolation[] {
  const nodes = modules.flatMap(({ module_id, depends_on }) =>
    module_id === undefined ? [] : [{ module_id, depends_on: (depends_on ?? []).filter(isModuleRef) }],
  );
  return planCycles({ modules: nodes }).map((cycle) => {
    const index = modules.findIndex((module) => module.module_id === cycle[0]);
    const path = `$.modules[${index}].depends_on`;
    return violation(5, path, `no cycle: ${renderCycle(cycle)}`, preview(modules[index]?.depends_on));
  });
}

const ABBREVIATION = /\b(?:e\.g|i\.e|etc|cf|vs|approx)\./gi;
const SECOND_SENTENCE = /[.!?…]["'”’)\]]*\s+\S|[。！？]\s*\S|[\r\n]/u;

/** What a machine can check of the rubric; whether the sentence holds one behaviour is the Challenger's to judge. */
function checkPurposes(modules: DraftModule[]): PlanViolation[] {
  return modules.flatMap(({ purpose }, index) => {
    if (purpose === undefined) return [];
    const path = `$.modules[${index}].purpose`;
    if (!/\p{L}/u.test(purpose) || isPlaceholder(purpose)) {
      return [violation(6, path, "one sentence that says what the module does", preview(purpose))];
    }
    if (!SECOND_SENTENCE.test(purpose.trim().replaceAll(ABBREVIATION, ""))) return [];
    return [violation(6, path, "one sentence only; split the module if it needs more", preview(purpose))];
  });
}
