// One cheap call to what would play the roles here, to see whether key, address and name of the model are right.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChosenModels, withModels } from "../agents/default-models.ts";
import type { CallLimits, RuntimeName } from "../agents/port.ts";
import { priceOf, worstCostOf } from "../agents/prices.ts";
import { type GuardedAnswer, runGuarded } from "../agents/run-guarded.ts";
import { redactor } from "../agents/secrets.ts";
import { ModelName } from "../domain/agent/model-price.ts";
import type { ResolvedConfig } from "../domain/config.ts";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { readConfig } from "./project.ts";
import { assertPlayable, type Environment, openRuntimes, type RuntimesOptions } from "./runtimes.ts";

export interface AboutTrial {
  runtime: RuntimeName;
  model: string;
  chosen: ChosenModels | undefined;
  question: string;
  limits: CallLimits;
  /** What it can cost at most. */
  mostUsd: number | "unknown";
  /** Whether a run would not ask this model, because money is capped and its price is unknown. */
  refusedByBudget: boolean;
}

export interface TriedModel {
  about: AboutTrial;
  answer: GuardedAnswer;
  ms: number;
}

export interface Trying {
  directory: string;
  env: Environment;
  /** In place of the one that the settings name. */
  model?: string;
  load?: RuntimesOptions["load"];
  signal: AbortSignal;
}

/** `begun` is called when everything is in order and the model is about to be asked. */
export async function tryModel(trying: Trying, begun: (about: AboutTrial) => void): Promise<TriedModel> {
  const { directory, env, load, signal } = trying;
  const { config, chosen } = withModels(await readConfig(directory), env);
  const about = aboutOf(config, chosen, trying.model);
  const { runtime, model, question, limits } = about;
  assertPlayable(runtime, { project: directory, env, acp: config.acp });
  const homes = await mkdtemp(join(tmpdir(), "cupel-try-"));
  const redact = redactor(env);
  const runtimes = openRuntimes({
    project: directory,
    env,
    acp: config.acp,
    homes,
    redact,
    script: undefined,
    playing: {},
    recording: undefined,
    ...(load === undefined ? {} : { load }),
  });
  try {
    begun(about);
    const started = performance.now();
    const answer = await runGuarded(await runtimes.get(runtime), {
      role: "arbiter",
      key: { role: "arbiter", task: null, module: null, node: "doctor", attempt: 1 },
      system: "Somebody wants to know whether you can be reached. Be brief.",
      prompt: question,
      outputSchema: REACHED,
      tools: [],
      model,
      limits,
      signal,
    });
    return { about, answer: redact(answer), ms: performance.now() - started };
  } finally {
    await runtimes.close();
    await rm(homes, { recursive: true, force: true });
  }
}

const QUESTION = "Say that you can be reached.";
const REACHED = {
  title: "reached",
  type: "object",
  properties: { reached: { type: "boolean" } },
  required: ["reached"],
  additionalProperties: false,
};

const LIMITS: CallLimits = {
  silenceMs: 20_000,
  timeoutMs: 30_000,
  maxInputTokens: 1500,
  maxOutputTokens: 256,
  maxTurns: 1,
};
/** Agents of their own bring words of their own, and take a while to start. */
const AGENT_LIMITS: CallLimits = {
  silenceMs: 60_000,
  timeoutMs: 90_000,
  maxInputTokens: 60_000,
  maxOutputTokens: 1000,
  maxTurns: 2,
};

function aboutOf(
  config: ResolvedConfig,
  chosen: ChosenModels | undefined,
  given: string | undefined,
): AboutTrial {
  const { runtime, model } = playerOf(config, given);
  const limits = runtime === "model" ? LIMITS : AGENT_LIMITS;
  const price = priceOf(model);
  const most = { input: limits.maxInputTokens, output: limits.maxOutputTokens };
  return {
    runtime,
    model,
    chosen: given === undefined ? chosen : undefined,
    question: QUESTION,
    limits,
    mostUsd: price === undefined ? "unknown" : worstCostOf(price, most),
    refusedByBudget: runtime === "model" && price === undefined && config.budget.unknownPrices === "refuse",
  };
}

/** The model that most of the work would be done by. */
function playerOf(
  { runtime, models: { small, standard, strong } }: ResolvedConfig,
  given: string | undefined,
): Pick<AboutTrial, "runtime" | "model"> {
  if (given !== undefined) {
    const model = parseOrThrow(ModelName, given, "the model");
    return { runtime: runtime === "scripted" || runtime === "simulator" ? "model" : runtime, model };
  }
  const model = standard ?? strong ?? small;
  if (model === undefined && runtime === "model") throw noModel();
  return { runtime, model: model ?? `${runtime}:default` };
}

function noModel(): CupelError {
  return new CupelError(
    "invalid_config",
    "no model is named, and no key is set that one could be chosen by",
    {
      hint: "export ANTHROPIC_API_KEY=…, or name a model: cupel doctor --try-key --model openai:… (later under models in cupel.config.json)",
    },
  );
}
