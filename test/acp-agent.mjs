#!/usr/bin/env node
// A small agent of the Agent Client Protocol, on no package: it submits what it sees of the machine.
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

let servers = [];
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  if (method === "session/new") {
    servers = params.mcpServers;
    say({ id, result: { sessionId: "s-1" } });
  }
  if (method === "session/prompt") {
    await submit(seenBy(params.prompt[0].text));
    say({ id, result: { stopReason: "end_turn" } });
  }
});

/** The prompt names paths that the agent tries to look at, one in each pair of brackets. */
function seenBy(prompt) {
  const paths = [...prompt.matchAll(/\[(\/[^\]]*)\]/g)].map(([, path]) => path);
  let wrote = true;
  try {
    writeFileSync(new URL(import.meta.url), "// changed");
  } catch {
    wrote = false;
  }
  return {
    cwd: process.cwd(),
    args: process.argv.slice(2),
    saw: paths.filter((path) => existsSync(path)),
    key: process.env.MY_AGENT_KEY ?? null,
    other: process.env.OTHER_KEY ?? null,
    wrote,
  };
}

function submit(output) {
  const [{ command, args, env }] = servers;
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const relay = spawn(command, args, { env: variables, stdio: ["pipe", "pipe", "inherit"] });
  const ask = (id, method, params) =>
    relay.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  ask(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "a", version: "1" },
  });
  ask(2, "tools/call", { name: "submit", arguments: output });
  return new Promise((resolve) => {
    createInterface({ input: relay.stdout }).on("line", (line) => {
      if (JSON.parse(line).id !== 2) return;
      relay.kill();
      resolve();
    });
  });
}
