// Reuse before creation: what a plan refers to must have shipped, and what the Code Index offers must have been looked at.
import type { DraftedModule } from "../../domain/agent/plan-roles.ts";
import type { PlanCheckNumber, PlanViolation } from "../../domain/plan/plan-checks.ts";
import { PLAN_CHECKS } from "../../domain/plan/plan-checks.ts";
import type { CodeIndexHit, CodeIndexQuery, ReuseSearchReport } from "../../domain/plan/reuse.ts";
import { preview } from "../../domain/parse.ts";
import { moduleIdOf, ModuleRef, versionOf } from "../../domain/refs.ts";
import type { EngineeringPorts } from "../port.ts";
import { reusedBy } from "./plan-outcome.ts";

export type ReuseWorld = Pick<EngineeringPorts, "index" | "store">;

/** Less alike than this, a candidate needs no words: the index always offers its nearest, however far they are. */
export const WORTH_CONSIDERING = 0.5;
const MOST_CANDIDATES = 5;

/** `by`: a person answers for a plan and need not argue with the index; what it refers to must exist all the same. */
export async function checkReuse(
  world: ReuseWorld,
  modules: readonly DraftedModule[],
  by: "agent" | "person",
  signal: AbortSignal,
): Promise<PlanViolation[]> {
  const planned = new Set(modules.map(({ module_id }) => module_id));
  const violations: PlanViolation[] = [];
  for (const [index, module] of modules.entries()) {
    const at = `$.modules[${index}]`;
    violations.push(...(await checkOutside(world, module, planned, at)));
    if (module.reuse_decision === "REUSE") violations.push(...(await checkReused(world, module, at)));
    else if (by === "agent") violations.push(...(await checkConsidered(world, module, at, signal)));
  }
  return violations;
}

/** The search of the harness itself, whatever the planner has searched for. */
export function queryFor({ purpose, io_contract }: DraftedModule): CodeIndexQuery {
  const { inputs, outputs } = io_contract;
  const query = `${purpose.trim()} From ${inputs.join("; ")} to ${outputs.join("; ")}.`;
  return { query, include_inactive: false, top_k: MOST_CANDIDATES };
}

/** Of a plan that holds: why this module is made although there are others. */
export function reuseReport(module: DraftedModule): ReuseSearchReport {
  return {
    query: queryFor(module).query,
    candidates_considered: [...new Set(module.reuse_candidate_refs)].map((module_ref) => ({
      module_ref,
      why_rejected: module.reuse_justification,
    })),
    conclusion: "CREATE_NEW",
    justification: module.reuse_justification,
  };
}

async function checkOutside(
  { store }: ReuseWorld,
  { depends_on }: DraftedModule,
  planned: ReadonlySet<string>,
  at: string,
): Promise<PlanViolation[]> {
  const violations: PlanViolation[] = [];
  for (const [place, ref] of depends_on.entries()) {
    if (!isRef(ref) || planned.has(moduleIdOf(ref))) continue;
    if (await store.modules.isSealed(moduleIdOf(ref), versionOf(ref))) continue;
    const expected = "a module of this plan or one that has shipped";
    violations.push(violation(3, `${at}.depends_on[${place}]`, expected, ref));
  }
  return violations;
}

async function checkReused(
  { store, index }: ReuseWorld,
  module: DraftedModule,
  at: string,
): Promise<PlanViolation[]> {
  // Of several the one that will be taken for it, which need not be the first.
  const ref = reusedBy(module);
  const path = `${at}.reuse_candidate_refs[${module.reuse_candidate_refs.indexOf(ref ?? "")}]`;
  // Without any it is no plan by the schema.
  if (ref === undefined || !isRef(ref)) return [];
  const entry = await index.get(ref);
  const sealed = await store.modules.isSealed(moduleIdOf(ref), versionOf(ref));
  if (entry === undefined || !sealed) return [violation(7, path, "a module that has shipped", ref)];
  if (entry.status === "SHIPPED") return [];
  const instead = entry.superseded_by === undefined ? "" : `, such as ${entry.superseded_by}`;
  return [violation(7, path, `a module in use${instead}, because this one is ${entry.status}`, ref)];
}

async function checkConsidered(
  { index }: ReuseWorld,
  module: DraftedModule,
  at: string,
  signal: AbortSignal,
): Promise<PlanViolation[]> {
  const path = `${at}.reuse_candidate_refs`;
  const refs = module.reuse_candidate_refs.filter(isRef);
  const violations: PlanViolation[] = [];
  for (const ref of refs) {
    if ((await index.get(ref)) !== undefined) continue;
    const place = module.reuse_candidate_refs.indexOf(ref);
    violations.push(violation(7, `${path}[${place}]`, "a module of the Code Index", ref));
  }
  if (module.purpose.trim() === "") return violations;
  const known = new Set(refs.map(moduleIdOf));
  for (const hit of await index.search(queryFor(module), signal)) {
    if (hit.similarity_score < WORTH_CONSIDERING || hit.module_id === module.module_id) continue;
    if (known.has(hit.module_id)) continue;
    known.add(hit.module_id);
    violations.push(violation(7, path, unconsidered(hit), module.reuse_candidate_refs));
  }
  return violations;
}

function unconsidered({ module_id, version, similarity_score, purpose }: CodeIndexHit): string {
  const how = similarity_score.toFixed(2);
  return `${module_id}@${version} among them, reused or with the reason why it will not do: the Code Index offers it for this purpose (similarity ${how}: ${purpose})`;
}

function isRef(ref: string): boolean {
  return ModuleRef.safeParse(ref).success;
}

function violation(check: PlanCheckNumber, path: string, message: string, found: unknown): PlanViolation {
  return { check, name: PLAN_CHECKS[check], path, message, found: preview(found) };
}
