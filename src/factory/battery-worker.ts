// Plays in a process of its own, one after the other: what one play leaves behind in memory is out of reach of the others.
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { verdictMemory } from "../evidence/verdict-memory.ts";
import { BatterySettings, PlayedAs, PlayResult } from "../simulator/battery/port.ts";
import { chosenCheats, type Play } from "../simulator/battery/run-battery.ts";
import { EVERY_CASE } from "../simulator/cases/every-case.ts";
import { EVERY_CHEAT } from "../simulator/cheats/every-cheat.ts";
import { stopCompiler } from "../toolchains/typescript/compiler/program.ts";
import { type RunningCommand, startCommand } from "../workshop/process/run-command.ts";
import { playOnce } from "./battery-play.ts";
import type { Environment } from "./runtimes.ts";

/** One line for each play; the answer is one line, too. */
const Order = z.strictObject({ name: z.string(), as: PlayedAs, settings: BatterySettings });

export interface Player {
  play(play: Play): Promise<PlayResult>;
  close(): Promise<void>;
}

/** How the door starts itself again as a worker. */
export interface WorkerCommand {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

const MOST_MS = 10 * 60_000;

export function workerPlayer(settings: BatterySettings, worker: WorkerCommand): Player {
  let running: Running | undefined;
  return {
    async play({ cheat: { name }, as }) {
      running ??= begin(worker);
      try {
        return await running.answer(JSON.stringify(Order.parse({ name, as, settings })));
      } catch (error) {
        // Whatever it was, the next play gets a process that nothing has happened to.
        running.command.kill();
        await running.command.ended;
        running = undefined;
        throw error;
      }
    },
    async close() {
      running?.command.stdin.end();
      await running?.command.ended;
    },
  };
}

interface Running {
  command: RunningCommand;
  answer(order: string): Promise<PlayResult>;
}

function begin({ command: program, args, env }: WorkerCommand): Running {
  const command = startCommand(program, args, { env });
  const lines = createInterface({ input: command.stdout })[Symbol.asyncIterator]();
  let told = "";
  command.stderr.on("data", (chunk: Buffer) => (told = (told + chunk.toString("utf8")).slice(-2000)));
  return {
    command,
    async answer(order) {
      command.stdin.write(`${order}\n`);
      const timer = setTimeout(() => command.kill(), MOST_MS);
      try {
        const line = await lines.next();
        if (line.done === true)
          throw new CupelError(
            "call_interrupted",
            `the process of the play ended before it did: ${told.trim()}`,
          );
        return parseOrThrow(PlayResult, JSON.parse(line.value), "what a play gave");
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The other side: until nothing more comes. */
export async function serveBattery(input: Readable, output: Writable, env: Environment): Promise<void> {
  const verdicts = verdictMemory();
  try {
    for await (const line of createInterface({ input })) {
      const { name, as, settings } = parseOrThrow(Order, JSON.parse(line), "the order of a play");
      const [cheat] = chosenCheats(EVERY_CHEAT, [name]);
      if (cheat === undefined) throw new Error(`${name} is listed and not there`);
      const result = await playOnce({ cheat, as }, { settings, cases: EVERY_CASE, env, verdicts });
      output.write(`${JSON.stringify(result)}\n`);
    }
  } finally {
    stopCompiler();
  }
}
