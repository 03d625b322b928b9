// A provider on loopback whose model does what the lines of a script say; agents under test are pointed at it.
import { LLMock } from "@copilotkit/aimock";
import { keyText, type CallKey } from "../../../src/domain/agent/call-key.ts";
import type { ScriptLine } from "../../../src/domain/agent/script-line.ts";
import type { Runtime } from "../../../src/agents/port.ts";
import { type Front, openFront } from "../front.ts";

type Fixture = Parameters<LLMock["addFixture"]>[0];
type Reply = Fixture["response"];

export interface Provider {
  url: string;
  mock: LLMock;
  front: Front;
  heard(key: CallKey): string;
  close(): Promise<void>;
}

export interface Manners {
  /** How the agent's model says its output. */
  output(value: unknown): Reply;
  refusal: Reply;
  rewrite?: (line: string) => string;
}

/**
 * Where the agent cannot tell its calls apart, the mark in the system prompt does. The suite's patience is kept for
 * agents that are silent; a real program that works gets more of it on a busy machine.
 */
export function marked(runtime: Runtime, lines: readonly ScriptLine[]): Runtime {
  return {
    ...runtime,
    run: (request) => {
      const line = lines.find(({ key }) => keyText(key) === keyText(request.key));
      const least = line?.ending === "silent" ? 0 : 15_000;
      const limits = { ...request.limits, silenceMs: Math.max(request.limits.silenceMs, least) };
      return runtime.run({ ...request, limits, system: `${request.system} ${mark(request.key)}` });
    },
  };
}

export async function openProvider(
  fixtures: readonly Fixture[],
  rewrite?: Manners["rewrite"],
): Promise<Provider> {
  const mock = new LLMock({ port: 0, host: "127.0.0.1" });
  mock.addFixtures([...fixtures]);
  await mock.start();
  const front = await openFront(mock.url, () => rewrite);
  return {
    url: front.url,
    mock,
    front,
    heard: (key) =>
      JSON.stringify(
        mock.getRequests().findLast(({ body }) => JSON.stringify(body).includes(mark(key)))?.body,
      ),
    close: async () => {
      await front.close();
      await mock.stop();
    },
  };
}

export function playing(lines: readonly ScriptLine[], manners: Manners): Promise<Provider> {
  return openProvider(
    lines.map((line) => fixtureOf(line, manners)),
    manners.rewrite,
  );
}

export const USAGE = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };

export function mark(key: CallKey): string {
  return `<call ${keyText(key)}>`;
}

function fixtureOf(line: ScriptLine, manners: Manners): Fixture {
  return {
    match: { predicate: (request) => JSON.stringify(request.messages).includes(mark(line.key)) },
    latency: line.ending === "silent" ? 60_000 : line.latencyMs,
    response: (request) => replyOf(line, toolResultsIn(request.messages), manners),
  };
}

function replyOf(line: ScriptLine, step: number, manners: Manners): Exclude<Reply, Function> {
  const call = line.toolCalls[step];
  if (call !== undefined) {
    const id = `call_${step}`;
    const toolCalls = [{ id, name: `mcp__cupel__${call.tool}`, arguments: JSON.stringify(call.input) }];
    return { toolCalls, usage: USAGE };
  }
  switch (line.ending) {
    case "refused":
      return fixed(manners.refusal);
    case "too-long":
      return problem(400, "prompt is too long: 250000 tokens > 200000 maximum", "invalid_request_error");
    case "crash":
      return problem(401, "invalid x-api-key", "authentication_error");
    case "ok":
    case "silent":
      return line.output === null
        ? { content: line.said ?? "", usage: USAGE }
        : fixed(manners.output(line.output));
  }
}

export function problem(status: number, message: string, type: string, retryAfter?: number) {
  return { error: { message, type }, status, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

function fixed(reply: Reply): Exclude<Reply, Function> {
  if (typeof reply === "function") throw new Error("a reply that is made only when it is needed");
  return reply;
}

/** How many there are since somebody last spoke to the agent. */
function toolResultsIn(messages: readonly { role: string }[]): number {
  const spoken = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(spoken).filter(({ role }) => role === "tool").length;
}
