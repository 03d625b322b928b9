// `cupel trial init`: writes down what a trial compares, on what and how; from the first run on it stays so.
import { basename, resolve } from "node:path";
import { CupelError } from "../../domain/error.ts";
import { oneOf } from "../../domain/one-of.ts";
import {
  PrimaryOutcome,
  type TrialProtocol,
  USUAL_WORKERS,
  WorkerParameters,
} from "../../domain/trial/trial-protocol.ts";
import { registerTrials } from "../../factory/trial-register.ts";
import { PRESET_NAMES, type PresetName, type TrialWishes } from "../../trial/presets.ts";
import { amount, share, whole } from "../numbers.ts";
import { oneLine, printJson, printText } from "../output.ts";
import { registeredLine } from "./trial-text.ts";

type ParameterFlags = Partial<Record<keyof WorkerParameters, string>>;

export interface TrialInitCommand extends ParameterFlags {
  preset?: string;
  name?: string;
  corpus?: string;
  tasks?: string;
  seeds?: string;
  arms?: string;
  control?: string;
  primary?: string;
  runtime?: string;
  model?: string;
  sweep?: string;
  maxRuns?: string;
  maxTokens?: string;
  maxCost?: string;
  json?: boolean;
}

export async function trialInit(directory: string, command: TrialInitCommand): Promise<void> {
  const registered = await registerTrials(directory, wishesOf(directory, command), {
    here: process.cwd(),
    env: process.env,
    ...(command.sweep === undefined ? {} : { sweep: command.sweep }),
  });
  if (command.json === true) return printJson(registered);
  const lines = registered.map(({ folder, protocol }) => registeredLine(folder, protocol));
  printText([...lines, `Next: cupel trial run ${directory}`].map(oneLine).join("\n"));
}

export function presetNamed(typed: string): PresetName {
  return oneOf(PRESET_NAMES, typed, "preset");
}

function wishesOf(directory: string, command: TrialInitCommand): TrialWishes {
  const { name = basename(resolve(directory)), corpus, tasks, arms, control, primary } = command;
  const seeds = whole(command.seeds, "--seeds", 1, undefined);
  const workers = workersOf(command);
  return {
    preset: presetNamed(command.preset ?? "short"),
    name,
    ...(corpus === undefined ? {} : { corpus }),
    ...(tasks === undefined ? {} : { tasks: tasksOf(tasks) }),
    ...(seeds === undefined ? {} : { seeds }),
    ...(arms === undefined ? {} : { arms: words(arms) }),
    ...(control === undefined ? {} : { control }),
    ...(primary === undefined ? {} : { primary: oneOf(PrimaryOutcome.options, primary, "outcome") }),
    workers,
    stop: stopOf(command, workers),
  };
}

function tasksOf(text: string): number | string[] {
  return /^\s*\d+\s*$/.test(text) ? whole(text, "--tasks", 1, 1) : words(text);
}

function words(text: string): string[] {
  return text.split(",").map((word) => word.trim());
}

function workersOf(command: TrialInitCommand): TrialProtocol["workers"] {
  const { runtime, model } = command;
  const set = WorkerParameters.keyof().options.flatMap((name) => {
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const value = share(command[name], flag);
    return value === undefined ? [] : [{ name, flag, value }];
  });
  if (runtime === undefined && model === undefined) {
    const changed = Object.fromEntries(set.map(({ name, value }) => [name, value]));
    return { kind: "simulated", parameters: { ...USUAL_WORKERS, ...changed } };
  }
  const [first] = set;
  if (first === undefined)
    return { kind: "runtime", runtime: runtime ?? "model", ...(model === undefined ? {} : { model }) };
  throw new CupelError("usage", `${first.flag} says how good simulated workers are, and these are real`, {
    expected: `either ${first.flag} or --runtime and --model`,
  });
}

/** Real agents cost money, also where nobody thought of that. */
const USUAL_DOLLARS = 10;

function stopOf(command: TrialInitCommand, workers: TrialProtocol["workers"]): TrialProtocol["stop"] {
  const maxRuns = whole(command.maxRuns, "--max-runs", 1, undefined);
  const maxTokens = whole(command.maxTokens, "--max-tokens", 1, undefined);
  const unless = workers.kind === "runtime" ? USUAL_DOLLARS : undefined;
  const maxCostUsd = amount(command.maxCost, "--max-cost", "dollars such as 2.50") ?? unless;
  return {
    ...(maxRuns === undefined ? {} : { maxRuns }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
  };
}
