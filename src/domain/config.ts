// The settings a project may make in cupel.config.json, and what holds where it makes none.
import { z } from "zod";
import { ProtocolName, Rigor, RigorSetting, resolveRigor } from "./evidence/rigor.ts";

const Concurrency = z.int().min(1).max(64);
const Durability = z.enum(["normal", "full"]);
const Usd = z.number().positive();
const Tokens = z.int().positive();
const Minutes = z.number().positive();

export const Config = z.strictObject({
  $schema: z.string().optional().describe("Where editors find the description of this file."),
  rigor: RigorSetting.optional().describe(
    "How much proof a module needs: lite, standard (the default), strict, or one of them with changes.",
  ),
  protocol: ProtocolName.optional().describe(
    "How modules are made; without it, the rigor's own protocol is used.",
  ),
  concurrency: Concurrency.optional().describe(
    "How many tasks are worked on at the same time; 1 by default.",
  ),
  budget: z
    .strictObject({
      usd: Usd.optional().describe("Most US dollars a run may spend; 2 by default."),
      tokens: Tokens.optional().describe("Most tokens a run may use; no limit by default."),
      minutes: Minutes.optional().describe("Most minutes a run may take; no limit by default."),
    })
    .optional()
    .describe("The caps of a run. A call that could cross one of them does not start."),
  durability: Durability.optional().describe(
    "What saved work survives: a killed process (normal, the default) or also a power failure (full).",
  ),
});
export type Config = z.infer<typeof Config>;

export const ResolvedConfig = z.strictObject({
  rigor: Rigor,
  protocol: ProtocolName,
  concurrency: Concurrency,
  budget: z.strictObject({ usd: Usd, tokens: Tokens.optional(), minutes: Minutes.optional() }),
  durability: Durability,
});
export type ResolvedConfig = z.infer<typeof ResolvedConfig>;

const DEFAULT_BUDGET_USD = 2;

export function resolveConfig(config: Config): ResolvedConfig {
  const rigor = resolveRigor(config.rigor ?? "standard");
  return {
    rigor,
    protocol: config.protocol ?? rigor.protocol,
    concurrency: config.concurrency ?? 1,
    // A limit on tokens or minutes does not lift the one on money.
    budget: { ...config.budget, usd: config.budget?.usd ?? DEFAULT_BUDGET_USD },
    durability: config.durability ?? "normal",
  };
}
