// Who real workers are is written down with the trial: what a project's settings say when it is registered, and nothing later.
import { resolve } from "node:path";
import { withModels } from "../agents/default-models.ts";
import type { AgentSettings, TrialProtocol } from "../domain/trial/trial-protocol.ts";
import { castingOf } from "./ask-once.ts";
import { projectNear, readConfig } from "./project.ts";
import { assertPlayable, type Environment } from "./runtimes.ts";

type Workers = TrialProtocol["workers"];

/** Simulated ones as they are; real ones as the project around the directory has them, if it could ask them at all. */
export async function workersIn(directory: string, workers: Workers, env: Environment): Promise<Workers> {
  if (workers.kind === "simulated") return workers;
  const { runtime, model } = workers;
  const cast = castingOf({ runtime, ...(model === undefined ? {} : { model }) });
  const project = projectNear(directory) ?? directory;
  const written = await readConfig(project);
  const asked = { ...written, ...(cast.runtime === undefined ? {} : { runtime: cast.runtime }) };
  const { models, roles, acp, budget } = model === undefined ? withModels(asked, env).config : asked;
  assertPlayable(asked.runtime, { project, env, acp });
  const settings: AgentSettings = {
    models,
    roles,
    budget,
    ...(acp === undefined ? {} : { acp: { ...acp, command: fromAnywhere(acp.command, project) } }),
  };
  return { ...workers, settings };
}

/** Runs have projects of their own, from which no path of this one leads anywhere. */
function fromAnywhere(command: string, project: string): string {
  return command.includes("/") ? resolve(project, command) : command;
}
