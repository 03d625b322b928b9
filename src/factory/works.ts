// A project opened for work by agents: one run in its store, graphs, and the way to ask a role.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capsOf, castRole } from "../agents/cast-role.ts";
import { type ChosenModels, withModels } from "../agents/default-models.ts";
import type { RoleDefinition, RuntimeName } from "../agents/port.ts";
import { firstOf, packagedPrompts, promptsIn } from "../agents/prompting/prompt-source.ts";
import { redactor } from "../agents/secrets.ts";
import type { BudgetState } from "../domain/agent/budget-state.ts";
import type { ResolvedConfig } from "../domain/config.ts";
import { LocalAdvisories } from "../graph/advisory.ts";
import type { AdvisoryJob } from "../graph/advisory-job.ts";
import type { Graphs } from "../graph/graphs-port.ts";
import { openGraphs } from "../graph/graphs.ts";
import { LocalMailbox } from "../graph/mailbox.ts";
import type { Advisories, Observer } from "../graph/port.ts";
import { openTracing } from "../graph/spans-export.ts";
import { tracedGraphs } from "../graph/spans.ts";
import type { Fence } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";
import { openStoreWithSql } from "../store/store-with-sql.ts";
import { asker } from "./asker.ts";
import type { Ask } from "./asker.ts";
import { closing } from "./closing.ts";
import type { Closing } from "./closing.ts";
import { readConfig } from "./project.ts";
import { openRun, runIdOf } from "./run.ts";
import type { RunOutcome } from "./run.ts";
import { assertPlayable, openRuntimes } from "./runtimes.ts";
import type { Environment } from "./runtimes.ts";
import { openRecording, readScript } from "./script-files.ts";
import { assertSimulated, isSimulated, openSimulator, type Simulation } from "./simulated.ts";

export interface WorksOptions {
  /** The root of the project: its settings, its prompts, its state store. */
  project: string;
  /** Keys, addresses, and what must never be written down. */
  env?: Environment;
  /** The run to go on with; a new one unless told. */
  runId?: string;
  /** Whether a project without a state store gets one, which it does unless told. */
  missing?: "create" | "refuse";
  /** Those that will be asked: what is missing for them is said before anything is opened. */
  roles?: readonly RoleDefinition[];
  /** For every role, whatever the settings say. */
  cast?: Casting;
  /** What the chance of simulated agents is drawn from, in place of what the settings say. */
  seed?: number;
  /** What simulated agents know, in place of the cases that Cupel brings. */
  simulation?: Simulation;
  /** The most dollars that the run may spend, in place of what the settings say. */
  maxUsd?: number;
  /** A file that gets every call as a line of a script; one that holds something is refused unless `append` is set. */
  record?: string;
  append?: boolean;
  /** A script that plays every role: no key is needed, and nothing is paid. */
  replay?: string;
  /** Plays a line also when the agent is asked something else than when it was recorded. */
  ignoreInput?: boolean;
  /** How much of the time that a script says it takes; none unless told. */
  pace?: number;
  /** Work beside the graphs, by name. */
  jobs?: (ask: Ask) => Readonly<Record<string, AdvisoryJob>>;
  observers?: readonly Observer[];
  /** How long the run stays ours without a heartbeat: how long others wait after this process died. */
  ttlMs?: number;
  now?: () => number;
}

export interface Casting {
  runtime?: RuntimeName;
  model?: string;
  /** How simulated agents behave. */
  simulated?: string;
}

export interface Works {
  readonly project: string;
  readonly config: ResolvedConfig;
  /** The models that were chosen because nobody named one. */
  readonly chosen: ChosenModels | undefined;
  readonly store: StateStore;
  readonly runId: string;
  /** How its agents behave, where they are simulated. */
  readonly simulated: string | undefined;
  /** For whatever is written in the name of the run. */
  readonly fence: Fence;
  readonly ask: Ask;
  readonly graphs: Graphs;
  readonly mailbox: LocalMailbox;
  readonly advisories: Advisories;
  /** What the run has spent and holds back. */
  budget(): BudgetState;
  /** Aborted when somebody else took the run over: nothing that this process does is written any more. */
  readonly lost: AbortSignal;
  /** Lets steps under way end, stops what is left, gives the run back. `stopped` unless told; the first word counts. */
  close(outcome?: RunOutcome): Promise<void>;
}

const TTL_MS = 30_000;

