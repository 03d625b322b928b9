// What a run would do and could cost, before it begins: from the specification and the settings alone.
import { castRole } from "../agents/cast-role.ts";
import type { RoleDefinition } from "../agents/port.ts";
import { costOf, priceOf } from "../agents/prices.ts";
import { arbiter } from "../agents/roles/arbiter.ts";
import { builder } from "../agents/roles/builder.ts";
import { contractChallenger } from "../agents/roles/challenger-contract.ts";
import { challenger } from "../agents/roles/challenger.ts";
import { implFractal } from "../agents/roles/impl-fractal.ts";
import { impl } from "../agents/roles/impl.ts";
import { microPlanner } from "../agents/roles/micro-planner.ts";
import { contractProposer } from "../agents/roles/proposer-contract.ts";
import { proposer } from "../agents/roles/proposer.ts";
import { scaffold } from "../agents/roles/scaffold.ts";
import { tddReview } from "../agents/roles/tdd-review.ts";
import { testAuthor } from "../agents/roles/test-author.ts";
import { tests } from "../agents/roles/tests.ts";
import { typeAdversary } from "../agents/roles/type-adversary.ts";
import { types } from "../agents/roles/types.ts";
import { verifier } from "../agents/roles/verifier.ts";
import { witness } from "../agents/roles/witness.ts";
import type { ResolvedConfig } from "../domain/config.ts";
import type { ProductSpec } from "../domain/product/product-spec.ts";
import { planProject } from "../project/plan-project.ts";

export interface RunEstimate {
  protocol: string;
  rigor: string;
  concurrency: number;
  /** In declaration order. */
  tasks: { id: string; name: string; dependsOn: string[]; path: string }[];
  /** When every task is one module and everything is right at the first try. */
  calls: number;
  /** For these calls at the prices of the models that are set; null where the price of one is unknown. */
  usd: number | null;
  capUsd: number;
  /** Why there is no figure. */
  unknown: string[];
}

/** Middling calls of recorded runs; an estimate, and said to be one. */
const TOKENS = { input: 20_000, output: 5000 };

export function estimateRun(spec: ProductSpec, config: ResolvedConfig): RunEstimate {
  const { tasks } = planProject(spec, spec.updated_at);
  const roles = rolesOfTask(config);
  const costs = roles.map((role) => costOfRole(role, config));
  const known = costs.flatMap(({ usd }) => (usd === undefined ? [] : [usd]));
  const sum = known.reduce((total, usd) => total + usd, 0) * tasks.length;
  return {
    protocol: config.protocol,
    rigor: config.rigor.base,
    concurrency: config.concurrency,
    tasks: tasks.map(({ taskId: id, entry, path }) => ({
      id,
      name: entry.task,
      dependsOn: entry.depends_on,
      path,
    })),
    calls: roles.length * tasks.length,
    usd: known.length === costs.length ? sum : null,
    capUsd: config.budget.usd,
    unknown: [...new Set(costs.flatMap(({ usd, model }) => (usd === undefined ? [model] : [])))],
  };
}

function rolesOfTask({ protocol, rigor, blind }: ResolvedConfig): readonly RoleDefinition[] {
  if (protocol === "solo") return [microPlanner, builder, verifier];
  if (protocol === "blind") {
    const writers = Array.from({ length: blind.testers }, () => tests);
    const builders = Array.from({ length: blind.implementers }, () => impl);
    return [microPlanner, types, typeAdversary, ...writers, ...builders, witness];
  }
  // At least the root of the tree; how many nodes follow is what its planner decides.
  if (protocol === "fractal") return [scaffold, testAuthor, implFractal, tddReview];
  const contract = rigor.contractRound ? [contractProposer, contractChallenger, arbiter] : [];
  return [microPlanner, ...contract, proposer, challenger, arbiter];
}

function costOfRole(role: RoleDefinition, config: ResolvedConfig): { model: string; usd?: number } {
  const { model, runtime } = castRole(config, role);
  if (runtime === "scripted" || runtime === "simulator") return { model, usd: 0 };
  const price = priceOf(model);
  return price === undefined ? { model } : { model, usd: costOf(price, TOKENS) };
}
