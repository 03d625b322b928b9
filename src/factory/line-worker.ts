// Work in a process of its own, an order a line and an answer a line: what one order leaves behind in memory is out of
// reach of the others, and a process that dies takes only its own order with it.
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { thrownText } from "../domain/thrown.ts";
import { type RunningCommand, startCommand } from "../workshop/process/run-command.ts";

/** How the door starts itself again as a worker. */
export interface WorkerCommand {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface LineWork<Order extends z.ZodType, Answer extends z.ZodType> {
  /** Such as "play". */
  what: string;
  order: Order;
  answer: Answer;
}

export interface LineWorker<Order, Answer> {
  /** One after the other. Where there is no answer, the next order gets a process that nothing has happened to. */
  ask(order: Order): Promise<Answer>;
  close(): Promise<void>;
}

export interface LineWorkerOptions {
  /** The longest that an order may take. */
  mostMs: number;
  /** Ends the process with everything that it has started. */
  signal?: AbortSignal;
}

export function lineWorker<Order extends z.ZodType, Answer extends z.ZodType>(
  work: LineWork<Order, Answer>,
  worker: WorkerCommand,
  options: LineWorkerOptions,
): LineWorker<z.output<Order>, z.output<Answer>> {
  let running: Running | undefined;
  return {
    async ask(order) {
      running ??= begin(work.what, worker, options);
      try {
        const told: unknown = JSON.parse(await running.answer(JSON.stringify(work.order.parse(order))));
        const threw = Threw.safeParse(told).data?.threw;
        if (threw !== undefined) throw new CupelError("call_interrupted", threw);
        return parseOrThrow(work.answer, told, `what a ${work.what} gave`);
      } catch (error) {
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

const LAST_WORDS_MS = 1000;

/** In place of an answer: in the words of the error, without whatever else the process has said. */
const Threw = z.strictObject({ threw: z.string() });

interface Running {
  command: RunningCommand;
  answer(order: string): Promise<string>;
}

function begin(
  what: string,
  { command: program, args, env }: WorkerCommand,
  { mostMs, signal }: LineWorkerOptions,
): Running {
  const command = startCommand(program, args, { env, ...(signal === undefined ? {} : { signal }) });
  const lines = createInterface({ input: command.stdout })[Symbol.asyncIterator]();
  let told = "";
  command.stderr.on("data", (chunk: Buffer) => (told = (told + chunk.toString("utf8")).slice(-2000)));
  return {
    command,
    async answer(order) {
      command.stdin.write(`${order}\n`);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        command.kill();
      }, mostMs);
      try {
        const line = await lines.next();
        if (line.done !== true) return line.value;
        // Its last words may come behind the end of its answers.
        await Promise.race([
          Promise.allSettled([command.ended]),
          delay(LAST_WORDS_MS, undefined, { ref: false }),
        ]);
        const why = isLate ? `was not done after ${mostMs / 60_000} minutes` : "ended before it did";
        const words = told.trim() === "" ? "" : `: ${told.trim()}`;
        throw new CupelError("call_interrupted", `the process of the ${what} ${why}${words}`);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The other side: until nothing more comes. */
export async function serveLines<Order extends z.ZodType, Answer extends z.ZodType>(
  { what, order }: LineWork<Order, Answer>,
  { input, output }: { input: Readable; output: Writable },
  answer: (order: z.output<Order>) => Promise<z.output<Answer>>,
): Promise<void> {
  for await (const line of createInterface({ input })) {
    const asked = parseOrThrow(order, JSON.parse(line), `the order of a ${what}`);
    const told = await answer(asked).catch((error: unknown) => Threw.parse({ threw: thrownText(error) }));
    output.write(`${JSON.stringify(told)}\n`);
  }
}