export async function openWorks(given: WorksOptions): Promise<Works> {
  const written = await readConfig(given.project);
  const options = { ...given, ...scriptOf(written, given) };
  const { config, chosen } = withModels(castConfig(written, options), options.env ?? process.env);
  assertSimulated(config, options.simulation);
  for (const role of options.roles ?? []) {
    const { runtime } = castRole(config, role);
    if (options.replay === undefined)
      assertPlayable(runtime, { project: options.project, env: options.env ?? process.env, acp: config.acp });
  }
  const open = closing();
  try {
    return { ...(await openAll(options, config, open)), chosen };
  } catch (error) {
    await open.close().catch(() => undefined);
    throw error;
  }
}

async function openAll(
  options: WorksOptions,
  config: ResolvedConfig,
  open: Closing,
): Promise<Omit<Works, "chosen">> {
  const id = runIdOf(options.runId);
  const { project, env = process.env, missing = "create", ttlMs = TTL_MS, now = Date.now } = options;
  const scripts = await openScripts(options, open);
  const { store, sql } = openStoreWithSql(project, { durability: config.durability, missing, now });
  open.add(() => store.close());
  keepOutOfGit(project);
  const simulated = options.replay === undefined && isSimulated(config) ? config.simulator.agents : undefined;
  const about = { id, caps: capsOf(config), ttlMs, now, ...(simulated === undefined ? {} : { simulated }) };
  const run = await openRun(store, about, open);
  const tracing = await openTracing({ env });
  if (tracing !== undefined) open.add(() => tracing.close());

  const redact = redactor(env);
  const runtimes = openRuntimes({
    project,
    env,
    acp: config.acp,
    homes: join(project, ".cupel", "agents"),
    redact,
    simulator: () => openSimulator(config, options.simulation),
    ...scripts,
  });
  const prompts = firstOf(promptsIn(join(project, "cupel", "prompts"), "cupel/prompts"), packagedPrompts);
  const { ask, close } = asker({ config, store, run, runtimes, prompts, redact, tracer: tracing?.tracer });
  open.add(close);

  const onThreads = { sql, holder: run.holder, now, ttlMs, redact };
  const mailbox = new LocalMailbox(sql, run.holder);
  const advisories = new LocalAdvisories({ ...onThreads, jobs: options.jobs?.(ask) ?? {} });
  open.add(() => advisories.close());
  const graphs = openGraphs({ ...onThreads, observers: options.observers ?? [], mailbox, advisories });
  open.add(() => graphs.drain());
  return {
    project,
    config,
    store,
    runId: run.id,
    simulated,
    fence: run.fence,
    ask,
    graphs: tracing === undefined ? graphs : tracedGraphs(graphs, tracing.tracer),
    mailbox,
    advisories,
    budget: () => run.budget.state(),
    lost: run.lost,
    close(outcome = "stopped") {
      run.conclude(outcome);
      return open.close();
    },
  };
}

/** The one that was named, else the one that the settings name. */
export function scriptOf(
  { runtime, script }: Pick<ResolvedConfig, "runtime" | "script">,
  { project, replay }: Pick<WorksOptions, "project" | "replay">,
): { replay?: string } {
  if (replay !== undefined) return { replay };
  return runtime === "scripted" && script !== undefined ? { replay: join(project, script) } : {};
}

/** What Cupel keeps beside a person's work is no part of it. */
function keepOutOfGit(project: string): void {
  const ignore = join(project, ".cupel", ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
}

/** What is wrong with them is said before a run is opened. */
async function openScripts(options: WorksOptions, open: Closing) {
  const { replay, record, append = false, ignoreInput = false, pace = 0 } = options;
  const script = replay === undefined ? undefined : await readScript(replay);
  const recording = record === undefined ? undefined : await openRecording(record, append);
  if (recording !== undefined) open.add(() => recording.close());
  return { script, recording, playing: { ignoreInput, pace } };
}

/** What was said for all roles comes before what the settings say for single ones; a script comes before both. */
function castConfig(
  config: ResolvedConfig,
  { cast = {}, replay, maxUsd, seed }: WorksOptions,
): ResolvedConfig {
  const runtime = replay === undefined ? cast.runtime : "scripted";
  const { model } = cast;
  const roles = Object.entries(config.roles).map(([name, own]) => [
    name,
    { ...own, ...(runtime === undefined ? {} : { runtime }), ...(model === undefined ? {} : { model }) },
  ]);
  const models = model === undefined ? config.models : { small: model, standard: model, strong: model };
  const budget = maxUsd === undefined ? config.budget : { ...config.budget, usd: maxUsd };
  const { simulator } = config;
  return {
    ...config,
    budget,
    runtime: runtime ?? config.runtime,
    simulator: { agents: cast.simulated ?? simulator.agents, seed: seed ?? simulator.seed },
    models,
    roles: Object.fromEntries(roles),
  };
}
