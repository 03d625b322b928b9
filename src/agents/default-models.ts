// Which models play the roles where a project names none: those that the key in the environment opens. Only models whose
// price is known, so that the budget holds for them; whoever has another key names the model.
import type { ResolvedConfig } from "../domain/config.ts";

export interface ChosenModels {
  /** The variable with the key; nothing of its value. */
  because: string;
  models: ResolvedConfig["models"];
}

const BY_KEY: readonly ChosenModels[] = [
  {
    because: "ANTHROPIC_API_KEY",
    models: {
      small: "anthropic:claude-haiku-4-5-20251001",
      standard: "anthropic:claude-sonnet-5",
      strong: "anthropic:claude-opus-5-5",
    },
  },
];

/** The settings with these models in them, and what was chosen; unchanged where a person named any model for a tier. */
export function withModels<Settings extends ResolvedConfig>(
  config: Settings,
  env: Readonly<Record<string, string | undefined>>,
): { config: Settings; chosen: ChosenModels | undefined } {
  const asksModels = [config.runtime, ...Object.values(config.roles).map(({ runtime }) => runtime)].includes(
    "model",
  );
  const named = Object.values(config.models).some((model) => model !== undefined);
  if (!asksModels || named) return { config, chosen: undefined };
  const chosen = BY_KEY.find(({ because }) => (env[because] ?? "").trim() !== "");
  return chosen === undefined
    ? { config, chosen }
    : { config: { ...config, models: { ...chosen.models } }, chosen };
}

/** For the line in which a person is told. */
export function chosenText({ because, models }: ChosenModels): string {
  const { standard = "", strong = "" } = models;
  return `no model is named in cupel.config.json; ${because} is set, so: ${standard}, and ${strong} for planning and judging`;
}
