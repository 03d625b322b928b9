// Plays of the battery in a process of their own, one after the other.
import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { verdictMemory } from "../evidence/verdict-memory.ts";
import { BatterySettings, PlayedAs, PlayResult } from "../simulator/battery/port.ts";
import { chosenCheats, type Play } from "../simulator/battery/run-battery.ts";
import { EVERY_CASE } from "../simulator/cases/every-case.ts";
import { EVERY_CHEAT } from "../simulator/cheats/every-cheat.ts";
import { stopCompiler } from "../toolchains/typescript/compiler/program.ts";
import { playOnce } from "./battery-play.ts";
import { lineWorker, serveLines, type WorkerCommand } from "./line-worker.ts";
import type { Environment } from "./runtimes.ts";

const WORK = {
  what: "play",
  order: z.strictObject({ name: z.string(), as: PlayedAs, settings: BatterySettings }),
  answer: PlayResult,
};

const MOST_MS = 10 * 60_000;

export interface Player {
  play(play: Play): Promise<PlayResult>;
  close(): Promise<void>;
}

export function workerPlayer(settings: BatterySettings, command: WorkerCommand): Player {
  const worker = lineWorker(WORK, command, { mostMs: MOST_MS });
  return {
    play: ({ cheat: { name }, as }) => worker.ask({ name, as, settings }),
    close: () => worker.close(),
  };
}

/** The other side: until nothing more comes. */
export async function serveBattery(input: Readable, output: Writable, env: Environment): Promise<void> {
  const verdicts = verdictMemory();
  try {
    await serveLines(WORK, { input, output }, async ({ name, as, settings }) => {
      const [cheat] = chosenCheats(EVERY_CHEAT, [name]);
      if (cheat === undefined) throw new Error(`${name} is listed and not there`);
      return playOnce({ cheat, as }, { settings, cases: EVERY_CASE, env, verdicts });
    });
  } finally {
    stopCompiler();
  }
}
