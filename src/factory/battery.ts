// The battery as a whole: every cheat and every twin in real runs, some at a time, and the score.
import { join } from "node:path";
import type { BatterySettings, PlayResult } from "../simulator/battery/port.ts";
import type { BatteryResult } from "../simulator/battery/result.ts";
import { chosenCheats, runBattery } from "../simulator/battery/run-battery.ts";
import { EVERY_CASE } from "../simulator/cases/every-case.ts";
import { EVERY_CHEAT, USUAL_CHEATS } from "../simulator/cheats/every-cheat.ts";
import type { Cheat } from "../simulator/cheats/port.ts";
import { workerPlayer } from "./battery-worker.ts";
import type { WorkerCommand } from "./line-worker.ts";
import { inWorkerPlace } from "./worker-place.ts";

export interface BatteryOptions {
  settings: BatterySettings;
  /** One of each kind, every single one, or those with these names. */
  which: "usual" | "all" | readonly string[];
  /** How many are under way at a time. */
  jobs: number;
  worker: WorkerCommand;
  onPlayed?: (result: PlayResult, left: number) => void;
}

export async function playBattery(options: BatteryOptions): Promise<BatteryResult> {
  const { settings, which, jobs, worker, onPlayed } = options;
  const cheats = cheatsOf(which);
  return inWorkerPlace(async ({ TMPDIR }) => {
    // What is kept by content may be shared among the plays; what earlier batteries found out may not.
    const env = { ...worker.env, TMPDIR, XDG_CACHE_HOME: join(TMPDIR, "cache") };
    const players = Array.from({ length: jobs }, () => workerPlayer(settings, { ...worker, env }));
    try {
      return await runBattery(cheats, settings, {
        cases: EVERY_CASE,
        players: players.map((player) => (play) => player.play(play)),
        ...(onPlayed === undefined ? {} : { onPlayed }),
      });
    } finally {
      await Promise.allSettled(players.map((player) => player.close()));
    }
  });
}

function cheatsOf(which: BatteryOptions["which"]): readonly Cheat[] {
  if (which === "usual") return USUAL_CHEATS;
  return which === "all" ? EVERY_CHEAT : chosenCheats(EVERY_CHEAT, which);
}
