// The simulated agents of a project: how they behave is what its settings or a person said, what they know are the cases.
import type { Runtime } from "../agents/port.ts";
import type { ResolvedConfig } from "../domain/config.ts";
import { KITCHEN_SPEC_TEXT } from "../simulator/cases/kitchen.ts";
import { EVERY_CASE } from "../simulator/cases/every-case.ts";
import { readCast, type SimulatedCast } from "../simulator/cast.ts";
import { EVERY_CHEAT } from "../simulator/cheats/every-cheat.ts";
import type { Cheat } from "../simulator/cheats/port.ts";
import type { SimulatedCase } from "../simulator/port.ts";
import { type SimulatorOptions, simulatorRuntime } from "../simulator/runtime.ts";

export interface Simulation {
  cases?: readonly SimulatedCase[];
  cheats?: readonly Cheat[];
  silenceMs?: number;
  watch?: SimulatorOptions["watch"];
  usage?: SimulatorOptions["usage"];
  /** Whoever plays, whatever the settings spell. */
  cast?: SimulatedCast;
}

/** A project that the simulated agents know, ready to run. */
export const SIMULATED_PROJECT = {
  spec: KITCHEN_SPEC_TEXT,
  config: `{
  // Every key and its meaning: cupel schema Config
  "rigor": "standard",
  "runtime": "simulator", // no model is asked: the agents are simulated
  "simulator": { "agents": "honest" }, // or such as "proposer=cheat/skip-tests+slow"
}
`,
};

type Settings = Pick<ResolvedConfig, "runtime" | "roles" | "simulator">;

export function isSimulated({ runtime, roles }: Pick<Settings, "runtime" | "roles">): boolean {
  return runtime === "simulator" || Object.values(roles).some((own) => own.runtime === "simulator");
}

/** A way to behave that does not exist is told before anything is opened. */
export function assertSimulated(config: Settings, simulation: Simulation = {}): void {
  if (isSimulated(config)) castOf(config, simulation);
}

export async function openSimulator(config: Settings, simulation: Simulation = {}): Promise<Runtime> {
  const { cases = EVERY_CASE, silenceMs, watch, usage } = simulation;
  return simulatorRuntime({
    cast: castOf(config, simulation),
    cases,
    seed: config.simulator.seed,
    ...(silenceMs === undefined ? {} : { silenceMs }),
    ...(watch === undefined ? {} : { watch }),
    ...(usage === undefined ? {} : { usage }),
  });
}

function castOf({ simulator }: Settings, { cheats = EVERY_CHEAT, cast }: Simulation): SimulatedCast {
  return cast ?? readCast(simulator.agents, cheats);
}
