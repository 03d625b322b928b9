// Who plays a role, with which model and within which limits, as the configuration says.
import type { BudgetCaps } from "../domain/agent/budget-state.ts";
import type { Role } from "../domain/artifact/role.ts";
import type { ResolvedConfig } from "../domain/config.ts";
import { CupelError } from "../domain/error.ts";
import type { CallLimits, RoleDefinition, RuntimeName, Tier } from "./port.ts";

export interface Cast {
  runtime: RuntimeName;
  model: string;
  limits: CallLimits;
}

const MINUTE = 60_000;
const EVERY_CALL = { silenceMs: MINUTE, maxTurns: 60 };
/** A runtime ends a call before it would cross these, so they are what is held back from the budget until it has ended. */
const LIMITS: Readonly<Record<Tier, CallLimits>> = {
  small: { ...EVERY_CALL, timeoutMs: 10 * MINUTE, maxInputTokens: 100_000, maxOutputTokens: 8000 },
  standard: { ...EVERY_CALL, timeoutMs: 20 * MINUTE, maxInputTokens: 200_000, maxOutputTokens: 16_000 },
  strong: { ...EVERY_CALL, timeoutMs: 20 * MINUTE, maxInputTokens: 100_000, maxOutputTokens: 16_000 },
};

/** A model whose price is known. */
const EXAMPLE = "anthropic:claude-sonnet-5";

export function castRole(
  config: ResolvedConfig,
  { name, tier }: Pick<RoleDefinition, "name" | "tier">,
): Cast {
  const own = config.roles[name];
  const runtime = own?.runtime ?? config.runtime;
  const model = own?.model ?? config.models[tier];
  if (model === undefined && runtime === "model") {
    throw new CupelError("invalid_config", `no model is named for the ${name}`, {
      expected: `models.${tier} or roles.${name}.model in cupel.config.json, or ANTHROPIC_API_KEY in the environment`,
      hint: `add "models": {"${tier}": "${EXAMPLE}"} to cupel.config.json, or say --model ${EXAMPLE}; its key comes from the environment (export ANTHROPIC_API_KEY=…). Without any key: cupel demo`,
    });
  }
  return { runtime, model: model ?? `${runtime}:default`, limits: LIMITS[tier] };
}

export function capsOf({ budget, roles }: ResolvedConfig): BudgetCaps {
  const { task, unknownPrices, ...run } = budget;
  const caps: BudgetCaps["roles"] = {};
  for (const [role, own] of entries(roles)) if (own.budget !== undefined) caps[role] = own.budget;
  return { run, task, roles: caps, unknownPrices };
}

function entries(roles: ResolvedConfig["roles"]) {
  const names = Object.keys(roles).filter((name): name is Role => name in roles);
  return names.flatMap((name) => {
    const own = roles[name];
    return own === undefined ? [] : [[name, own] as const];
  });
}
