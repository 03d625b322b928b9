// The graphs of the crash tests with mail and advice: one thread sends, the other works side by side, asks for advice and
// reads until it has everything.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { advisoryJob } from "../src/graph/advisory-job.ts";
import type { AdvisoryJob } from "../src/graph/advisory-job.ts";
import { defineGraph, stateKey } from "../src/graph/define-graph.ts";
import { embed } from "../src/graph/embed.ts";
import type { Letter, LocalMailbox } from "../src/graph/mailbox.ts";
import type { NodeContext, StateOf } from "../src/graph/port.ts";
import type { SamplePorts } from "./graph-samples.ts";

export interface MailPorts extends Pick<SamplePorts, "effect" | "point"> {
  mailbox: LocalMailbox;
}

const sorted = stateKey({
  schema: z.array(z.string()),
  initial: (): string[] => [],
  // Sorted and with repetitions: what arrives in which step may differ, what arrives in all may not.
  merge: (a, b) => [...a, ...b].toSorted(),
});
const state = { paid: sorted, got: sorted };
type Sample = StateOf<typeof state>;

const plain = { timeoutMs: 20_000, lane: "harness", does: "an effect" };
const KINDS = ["StatusQuery", "TestChallenge", "ContextShift", "SemanticCritique"] as const;

export const READER = "t-reader";
export const SENDER = "t-sender";
/** What the reader has in the end. */
export const EXPECTED: readonly string[] = ["first", "second", "third"]
  .flatMap((node) => [0, 1].map((index) => `${node}-${index}`))
  .concat("fork-0", "fork-1")
  .toSorted();

function paying(name: string) {
  return async (_: Sample, ports: MailPorts, context: NodeContext) => {
    ports.point(`${name} begins`);
    const receipt = await context.once("pay", z.string(), () => ports.effect(name));
    ports.point(`${name} ends`);
    return { update: { paid: [receipt] } };
  };
}

function sending(name: string) {
  return async (given: Sample, ports: MailPorts, context: NodeContext) => {
    const paid = await paying(name)(given, ports, context);
    for (const index of [0, 1]) {
      await send(ports, context.thread, letter(`${name}-${index}`, index));
      ports.point(`${name} sent ${index}`);
      await send(ports, context.thread, letter(`${name}-${index}`, index + 1));
    }
    return paid;
  };
}

async function send({ mailbox }: MailPorts, thread: string, one: Letter): Promise<void> {
  // The receiver may not have begun; the message must not be lost for that.
  while (mailbox.sendFrom(thread, one).kind === "no-receiver") await sleep(1);
}

function letter(key: string, kind: number): Letter {
  return {
    dedupe_key: key,
    kind: KINDS[kind % KINDS.length] ?? "StatusQuery",
    type: "NEWS",
    severity: "INFO",
    route_hint: "read_it",
    from: key,
    to: { thread: READER, node: "read" },
    payload_ref: `sha256:${"0".repeat(64)}`,
  };
}

const inner = defineGraph({
  name: "inner",
  version: 1,
  state,
  nodes: {
    left: { ...plain, run: paying("left"), to: ["right"] },
    right: { ...plain, run: paying("right"), to: ["end"] },
  },
  entries: { start: "left" },
});

async function fork(given: Sample, ports: MailPorts, context: NodeContext) {
  await context.advise("mutants", 7);
  ports.point("fork has asked");
  return sending("fork")(given, ports, context);
}

async function read({ got }: Sample, ports: MailPorts, context: NodeContext) {
  const mail = await context.mail();
  ports.point("read looked");
  const keys: string[] = [];
  for (const { dedupe_key: key } of mail) {
    keys.push(
      await context.once(`handle ${key}`, z.string(), async () => {
        await ports.effect(`handled ${key}`);
        return key;
      }),
    );
    ports.point(`read handled ${key}`);
  }
  if (keys.length === 0) await sleep(5);
  else ports.point("read ends");
  const done = got.length + keys.length >= EXPECTED.length;
  return { update: { got: keys }, goto: done ? ("end" as const) : ("read" as const) };
}

export const readerGraph = defineGraph({
  name: "reader",
  version: 1,
  state,
  nodes: {
    fork: { ...plain, run: fork, to: ["inner/left", "alone"] },
    ...embed(inner, state, { as: "inner", to: "inner-done" }),
    "inner-done": { ...plain, run: paying("inner-done"), to: ["join"] },
    alone: { ...plain, run: paying("alone"), to: ["join"] },
    join: { ...plain, run: paying("join"), to: ["read"], after: ["inner-done", "alone"] },
    read: { ...plain, run: read, routes: ["read", "end"] },
  },
  entries: { start: "fork" },
});

export const senderGraph = defineGraph({
  name: "sender",
  version: 1,
  state,
  nodes: {
    first: { ...plain, run: sending("first"), to: ["second"] },
    second: { ...plain, run: sending("second"), to: ["third"] },
    third: { ...plain, run: sending("third"), to: ["end"] },
  },
  entries: { start: "first" },
});

export function mutantsJob(point: SamplePorts["point"], begun: () => void): AdvisoryJob {
  return advisoryJob({
    input: z.int(),
    report: z.strictObject({ killed: z.int() }),
    timeoutMs: 20_000,
    async run(input) {
      begun();
      point("job begins");
      await sleep(20);
      point("job ends");
      return { killed: input };
    },
  });
}
