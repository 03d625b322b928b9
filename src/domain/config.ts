// The settings a project may make in cupel.config.json, and what holds where it makes none.
import { z } from "zod";
import { ModelName } from "./agent/model-price.ts";
import { staysInside } from "./artifact/context-pack.ts";
import { Role } from "./artifact/role.ts";
import { BlindSettings, DEFAULT_BLIND } from "./blind/settings.ts";
import { DEFAULT_FRACTAL, FractalSettings } from "./fractal/settings.ts";
import { refuse } from "./parse.ts";
import { ProtocolName, Rigor, RigorSetting, resolveRigor } from "./evidence/rigor.ts";

const Concurrency = z.int().min(1).max(64);
const Durability = z.enum(["normal", "full"]);
const Usd = z.number().positive();
const Tokens = z.int().positive();
const Minutes = z.number().positive();

/** How much a role's work needs of a model. */
export const Tier = z.enum(["small", "standard", "strong"]);
export type Tier = z.infer<typeof Tier>;

export const RuntimeName = z.enum(["scripted", "model", "claude-code", "codex", "acp", "simulator"]);
export type RuntimeName = z.infer<typeof RuntimeName>;

const Caps = z.strictObject({
  usd: Usd.optional().describe("Most US dollars; no limit by default."),
  tokens: Tokens.optional().describe("Most tokens, read and written together; no limit by default."),
  minutes: Minutes.optional().describe("Most minutes of agents' work; no limit by default."),
});
const UnknownPrices = z.enum(["refuse", "allow"]);
const Models = z.strictObject({
  small: ModelName.optional().describe("For work that a small model does well, such as reading hunks."),
  standard: ModelName.optional().describe("For most of the work."),
  strong: ModelName.optional().describe("For what everything else stands on: planning, judging, attacking."),
});

/** `local`, or a model of somebody's server as provider:model. */
const Embeddings = z.union([z.literal("local"), ModelName], {
  error: "local, or a provider and a model such as openai:text-embedding-3-small",
});
const Dimensions = z.int().min(256).max(1536);
const CodeIndexSetting = z
  .strictObject({
    embeddings: Embeddings.optional().describe(
      "What turns modules and questions into vectors: local (the default, runs here and offline) or provider:model.",
    ),
    dimensions: Dimensions.optional().describe(
      "How many dimensions the vectors of provider:model have, 256 to 1536; local has its own.",
    ),
  })
  .superRefine(({ embeddings = "local", dimensions }, context) => {
    if (embeddings !== "local" && dimensions === undefined) {
      refuse(context, ["dimensions"], `how many dimensions the vectors of ${embeddings} have`, "nothing");
    }
    if (embeddings === "local" && dimensions !== undefined) {
      refuse(context, ["dimensions"], "nothing while embeddings are local", String(dimensions));
    }
  });

const ScriptPath = z
  .string()
  .max(1000)
  .refine(staysInside, { error: "a path below the project, such as cupel/script.jsonl" });

const AcpSetting = z.strictObject({
  command: z.string().min(1).max(4096).describe("The program of the agent: a name on the PATH, or a path."),
  args: z
    .array(z.string().max(4096))
    .max(100)
    .optional()
    .describe("What it is started with; nothing by default."),
  env: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/, { error: "the name of a variable" }))
    .max(100)
    .optional()
    .describe("The names of variables that it gets from your environment, such as its key; none by default."),
});
export type AcpSetting = z.infer<typeof AcpSetting>;

/** How the simulated agents behave; whether there are such ways is known to the simulator. */
const SimulatorSetting = z.strictObject({
  agents: z
    .string()
    .min(1)
    .max(1000)
    .describe("How they behave: honest (the default), or such as proposer=cheat/skip-tests+slow."),
  seed: z.int().nonnegative().describe("What their chance is drawn from; 1 by default."),
});
export type SimulatorSetting = z.infer<typeof SimulatorSetting>;

const RoleSetting = z.strictObject({
  runtime: RuntimeName.optional().describe("What plays this role, where it is not the runtime of all."),
  model: ModelName.optional().describe("The model of this role, where it is not the one of its tier."),
  budget: Caps.optional().describe("The caps of all calls of this role in a run."),
});

