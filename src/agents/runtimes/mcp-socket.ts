// Our tools for agents that start tool servers as programs: a small relay is started by the agent and speaks with the
// harness through a socket, so that the tools run here and the agent holds nothing but the relay.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { chmod, mkdir, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { type McpTool, mcpServer } from "./mcp-tools.ts";
import { jsonIn } from "./untyped.ts";

export interface RelayPlace {
  /** Where sockets lie; short, since the path of a socket may have about a hundred bytes. */
  directory: string;
  /** The same directory as the agent sees it. */
  inside: string;
  /** Node as the agent sees it. */
  node: string;
}

export interface ToolSocket {
  /** The command that the agent starts as its tool server. */
  command: string;
  args: string[];
  /** What the relay must find in its environment. */
  env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const TOKEN = "CUPEL_TOOLS";
/** What an agent may send as one message. */
const MAX_MESSAGE = 16 * 1024 * 1024;
/** An agent starts one relay, or one for each of its helpers. */
const MAX_RELAYS = 8;

/** What an agent asks for beyond this waits; each tool may start programs of its own. */
const MOST_AT_ONCE = 8;

/** What `node -e` runs: it knows nothing but the way to the harness. */
const RELAY = [
  'const socket = require("node:net").connect(process.argv[1]);',
  `socket.write(process.env.${TOKEN} + "\\n");`,
  'socket.on("error", () => process.exit(1)).on("close", () => process.exit(0));',
  "process.stdin.pipe(socket).pipe(process.stdout);",
].join("\n");

export async function openToolSocket(place: RelayPlace, tools: readonly McpTool[]): Promise<ToolSocket> {
  const token = randomBytes(24).toString("base64url");
  const name = randomBytes(6).toString("base64url");
  const path = join(place.directory, name);
  await mkdir(place.directory, { recursive: true, mode: 0o700 });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    if (open.size >= MAX_RELAYS) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    serve(socket, token, tools);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  // An agent in a sandbox may be another user; its directory and its token keep the others out.
  await chmod(path, 0o666);
  return {
    command: place.node,
    args: ["-e", RELAY, join(place.inside, name)],
    env: { [TOKEN]: token },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await rm(path, { force: true });
    },
  };
}

/** The first line is the token; whoever does not know it hears nothing. */
function serve(socket: Socket, token: string, tools: readonly McpTool[]): void {
  const answer = mcpServer(tools);
  const asked: string[] = [];
  let working = 0;
  const work = (): void => {
    for (; working < MOST_AT_ONCE && asked.length > 0; working++) {
      const line = asked.shift() ?? "";
      void reply(socket, answer(jsonIn(line))).finally(() => {
        working--;
        work();
      });
    }
    // Whoever asks faster than it is answered is not listened to meanwhile.
    if (asked.length > 0) socket.pause();
    else socket.resume();
  };
  let known = false;
  let waiting = "";
  socket.setEncoding("utf8");
  socket.on("error", () => socket.destroy());
  socket.on("data", (text: string) => {
    waiting += text;
    const lines = waiting.split("\n");
    waiting = lines.pop() ?? "";
    if (waiting.length > MAX_MESSAGE) socket.destroy();
    for (const line of lines) {
      if (!known && !equal(line, token)) {
        socket.destroy();
        return;
      }
      if (known) asked.push(line);
      known = true;
    }
    work();
  });
}

async function reply(socket: Socket, coming: Promise<object | undefined>): Promise<void> {
  const message = await coming.catch(() => undefined);
  if (message === undefined || !socket.writable || socket.write(`${JSON.stringify(message)}\n`)) return;
  // One that asks and does not read its answers fills no memory either.
  await new Promise<void>((resolve) => {
    const done = (): void => {
      socket.off("drain", done).off("close", done);
      resolve();
    };
    socket.on("drain", done).on("close", done);
  });
}

function equal(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
