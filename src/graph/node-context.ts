// What a node may ask for while it runs.
import { z } from "zod";
import { CupelError } from "../domain/error.ts";
import { parse, parseOrThrow, renderProblems } from "../domain/parse.ts";
import type { Message } from "../domain/run/message.ts";
import { damaged } from "../store/local/row.ts";
import { Key } from "../store/local/stored-text.ts";
import { fromBytes, toBytes } from "./checkpoint/stored-value.ts";
import type { Task } from "./compile.ts";
import type { Advisories, Mailbox, NodeContext } from "./port.ts";
import type { StepLog } from "./step-log.ts";

const Ids = z.array(z.string());

export interface ContextParts {
  /** The thread as people know it. */
  thread: string;
  task: Task;
  attempt: number;
  signal: AbortSignal;
  log: StepLog;
  mailbox: Mailbox | undefined;
  advisories: Advisories | undefined;
  /** What is being done once at the moment; an attempt may find there what the attempt before left running. */
  underWay: Map<string, Promise<unknown>>;
  /** What was done once and could not be kept; the next attempt tries to keep it, and does not do it again. */
  unkept: Map<string, unknown>;
}

export interface OpenContext {
  context: NodeContext;
  /** Messages that the node was shown, to be acknowledged when it has ended well. */
  shown(): readonly string[];
}

export function openContext(parts: ContextParts): OpenContext {
  const { thread, attempt, signal, log, mailbox, advisories } = parts;
  const { node, step } = parts.task;
  const shown = new Set<string>();
  let looks = 0;
  const once = onceFor(parts);
  const context: NodeContext = {
    thread,
    node,
    attempt,
    signal,
    once,
    spent: (spent) => log.book(step, node, spent),
    async mail() {
      if (mailbox === undefined) return [];
      const look = (): readonly Message[] => mailbox.waiting(thread, node);
      // An attempt sees what the attempt before saw: results that were kept from it belong to that mail and to no other.
      const seen = await once(`cupel:mail:${++looks}`, Ids, async () => look().map(({ id }) => id));
      for (const id of seen) shown.add(id);
      return look().filter(({ id }) => seen.includes(id));
    },
    async advise(job, input) {
      if (advisories === undefined) throw withoutAdvisories(node, job);
      // A node that was given up may still be at it when the thread goes on, here and under the same holder.
      log.assertFence();
      await advisories.start({ thread, node, job, input });
    },
    advice: async () => (await advisories?.reported(thread)) ?? [],
  };
  return { context: Object.freeze(context), shown: () => [...shown] };
}

function onceFor({ task: { node, step }, log, underWay, unkept }: ContextParts): NodeContext["once"] {
  return async (name, schema, work) => {
    parseOrThrow(Key, name, `the name of what ${node} does once`);
    const key = JSON.stringify([step, node, name]);
    const running = underWay.get(key);
    if (running !== undefined) return parseOrThrow(schema, await running, what(node, name));
    const doing = async (): Promise<unknown> => {
      const done = unkept.has(key) ? unkept.get(key) : await work();
      unkept.set(key, done);
      return done;
    };
    const result = keepOnce(log, { node, step, name }, schema, doing);
    underWay.set(key, result);
    try {
      const kept = await result;
      unkept.delete(key);
      return kept;
    } finally {
      underWay.delete(key);
    }
  };
}

async function keepOnce<T>(
  log: StepLog,
  { node, step, name }: { node: string; step: string; name: string },
  schema: z.ZodType<T>,
  work: () => Promise<unknown>,
): Promise<T> {
  const kept = log.kept(step, node, name);
  if (kept !== undefined) {
    const parsed = parse(schema, kept.result);
    if (parsed.kind === "ok") return parsed.value;
    throw damaged({ table: "graph_once", key: `${node} ${name}` }, renderProblems(parsed.problems));
  }
  // Whoever lost the thread must not even begin what costs.
  log.assertFence();
  const result = parseOrThrow(schema, await work(), what(node, name));
  log.keep(step, node, name, result);
  // As it will come back after a crash, so that both look the same to the node.
  return parseOrThrow(schema, fromBytes(toBytes(result)), what(node, name));
}

function what(node: string, name: string): string {
  return `what ${node} did once as ${name}`;
}

function withoutAdvisories(node: string, job: string): CupelError {
  return new CupelError("usage", `${node} asks for the advice ${job}, and nobody here gives any`, {
    expected: "graphs that were opened with advisories",
  });
}