export const Config = z.strictObject({
  $schema: z.string().optional().describe("Where editors find the description of this file."),
  rigor: RigorSetting.optional().describe(
    "How much proof a module needs: lite, standard (the default), strict, or one of them with changes.",
  ),
  protocol: ProtocolName.optional().describe(
    "How modules are made; without it, the rigor's own protocol is used.",
  ),
  blind: BlindSettings.partial()
    .optional()
    .describe("How many work side by side on one module where the protocol is blind."),
  fractal: FractalSettings.partial()
    .optional()
    .describe("How trees of modules grow where the protocol is fractal."),
  concurrency: Concurrency.optional().describe(
    "How many tasks are worked on at the same time; 1 by default.",
  ),
  budget: z
    .strictObject({
      usd: Usd.optional().describe("Most US dollars a run may spend; 10 by default."),
      tokens: Tokens.optional().describe("Most tokens a run may use; no limit by default."),
      minutes: Minutes.optional().describe(
        "Most minutes of agents' work in a run, those of parallel calls added up; no limit by default.",
      ),
      task: Caps.optional().describe("The caps of each task."),
      unknownPrices: UnknownPrices.optional().describe(
        "Whether a model without a known price may be asked although money is capped: refuse (the default) or allow.",
      ),
    })
    .optional()
    .describe("The caps of a run. A call that could cross one of them does not start."),
  runtime: RuntimeName.optional().describe(
    "What plays the roles: a script, any chat model (model, the default), an agent of its own, or the simulator.",
  ),
  script: ScriptPath.optional().describe(
    "Where the runtime is scripted: the script that plays every role, as a path below the project. --replay comes first.",
  ),
  models: Models.optional().describe(
    "Which model each tier is, as provider:model. Where none is named, ANTHROPIC_API_KEY in the environment decides.",
  ),
  roles: z
    .partialRecord(Role, RoleSetting)
    .optional()
    .describe("What holds for single roles, so that a challenger can be another model than the proposer."),
  acp: AcpSetting.optional().describe(
    "The agent of the Agent Client Protocol that plays roles where the runtime is acp.",
  ),
  simulator: SimulatorSetting.partial()
    .optional()
    .describe("The simulated agents that play roles where the runtime is simulator."),
  codeIndex: CodeIndexSetting.optional().describe(
    "How shipped modules are found by meaning. After a change: cupel index reindex.",
  ),
  durability: Durability.optional().describe(
    "What saved work survives: a killed process (normal, the default) or also a power failure (full).",
  ),
});
export type Config = z.infer<typeof Config>;

export const ResolvedConfig = z.strictObject({
  rigor: Rigor,
  protocol: ProtocolName,
  blind: BlindSettings,
  fractal: FractalSettings,
  concurrency: Concurrency,
  budget: z.strictObject({
    usd: Usd,
    tokens: Tokens.optional(),
    minutes: Minutes.optional(),
    task: Caps,
    unknownPrices: UnknownPrices,
  }),
  runtime: RuntimeName,
  script: ScriptPath.optional(),
  models: Models,
  roles: z.partialRecord(Role, RoleSetting),
  acp: AcpSetting.optional(),
  simulator: SimulatorSetting,
  codeIndex: z.strictObject({ embeddings: Embeddings, dimensions: Dimensions.optional() }),
  durability: Durability,
});
export type ResolvedConfig = z.infer<typeof ResolvedConfig>;

/** Room for about eight calls of a strong model at their worst, so that a small run is not stopped by what it holds back. */
const DEFAULT_BUDGET_USD = 10;

export function resolveConfig(config: Config): ResolvedConfig {
  const rigor = resolveRigor(config.rigor ?? "standard");
  return {
    rigor,
    protocol: config.protocol ?? rigor.protocol,
    blind: BlindSettings.parse({ ...DEFAULT_BLIND, ...config.blind }),
    fractal: FractalSettings.parse({ ...DEFAULT_FRACTAL, ...config.fractal }),
    concurrency: config.concurrency ?? 1,
    // A limit on tokens or minutes does not lift the one on money.
    budget: {
      ...config.budget,
      usd: config.budget?.usd ?? DEFAULT_BUDGET_USD,
      task: config.budget?.task ?? {},
      unknownPrices: config.budget?.unknownPrices ?? "refuse",
    },
    runtime: config.runtime ?? "model",
    script: config.script,
    models: config.models ?? {},
    roles: config.roles ?? {},
    acp: config.acp,
    simulator: resolveSimulator(config.simulator),
    codeIndex: resolveCodeIndex(config.codeIndex ?? {}),
    durability: config.durability ?? "normal",
  };
}

function resolveSimulator({ agents = "honest", seed = 1 }: Config["simulator"] = {}): SimulatorSetting {
  return { agents, seed };
}

function resolveCodeIndex({
  embeddings = "local",
  dimensions,
}: NonNullable<Config["codeIndex"]>): ResolvedConfig["codeIndex"] {
  return { embeddings, ...(dimensions === undefined ? {} : { dimensions }) };
}
