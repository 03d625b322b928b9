// An agent of the Agent Client Protocol that does what the lines of a script say, or misbehaves as its prompt asks for.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const lines = JSON.parse(readFileSync(process.env["FAKE_AGENT_LINES"], "utf8"));
const sessions = new Map();

agent({ name: "fake" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    const sessionId = `fake-${crypto.randomUUID()}`;
    sessions.set(sessionId, params);
    return { sessionId };
  })
  .onRequest(methods.agent.session.prompt, ({ params, client }) => play(params, client))
  .onNotification(methods.agent.session.cancel, () => undefined)
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

async function play({ sessionId, prompt }, client) {
  const text = prompt.map((part) => part.text).join("\n");
  const tell = (update) => client.notify(methods.client.session.update, { sessionId, update });
  const say = (words) =>
    tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } });
  const antic = /<antic (\S+)>/.exec(text)?.[1];
  if (antic !== undefined) return antics[antic]({ sessionId, client, tell, say, text });

  const line = lines.find(({ mark }) => text.includes(mark));
  if (line.ending === "crash") process.exit(3);
  await new Promise((resolve) => setTimeout(resolve, line.latencyMs));
  const tools = await toolsOf(sessionId);
  for (const { tool, input } of line.toolCalls) await tools.callTool({ name: tool, arguments: input });
  if (line.ending === "silent") await new Promise(() => {});
  if (line.ending === "too-long") throw new RequestError(-32603, "prompt is too long for the context window");
  if (line.said !== undefined) await say(line.said);
  if (line.ending === "refused") return { stopReason: "refusal" };
  if (line.output !== null) await tools.callTool({ name: "submit", arguments: line.output });
  await tools.close();
  return { stopReason: "end_turn" };
}

async function toolsOf(sessionId) {
  const { command, args, env } = sessions.get(sessionId).mcpServers[0];
  const client = new Client({ name: "fake", version: "1" });
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  await client.connect(new StdioClientTransport({ command, args, env: variables }));
  return client;
}

const antics = {
  /** Asks for everything and reports what it was told. */
  async asks({ sessionId, client, say, text }) {
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "always", name: "Always", kind: "allow_always" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ];
    for (const toolCall of JSON.parse(/<ask>(.*)<\/ask>/.exec(text)[1])) {
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: "1", ...toolCall },
        options,
      });
      await say(`${outcome.optionId ?? outcome.outcome} `);
    }
    return { stopReason: "end_turn" };
  },
  async reads({ sessionId, client, say }) {
    const read = client.request(methods.client.fs.readTextFile, { sessionId, path: "/etc/hostname" });
    await say(
      await read.then(
        () => "was read",
        (error) => `refused: ${error.message} ${JSON.stringify(error.data)}`,
      ),
    );
    return { stopReason: "end_turn" };
  },
  /** Comes to the tools without their token. */
  async intrudes({ sessionId, say }) {
    const { command, args } = sessions.get(sessionId).mcpServers[0];
    const client = new Client({ name: "fake", version: "1" });
    const came = client.connect(new StdioClientTransport({ command, args, env: { CUPEL_TOOLS: "guessed" } }));
    await say(
      await came.then(
        () => "came in",
        () => "was turned away",
      ),
    );
    return { stopReason: "end_turn" };
  },
  async submits({ sessionId }) {
    const tools = await toolsOf(sessionId);
    for (const n of [1, 2]) await tools.callTool({ name: "submit", arguments: { n } });
    return new Promise(() => {});
  },
  async toils({ tell }) {
    for (let n = 0; n < 100; n++)
      await tell({ sessionUpdate: "tool_call", toolCallId: `t${n}`, title: "shell", status: "pending" });
    return new Promise(() => {});
  },
  async works({ tell }) {
    await tell({ sessionUpdate: "tool_call", toolCallId: "1", title: "shell", rawInput: { command: "ls" } });
    await tell({ sessionUpdate: "tool_call_update", toolCallId: "1", status: "in_progress" });
    const content = [{ type: "content", content: { type: "text", text: "a.ts" } }];
    await tell({ sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed", content });
    return { stopReason: "end_turn" };
  },
  async pays({ tell }) {
    await tell({ sessionUpdate: "usage_update", used: 5, size: 10, cost: { amount: 0.25, currency: "USD" } });
    return { stopReason: "end_turn" };
  },
  async limits() {
    throw new RequestError(-32603, "Internal error", { details: "API Error: 429 rate limit exceeded" });
  },
  async login() {
    throw new RequestError(-32000, "Authentication required");
  },
  async rambles() {
    process.stdout.write("this is no message\n".repeat(3));
    return { stopReason: "end_turn" };
  },
  /** Leaves a child behind that has left its group. */
  async breeds({ say }) {
    const child = spawn("sleep", ["3600"], { detached: true, stdio: "ignore" });
    await say(`pid ${child.pid}`);
    return new Promise(() => {});
  },
};
