// One prompt turn with an agent of the Agent Client Protocol, from its first word to its end, however it ends.
import { Readable, Writable } from "node:stream";
import type { RuntimeAnswer, RuntimeRequest } from "../port.ts";
import { permissionFor } from "./acp-permission.ts";
import { acpFailure, type AcpReader } from "./acp-reader.ts";
import type { AcpConnection, AcpSdk } from "./acp-sdk.ts";
import { type AgentProcess, describeEnd, withinMs } from "./agent-process.ts";
import type { ToolSocket } from "./mcp-socket.ts";
import { SERVER } from "./mcp-tools.ts";
import type { Bare } from "./open-calls.ts";
import { recordOf, textOf } from "./untyped.ts";
import type { Vigil } from "./vigil.ts";

export interface AcpCall {
  request: RuntimeRequest;
  vigil: Vigil;
  reader: AcpReader;
  socket: ToolSocket;
  agent: AgentProcess;
  /** The agent's last words on its error output. */
  lastWords: () => string;
  /** What `submit` got last; empty before. */
  submitted: unknown[];
  /** Where the agent works, as it sees the place. */
  inside: string;
}

export const SUBMIT = "submit";
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

export async function askAcp(call: AcpCall, sdk: AcpSdk): Promise<Bare<RuntimeAnswer>> {
  const { agent, vigil, request, submitted } = call;
  const talk: Talk = { session: "" };
  const connection = connect(call, sdk);
  const turn = converse(call, connection, talk).catch(
    (error: unknown) => acpFailure(error) ?? ("gone" as const),
  );
  const ended = agent.ended.then(
    () => "gone" as const,
    () => "gone" as const,
  );
  const watch = watchTools(call);
  try {
    const first = await Promise.race([turn, ended, vigil.over, watch.tooMany]);
    if (first === "aborted") return { kind: "aborted" };
    if (typeof first !== "string") return first;
    // Whoever has answered and then says nothing more has answered.
    if (submitted.length > 0) return answer(call, talk);
    if (first === "gone") return await gone(call);
    if (first === "too-many") return answer(call, talk, `it used more than ${request.limits.maxTurns} tools`);
    return { kind: "silent", afterMs: request.limits.silenceMs, session: talk.session || undefined };
  } finally {
    watch.stop();
    connection.close();
  }
}

interface Talk {
  session: string;
}

function connect({ agent, request, reader, vigil }: AcpCall, sdk: AcpSdk): AcpConnection {
  const names = [...request.tools.map(({ name }) => name), SUBMIT];
  return sdk
    .client({ name: "cupel" })
    .onRequest("*", ({ method, params }) => {
      vigil.heard();
      if (method === "session/request_permission") return permissionFor(params, names);
      throw new Error(`${method} is not offered here: use the tools of the server ${SERVER}`);
    })
    .onNotification("*", ({ method, params }) => {
      vigil.heard();
      if (method === "session/update") reader.read(params);
    })
    .connect(
      sdk.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout), {
        maxMessageBytes: MAX_MESSAGE_BYTES,
      }),
    );
}

async function converse(call: AcpCall, { agent }: AcpConnection, talk: Talk): Promise<Bare<RuntimeAnswer>> {
  const { vigil, socket, request, inside, reader } = call;
  await agent.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "cupel", version: "1" },
  });
  vigil.heard();
  const { command, args } = socket;
  const env = Object.entries(socket.env).map(([name, value]) => ({ name, value }));
  const opened = await agent.request("session/new", {
    cwd: inside,
    mcpServers: [{ name: SERVER, command, args, env }],
  });
  talk.session = textOf(recordOf(opened)["sessionId"]);
  vigil.heard();
  const done = await agent.request("session/prompt", {
    sessionId: talk.session,
    prompt: [{ type: "text", text: promptOf(request) }],
  });
  if (recordOf(done)["stopReason"] === "refusal")
    return { kind: "refused", why: reader.said() || "the agent refused" };
  return answer(call, talk);
}

/** The protocol has no place for who the agent is. */
function promptOf({ system, prompt }: RuntimeRequest): string {
  const how =
    `When you are done, call the tool ${SUBMIT} of the server ${SERVER} once, with your answer as its input. ` +
    "What you say is not read as an answer.";
  return [system, prompt, how].join("\n\n");
}

function answer({ submitted, reader }: AcpCall, { session }: Talk, why = ""): Bare<RuntimeAnswer> {
  if (submitted.length > 0) return { kind: "answered", output: submitted[0], session };
  const said = [reader.said(), why].filter((part) => part !== "").join("\n");
  return { kind: "no-output", said, session };
}

/** An agent that only closed its pipe is told apart from one that is gone. */
async function gone({ agent, lastWords }: AcpCall): Promise<Bare<RuntimeAnswer>> {
  const end = await withinMs(agent.ended, 1000).catch((error: unknown) => String(error));
  if (typeof end === "string") return { kind: "failed", why: end };
  const how = end === undefined ? "closed the connection" : describeEnd(end, lastWords());
  return { kind: "failed", why: `the agent ${how}` };
}

/** Agents count no turns for us; each use of a tool is one. */
function watchTools({ reader, request }: AcpCall): { tooMany: Promise<"too-many">; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const tooMany = new Promise<"too-many">((resolve) => {
    timer = setInterval(() => {
      if (reader.toolsUsed() > request.limits.maxTurns) resolve("too-many");
    }, 200);
  });
  return { tooMany, stop: () => clearInterval(timer) };
}
