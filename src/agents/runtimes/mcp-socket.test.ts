import { readdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { startCommand } from "../../workshop/process/run-command.ts";
import { openToolSocket, type ToolSocket } from "./mcp-socket.ts";
import type { McpTool } from "./mcp-tools.ts";

const echo: McpTool = {
  name: "echo",
  description: "Says it again.",
  inputSchema: { type: "object" },
  run: async (input) => ({ text: JSON.stringify(input), failed: false }),
};
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

describe("our tools through a relay", () => {
  test("are listed and used by whoever starts the relay with its token", async () => {
    const { socket } = await opened();
    const call = {
      jsonrpc: "2.0",
      id: "c",
      method: "tools/call",
      params: { name: "echo", arguments: { a: 1 } },
    };
    const replies = await relayed(
      socket,
      socket.env,
      [list, { jsonrpc: "2.0", method: "notifications/x" }, call],
      2,
    );
    expect(replies).toMatchObject([
      { id: 1, result: { tools: [{ name: "echo", inputSchema: { type: "object" } }] } },
      { id: "c", result: { content: [{ type: "text", text: '{"a":1}' }], isError: false } },
    ]);
  });

  test.each<[string, object, object]>([
    ["another tool", { method: "tools/call", params: { name: "rm" } }, { result: { isError: true } }],
    ["another method", { method: "resources/list" }, { error: { code: -32_601 } }],
    ["no name at all", { method: "tools/call" }, { result: { isError: true } }],
  ])("are all there is: %s is refused", async (_, message, reply) => {
    const { socket } = await opened();
    expect(await relayed(socket, socket.env, [{ jsonrpc: "2.0", id: 1, ...message }], 1)).toMatchObject([
      reply,
    ]);
  });

  test.each<[string, (socket: ToolSocket) => Record<string, string>]>([
    ["without the token", () => ({})],
    ["with another one", () => ({ CUPEL_TOOLS: "x".repeat(32) })],
    ["with a part of it", ({ env }) => ({ CUPEL_TOOLS: Object.values(env).join("").slice(0, 8) })],
  ])("say nothing to a relay %s", async (_, env) => {
    const { socket } = await opened();
    expect(await relayed(socket, env(socket), [list], 1)).toEqual([]);
  });

  test("survive whatever is written to them", async () => {
    const { socket, path } = await opened();
    for (const junk of ["\n\n\n", "not json\n", "x".repeat(100_000), '[1]\n{"id":{}}\n']) {
      const line = connect(path()).on("error", () => undefined);
      line.end(`${Object.values(socket.env).join("")}\n${junk}`);
    }
    expect(await relayed(socket, socket.env, [list], 1)).toHaveLength(1);
  });

  test("are not run all at once by an agent that asks for very many, and every question is answered", async () => {
    let running = 0;
    let most = 0;
    const slow: McpTool = {
      ...echo,
      async run() {
        most = Math.max(most, ++running);
        await new Promise((resolve) => {
          setTimeout(resolve, 2);
        });
        running--;
        return { text: "x".repeat(1000), failed: false };
      },
    };
    const { socket } = await opened(slow);
    const calls = Array.from({ length: 300 }, (_, id) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "echo" },
    }));
    expect(await relayed(socket, socket.env, calls, 300)).toHaveLength(300);
    expect([running, most]).toEqual([0, 8]);
  });

  test("belong to us alone, and leave nothing behind", async () => {
    const { socket, directory } = await opened();
    expect(statSync(directory).mode & 0o077).toBe(0);
    expect(socket.args.join(" ")).not.toContain(Object.values(socket.env).join(""));
    await socket.close();
    expect(readdirSync(directory)).toEqual([]);
  });
});

async function opened(tool = echo) {
  const directory = join(temporaryDirectory(), "s");
  const socket = await openToolSocket({ directory, inside: directory, node: process.execPath }, [tool]);
  onTestFinished(() => socket.close());
  return { socket, directory, path: () => join(directory, readdirSync(directory)[0] ?? "") };
}

/** The replies, as many as are expected or as come before the relay ends. */
async function relayed(
  { command, args }: ToolSocket,
  env: Readonly<Record<string, string>>,
  messages: readonly object[],
  expected: number,
): Promise<unknown[]> {
  const running = startCommand(command, args, { env, timeoutMs: 8000 });
  running.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  let text = "";
  running.stdout.setEncoding("utf8");
  await Promise.race([
    running.ended,
    new Promise<void>((resolve) => {
      running.stdout.on("data", (part: string) => {
        text += part;
        if (text.split("\n").length > expected) resolve();
      });
    }),
  ]);
  running.kill();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
